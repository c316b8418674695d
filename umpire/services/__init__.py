"""The shell around adjudication: short transactions before and after, nothing but computing
between.
"""
