"""Django app: the true state of each war, what each faction may know of it, and all models."""
