"""What is done to the text of a page: terms, formulas, tables, pictures and how they are set."""
