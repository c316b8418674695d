"""Play aids for a table at home: gauges, templates, counters, blank forms, quick reference.

Pure functions that return pages of drawings and tables. `campaign.web.aid_pdf` prints them, and the
quick reference is also a page of the site.
"""
