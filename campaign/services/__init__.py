"""Functions that write to the database: one per act, keyword-only, named `<noun>_<verb>`."""
