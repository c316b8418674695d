"""What a faction may believe: forces that would fit all it knows, and what battles with them come
to.

Everything here is reckoned from one View and the published scenario. Pure: chances are dice that
are keyed by the View, so that asking twice, or in two worlds that look alike, gives the same.
"""
