"""Transform the text of a page: labels, glossary terms, formulas, tables, pictures, typography."""
