from stages.s4_flow_stream.programs import products

wrong = {
    "three dispatches": products([(0, 1), (0, 1), (1, 1)]),
    "steps [0, 0, 1]": products([(0, 1), (1, 1), (2, 3)]),
    "steps [0, 1, 2]": products([(0, 1), (2, 1), (3, 1)]),
    "a program with @f that compiles": products([(0, 0), (0, 1), (1, 1)], name="g"),
}
