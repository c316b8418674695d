"""Pictures of pages: `python -m tools.screens` creates wars, opens their pages, and saves pictures
in
docs/pictures.
"""
