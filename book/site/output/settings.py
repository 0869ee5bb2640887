"""Read the settings of _config.yml that Jupyter Book does not pass on, and of the environment.

- `repository:` gives links to the source. `author:` names the provider of the course.
- `url:`, or SITE_URL in the environment, is the address of the published site. Jupyter Book's own
  `html: baseurl:` means the same.
- OFFLINE_COPY is the path of the archive that is published with the pages.
- PDF_EN and PDF_ZH are the paths of the PDFs that are published with the pages.
- ARCHIVE_BUILD is set while the pages of the archive are built.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

from book.site.languages import LANGUAGES
from book.site.output import hosting


def read_settings(app: Sphinx, config: Config) -> None:
    """Pass the settings to all templates, and the address to Sphinx as `html_baseurl`."""
    settings = yaml.safe_load(Path(app.confdir, "_config.yml").read_text("utf-8"))
    project = settings.get("repository")
    if isinstance(project, dict):
        site_url(project.get("binderhub"), "repository: binderhub: in _config.yml")
    config.html_context["repository"] = hosting.repository(project)
    config.html_context["authors"] = _names(settings.get("author"))
    stated = settings.get("url") or os.environ.get("SITE_URL") or config.html_baseurl
    config.html_baseurl, published = addresses(site_url(stated), os.environ)
    config.html_context.update(published)


def site_url(stated: object, setting: str = "url: in _config.yml (or SITE_URL)") -> str:
    """Return the address of the site, with a slash at its end; "" if none is stated.

    Args:
        stated: the value of the setting.
        setting: what the error message calls it.

    Raises:
        ConfigError: it is no absolute http or https address, or has a query or a fragment.

    >>> site_url("https://example.org/attention"), site_url(None)
    ('https://example.org/attention/', '')
    """
    if not stated:
        return ""
    text = str(stated).strip()
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018  # raises if it is not a number
    except ValueError:
        parts = urlsplit("")
    is_web = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if not is_web or set("?# ") & set(text):
        raise ConfigError(
            f"{setting} should be the absolute address of the site, without query and fragment, "
            f"such as https://example.org/attention/; got {text!r}"
        )
    return parts._replace(path=quote(parts.path.rstrip("/"), safe="/%~") + "/").geturl()


def addresses(url: str, environment: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the address that search engines get, and what the footer says about the archive.

    The pages of the archive are copies: they only tell their reader where the original is.

    Raises:
        ConfigError: OFFLINE_COPY, PDF_EN or PDF_ZH names no file.

    >>> addresses("https://example.org/", {"ARCHIVE_BUILD": "1"})
    ('', {'newest': 'https://example.org/', 'offline_copy': None, 'pdfs': {}})
    """
    if environment.get("ARCHIVE_BUILD"):
        return "", {"newest": url, "offline_copy": None, "pdfs": {}}
    names = {lang.code: f"PDF_{lang.code.upper()}" for lang in LANGUAGES}
    pdfs = {lang: path for lang, name in names.items() if (path := _file(name, environment))}
    copy = _file("OFFLINE_COPY", environment)
    return url, {"newest": "", "offline_copy": copy, "pdfs": pdfs}


def _file(name: str, environment: Mapping[str, str]) -> Path | None:
    """Return the path that a variable holds, None if it is empty or not set."""
    path = Path(environment.get(name) or "")
    if path.name and not path.is_file():
        raise ConfigError(f"{name} should be the path of a file; there is no {path}")
    return path if path.name else None


def _names(author: object) -> list[str]:
    """Return the names in a list that is separated by commas."""
    return [name.strip() for name in str(author or "").split(",") if name.strip()]
