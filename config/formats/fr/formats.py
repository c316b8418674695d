"""Numbers of this language in templates: with a point, for drawings and styles read them there."""

DECIMAL_SEPARATOR = "."
