"""Pure values and rules that sealing and resolving share: no Django here."""
