"""Pictures of pages: `python -m docs.screens` makes wars, looks at their pages and draws them into docs/pictures."""
