"""French number formats in templates: a decimal point, because drawings and styles need it."""

DECIMAL_SEPARATOR = "."
