"""Test parsing URLs of repositories as Git hosts show them."""

from typing import Any

import pytest

from book.site.output.hosting import Repository, repository

GITHUB = ("https://github.com/someone/attention", "github")
GITLAB = ("https://gitlab.com/group/part/attention", "gitlab")
ADDRESSES = {
    "https://github.com/someone/attention": GITHUB,
    "https://github.com/someone/attention.git": GITHUB,
    "https://github.com/someone/attention/": GITHUB,
    "https://github.com/someone/attention.git/": GITHUB,
    "https://www.github.com/someone/attention/tree/main/book": GITHUB,
    "https://me:secret@github.com/someone/attention.git": GITHUB,
    "http://github.com/someone/attention": GITHUB,
    "http://gitea.example.org:3000/someone/attention": (
        "http://gitea.example.org:3000/someone/attention",
        "gitea",
    ),
    "github.com/someone/attention": GITHUB,
    " git@github.com:someone/attention.git ": GITHUB,
    "git@github.com:someone/attention": GITHUB,
    "ssh://git@github.com/someone/attention.git": GITHUB,
    "ssh://git@github.com:22/someone/attention.git": GITHUB,
    "git+ssh://git@github.com/someone/attention.git": GITHUB,
    "git://github.com/someone/attention.git": GITHUB,
    "https://gitlab.com/group/part/attention": GITLAB,
    "https://gitlab.com/group/part/attention.git": GITLAB,
    "https://gitlab.com/group/part/attention/-/tree/main": GITLAB,
    "git@gitlab.com:group/part/attention.git": GITLAB,
    "https://gitee.com/someone/attention.git": ("https://gitee.com/someone/attention", "gitee"),
    "git@gitee.com:someone/attention.git": ("https://gitee.com/someone/attention", "gitee"),
    "https://codeberg.org/someone/attention": ("https://codeberg.org/someone/attention", "gitea"),
    "ssh://git@codeberg.org/someone/attention.git": (
        "https://codeberg.org/someone/attention",
        "gitea",
    ),
    "https://gitlab.example.org:8443/a/b/c/attention.git": (
        "https://gitlab.example.org:8443/a/b/c/attention",
        "gitlab",
    ),
    "ssh://git@gitea.example.org:2222/someone/attention.git": (
        "https://gitea.example.org/someone/attention",
        "gitea",
    ),
    "git@forgejo.example.org:someone/attention.git": (
        "https://forgejo.example.org/someone/attention",
        "gitea",
    ),
}
UNKNOWN = (
    *("https://git.example.org/someone/attention", "git@git.example.org:someone/attention.git"),
    *(
        "https://bitbucket.org/someone/attention",
        "https://github.com/someone",
        "https://github.com",
    ),
    *("https://github.com:port/someone/attention", "https://[/a/b", "file:///home/x", "/srv/x.git"),
    *("C:\\x", "attention", "github.com:", "https://github.com//attention", "", None, 7, ["a"]),
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_a_host_shows_is_understood(address: str) -> None:
    assert repository({"url": address}) == Repository(*ADDRESSES[address])


@pytest.mark.parametrize("address", UNKNOWN)
def test_where_a_host_is_not_known_there_is_no_repository(address: Any) -> None:
    assert repository({"url": address}) is None


def test_the_settings_may_name_the_program_behind_a_host() -> None:
    settings = {"url": "https://git.example.org/me/it.git", "provider": "Gitea", "branch": 2}
    assert repository(settings) == Repository("https://git.example.org/me/it", "gitea", "2")
    assert repository({**settings, "provider": "cgit"}) is None
    for nothing in (None, "https://github.com/someone/attention", [], {}):
        assert repository(nothing) is None


@pytest.mark.parametrize(
    ("address", "binder", "colab"),
    [
        ("git@github.com:me/it.git", "gh/me/it", "github/me/it"),
        ("https://gitlab.com/us/all/it", "gl/us%2Fall%2Fit", None),
        ("https://gitee.com/me/it.git", "git/https%3A%2F%2Fgitee.com%2Fme%2Fit", None),
    ],
)
def test_binder_and_colab_get_their_own_form_of_an_address(
    address: str, binder: str, colab: str | None
) -> None:
    found = repository({"url": address, "branch": "my/draft"})
    assert found
    assert found.binder("a.ipynb") == (
        f"https://mybinder.org/v2/{binder}/my/draft?urlpath=lab/tree/a.ipynb"
    )
    assert found.binder_build == f"https://mybinder.org/build/{binder}/my/draft"
    start = "https://colab.research.google.com"
    assert found.colab("a.ipynb") == (colab and f"{start}/{colab}/blob/my/draft/a.ipynb")


@pytest.mark.parametrize(
    ("address", "start"),
    [
        ("https://github.com/me/it", "https://github.com/me/it/issues/new?title=T&body="),
        (
            "https://gitlab.com/us/it",
            "https://gitlab.com/us/it/-/issues/new?issue%5Btitle%5D=T&issue%5Bdescription%5D=",
        ),
        ("https://gitee.com/me/it", "https://gitee.com/me/it/issues/new?title=T&description="),
        ("https://codeberg.org/me/it", "https://codeberg.org/me/it/issues/new?title=T&body="),
    ],
)
def test_a_new_issue_has_its_title_and_its_text(address: str, start: str) -> None:
    found = repository({"url": address})
    assert found
    assert found.new_issue("T", "a b\n&") == f"{start}a+b%0A%26"
