"""Parse the URL of a repository on a Git host, and build the URLs of issues, Binder and Colab.

We do not use giturlparse: it supports neither Gitee's issues nor ports, and treats an unknown host
as GitLab.
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
    "codeberg.org": "gitea",  # Forgejo uses the URLs of Gitea
    "gitea.com": "gitea",
}
# By host software: path of a new issue, and the query parameters of its title and its text.
NEW_ISSUE = {
    "github": ("/issues/new", "title", "body"),
    "gitlab": ("/-/issues/new", "issue[title]", "issue[description]"),
    "gitee": ("/issues/new", "title", "description"),
    "gitea": ("/issues/new", "title", "body"),
}
BINDER = "https://mybinder.org"
SHORT = re.compile(r"(?:[^@/:\s]+@)?([^@/:\s]+\.[^@/:\s]+):(?!/)(.+)")  # git@host:owner/name.git


@dataclass(frozen=True)
class Repository:
    """A repository on a host whose URLs we know."""

    url: str
    program: str  # the host's software, a key of NEW_ISSUE
    branch: str = "main"
    binderhub: str = BINDER

    @property
    def display_url(self) -> str:
        """The URL without its scheme, for readers."""
        return self.url.partition("://")[2]

    @property
    def name(self) -> str:
        """What follows the host: owner and name, or groups and name."""
        return self.display_url.partition("/")[2]

    @property
    def issue_text(self) -> str:
        """The query parameter of a new issue's text."""
        return NEW_ISSUE[self.program][2]

    def new_issue(self, title: str, text: str) -> str:
        """Return the URL that opens a new issue.

        >>> Repository("https://gitlab.com/a/b/c", "gitlab").new_issue("Q & A", "one")
        'https://gitlab.com/a/b/c/-/issues/new?issue%5Btitle%5D=Q+%26+A&issue%5Bdescription%5D=one'
        """
        path, *names = NEW_ISSUE[self.program]
        query = urlencode(dict(zip(names, (title, text), strict=True)))
        return f"{self.url}{path}?{query}"

    @property
    def binder_spec(self) -> str:
        """What names the project to a BinderHub: provider, project and branch.

        >>> Repository("https://gitlab.com/a/b/c", "gitlab").binder_spec
        'gl/a%2Fb%2Fc/main'
        """
        kinds = {"https://github.com": "gh", "https://gitlab.com": "gl"}
        kind = kinds.get(self.url.removesuffix(f"/{self.name}"))
        place = quote(self.name if kind else self.url, safe="/" if kind == "gh" else "")
        return f"{kind or 'git'}/{place}/{quote(self.branch)}"

    def binder(self, path: str) -> str:
        """Return the URL that opens a file of the repository in JupyterLab on Binder."""
        return f"{self.binderhub}/v2/{self.binder_spec}?urlpath=lab/tree/{path}"

    @property
    def binder_build(self) -> str:
        """The URL of the public API that builds the project and starts a server.

        >>> Repository("https://github.com/a/b", "github").binder_build
        'https://mybinder.org/build/gh/a/b/main'
        """
        return f"{self.binderhub}/build/{self.binder_spec}"

    def colab(self, path: str) -> str | None:
        """Return the URL that opens a file on Colab, which supports github.com only."""
        if not self.display_url.startswith("github.com/"):
            return None
        start = f"https://colab.research.google.com/github/{self.name}"
        return f"{start}/blob/{quote(self.branch)}/{path}"


def repository(settings: Any) -> Repository | None:
    """Return the repository named in _config.yml, or None if its host is unknown.

    `provider:` names the host's software where the host name does not reveal it, and `binderhub:`
    the address of a BinderHub other than mybinder.org.

    >>> repository({"url": "git@gitee.com:someone/attention.git"}).url
    'https://gitee.com/someone/attention'
    >>> repository({"url": "https://example.org/someone/attention"})
    """
    settings = settings if isinstance(settings, dict) else {}
    host, path, scheme = _parts(str(settings.get("url") or "").strip())
    program = str(settings.get("provider") or "").lower() or _program(host)
    names = path.split("/-/")[0].strip("/").split("/")
    if program != "gitlab":
        names = names[:2]  # the rest is a page of the repository
    names[-1] = names[-1].removesuffix(".git")
    if not host or program not in NEW_ISSUE or len(names) < 2 or not all(names):
        return None
    scheme = "https" if host in HOSTS else scheme
    url = f"{scheme}://{host}/{quote('/'.join(names), safe='/~%')}"
    binderhub = str(settings.get("binderhub") or BINDER).rstrip("/")
    return Repository(url, program, str(settings.get("branch") or "main"), binderhub)


def _parts(address: str) -> tuple[str, str, str]:
    """Return host (with the port of its web pages), path, and scheme of the web pages."""
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
        return host, parts.path, "https"  # a port would be that of SSH
    return f"{host}:{port}" if port else host, parts.path, parts.scheme


def _program(host: str) -> str:
    first = host.partition(".")[0]  # gitlab.example.org
    return HOSTS.get(host) or {"forgejo": "gitea"}.get(first, first)
