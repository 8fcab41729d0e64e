wrong = {"bytecode of the host": "module.fb", "no file": "axpb.so"}
