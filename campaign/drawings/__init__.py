"""Drawings of ships as plain values: record sheets, hull strips, symbols.

Pure functions; templates and PDFs draw the values.
"""
