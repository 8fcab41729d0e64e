_FIRST = ["--iree-hal-memoization=false"]
_SECOND = ["--iree-hal-indirect-command-buffers=false"]

wrong = {
    "records it when the module is loaded": {"table": [], "no table": _SECOND},
    "4 slots of a table": {"table": _FIRST, "no table": _FIRST},
    "table: the recording has the buffers": {"table": _SECOND, "no table": _SECOND},
    "flags that the compiler knows": {"table": ["--iree-hal-memoize=no"], "no table": _SECOND},
    "a list of flags for table": {"table": False, "no table": _SECOND},
    "a dict with table and no table": _FIRST,
}
