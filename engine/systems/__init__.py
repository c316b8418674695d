"""The systems that a ship may carry, one module for each family of rules, for both editions."""
