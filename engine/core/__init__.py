"""What every rule stands on: dice, geometry, ships, the table, orders, options."""
