"""How the jobs' table came about."""
