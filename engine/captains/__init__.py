"""Computer captains: they fight a battle nobody plays by hand, seeing only what their side may
see.
"""
