"""Fighter groups: hangars, flights, dogfights, strikes, and fire at them."""
