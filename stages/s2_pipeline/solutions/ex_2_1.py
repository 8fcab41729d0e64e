answer = "iree-dispatch-creation-convert-dispatch-regions-to-workgroups"
