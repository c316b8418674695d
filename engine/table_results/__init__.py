"""Results of battles that people fought at a real table."""
