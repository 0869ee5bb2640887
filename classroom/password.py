"""Authenticate a class by one shared password, which may contain any Unicode characters."""

from typing import Any
from unicodedata import normalize
from urllib.parse import quote

from jupyterhub.authenticators.shared import SharedPasswordAuthenticator


class ClassPassword(SharedPasswordAuthenticator):
    """Compares passwords in an ASCII form, as `secrets.compare_digest` requires."""

    async def authenticate(self, handler: Any, data: dict[str, str]) -> Any:
        """Return the reader's name if the password is right, otherwise None."""
        given = {**data, "password": ascii_form(data["password"])}
        return await super().authenticate(handler, given)  # type: ignore[no-untyped-call]


def ascii_form(password: str) -> str:
    """Return the ASCII form of a password, after Unicode normalisation.

    >>> ascii_form("caf\u00e9 50%"), ascii_form("cafe\u0301 50%")
    ('caf%C3%A9%2050%25', 'caf%C3%A9%2050%25')
    """
    return quote(normalize("NFC", password), safe="")
