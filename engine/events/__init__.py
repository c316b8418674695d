"""What happened in a battle, as frozen values: a module a subject.

Every roll stands in the event it caused.
"""
