"""Types of craft that fly in groups, a file a family: what each weighs, costs, carries and
throws.
"""
