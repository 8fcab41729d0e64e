wrong = {
    "an earlier layer than executable-targets": "executable-targets",
    "an earlier layer than hal": "hal",
    "not in executable-sources yet": "executable-sources",
    "no layer": "bufferization",
}
