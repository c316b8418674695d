"""Fire, damage, threshold checks, detection."""
