"""The first hit of find(t, "flow.dispatch.workgroups") is the snapshot after this pass."""

answer = "iree-dispatch-creation-convert-dispatch-regions-to-workgroups"
