"""Flight operations of Continuum: decks, moves, attacks, dogfights and runs of craft."""
