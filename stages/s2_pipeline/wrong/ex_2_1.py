wrong = {
    "flow.dispatch.region": "iree-dispatch-creation-form-dispatch-regions",
    "flow.executable": "iree-flow-outline-dispatch-regions",
    "there already": "cse",
    "no pass": "iree-flow-make-dispatches",
}
