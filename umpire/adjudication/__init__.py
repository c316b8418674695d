"""Pure adjudication of a week: frozen values in, frozen values out."""
