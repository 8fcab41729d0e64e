wrong = {
    "an earlier layer than hal": "hal",
    "an earlier layer than stream": "stream",
    "not in input yet": "input",
    "no layer": "HAL",
}
