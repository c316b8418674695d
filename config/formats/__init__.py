"""Number formats that differ from Django's in templates.

Templates put numbers into drawings and styles, which only accept a decimal point. Numbers in
sentences are formatted by `campaign.words.languages.Catalogue.decimal`.
"""
