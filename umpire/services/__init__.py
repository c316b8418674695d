"""Services of the umpire: short transactions before and after adjudication, pure computing between.
"""
