"""The second edition's fighter groups: hangars, flights, dogfights, strikes, and fire at them."""
