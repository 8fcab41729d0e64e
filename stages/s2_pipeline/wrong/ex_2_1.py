wrong = {
    "flow.dispatch.region": "iree-dispatch-creation-form-dispatch-regions",
    "it makes flow.executable": "iree-flow-outline-dispatch-regions",
    "runs before and after": "cse",
    "no pass": "iree-flow-make-dispatches",
}
