"""What a faction may believe: hidden forces that fit all it knows, and battles against them.

Everything is computed from one View and the published scenario. The functions are pure: their dice
are keyed by the View, so that asking twice, or in two worlds with the same View, gives the same
answer.
"""
