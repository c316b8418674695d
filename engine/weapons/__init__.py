"""The weapons of both editions, a file a family; `weapon.py` says what a row is, `registry.py`
finds it.
"""
