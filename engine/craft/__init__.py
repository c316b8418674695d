"""Types of craft that fly in groups, one file per family: cost, mass, weapons and dice."""
