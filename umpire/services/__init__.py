"""Services of the umpire: short transactions before and after, pure computing between."""
