"""Formats of languages where templates need others than Django's.

Templates put numbers into drawings and styles, which read a point alone. Numbers within sentences
are written as the language writes them by `campaign.words.languages.Catalogue.decimal`.
"""
