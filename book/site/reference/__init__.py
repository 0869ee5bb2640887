"""The pages that are made when the book is built, each from one source for all languages."""
