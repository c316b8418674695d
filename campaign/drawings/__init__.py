"""Pictures of ships as plain values: record sheets, hull strips, symbols.

Pure: templates and PDFs draw them.
"""
