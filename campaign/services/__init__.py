"""What writes: one function an act, keyword-only, named `<noun>_<verb>`."""
