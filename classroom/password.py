"""Authenticates a class by one password, which may have any character that a person can type."""

from typing import Any
from unicodedata import normalize
from urllib.parse import quote

from jupyterhub.authenticators.shared import SharedPasswordAuthenticator


class ClassPassword(SharedPasswordAuthenticator):
    """Compares passwords in an ASCII form: `secrets.compare_digest` refuses other strings."""

    async def authenticate(self, handler: Any, data: dict[str, str]) -> Any:
        """Return the reader's name if the password is right, otherwise None."""
        given = {**data, "password": ascii_form(data["password"])}
        return await super().authenticate(handler, given)  # type: ignore[no-untyped-call]


def ascii_form(password: str) -> str:
    """Return the ASCII form of a password, the same for both ways to type an accent.

    >>> ascii_form("caf\u00e9 50%"), ascii_form("cafe\u0301 50%")
    ('caf%C3%A9%2050%25', 'caf%C3%A9%2050%25')
    """
    return quote(normalize("NFC", password), safe="")
