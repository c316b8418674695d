"""Events of a battle as frozen values, one module for each subject.

Every roll is part of the event that it caused.
"""
