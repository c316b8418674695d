"""Pictures of pages: `python -m tools.screens` makes wars, looks at their pages and draws them into
docs/pictures.
"""
