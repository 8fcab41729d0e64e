answer = """
TODO
hal.return %value : i1
"""
