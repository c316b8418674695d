"""Results of battles that people fought at a table of their own."""
