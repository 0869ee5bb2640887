"""Read the address of a repository as a Git host shows it, and say where its issues are.

giturlparse knows neither Gitee's issues nor a port, and takes an unknown host for GitLab.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

HOSTS = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "gitee.com": "gitee",
    "codeberg.org": "gitea",  # Forgejo, which has Gitea's addresses
    "gitea.com": "gitea",
}
# Of the program behind a host: the page of a new issue, and the names of its title and its text.
NEW_ISSUE = {
    "github": ("/issues/new", "title", "body"),
    "gitlab": ("/-/issues/new", "issue[title]", "issue[description]"),
    "gitee": ("/issues/new", "title", "description"),
    "gitea": ("/issues/new", "title", "body"),
}
SHORT = re.compile(r"(?:[^@/:\s]+@)?([^@/:\s]+\.[^@/:\s]+):(?!/)(.+)")  # git@host:owner/name.git


@dataclass(frozen=True)
class Repository:
    """A repository that is shown on a host whose pages we know."""

    url: str
    program: str  # behind the host: a key of NEW_ISSUE
    branch: str = "main"

    @property
    def place(self) -> str:
        """The address without its scheme, for people."""
        return self.url.partition("://")[2]

    @property
    def name(self) -> str:
        """What follows the host: owner and name, or groups and name."""
        return self.place.partition("/")[2]

    @property
    def issue_text(self) -> str:
        """The name that the host gives the text of a new issue in an address."""
        return NEW_ISSUE[self.program][2]

    def new_issue(self, title: str, text: str) -> str:
        """Return the address that begins an issue.

        >>> Repository("https://gitlab.com/a/b/c", "gitlab").new_issue("Q & A", "one")
        'https://gitlab.com/a/b/c/-/issues/new?issue%5Btitle%5D=Q+%26+A&issue%5Bdescription%5D=one'
        """
        path, *names = NEW_ISSUE[self.program]
        query = urlencode(dict(zip(names, (title, text), strict=True)))
        return f"{self.url}{path}?{query}"

    def binder(self, path: str) -> str:
        """Return the address that opens a file of the repository in JupyterLab on Binder."""
        kinds = {"https://github.com": "gh", "https://gitlab.com": "gl"}
        kind = kinds.get(self.url.removesuffix(f"/{self.name}"))
        place = quote(self.name if kind else self.url, safe="/" if kind == "gh" else "")
        start = f"https://mybinder.org/v2/{kind or 'git'}/{place}"
        return f"{start}/{quote(self.branch)}?urlpath=lab/tree/{path}"

    def colab(self, path: str) -> str | None:
        """Return the address that opens a file on Colab, which takes what is on github.com."""
        if not self.place.startswith("github.com/"):
            return None
        start = f"https://colab.research.google.com/github/{self.name}"
        return f"{start}/blob/{quote(self.branch)}/{path}"


def repository(settings: Any) -> Repository | None:
    """Return what `repository:` of _config.yml names, or None where that is not known to be shown.

    `provider:` names the program behind a host whose own name does not tell.

    >>> repository({"url": "git@gitee.com:someone/attention.git"})
    Repository(url='https://gitee.com/someone/attention', program='gitee', branch='main')
    >>> repository({"url": "https://example.org/someone/attention"})
    """
    settings = settings if isinstance(settings, dict) else {}
    host, path, scheme = _parts(str(settings.get("url") or "").strip())
    program = str(settings.get("provider") or "").lower() or _program(host)
    names = path.split("/-/")[0].strip("/").split("/")
    if program != "gitlab":
        names = names[:2]  # what follows is a page of the repository
    names[-1] = names[-1].removesuffix(".git")
    if not host or program not in NEW_ISSUE or len(names) < 2 or not all(names):
        return None
    scheme = "https" if host in HOSTS else scheme
    url = f"{scheme}://{host}/{quote('/'.join(names), safe='/~%')}"
    return Repository(url, program, str(settings.get("branch") or "main"))


def _parts(address: str) -> tuple[str, str, str]:
    """Return the host with the port of its pages, the path, and the scheme of the pages."""
    if short := SHORT.fullmatch(address):
        address = f"ssh://{short[1]}/{short[2]}"
    elif "://" not in address:
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return "", "", ""
    if parts.scheme not in ("http", "https"):
        return host, parts.path, "https"  # a port is that of SSH, not of the pages
    return f"{host}:{port}" if port else host, parts.path, parts.scheme


def _program(host: str) -> str:
    first = host.partition(".")[0]  # gitlab.example.org
    return HOSTS.get(host) or {"forgejo": "gitea"}.get(first, first)
