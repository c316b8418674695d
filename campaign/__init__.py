"""Django app: what is true, what each faction may know, and every model of the game."""
