"""How ships move: orders, edges of the table, FTL."""
