"""The bar of a war, without `{% load %}`.

`{% war_tabs viewer kind next_action here as links %}` are its tabs, and `{% tab_pages viewer kind
next_action here as links %}` the pages of the open one.
"""

from __future__ import annotations

from django import template

from campaign.web import war_bar

register = template.Library()
register.simple_tag(war_bar.war_tabs)
register.simple_tag(war_bar.tab_pages)
