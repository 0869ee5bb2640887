"""Add scripts, style sheets, icons, failure messages and the search index to the HTML output."""
