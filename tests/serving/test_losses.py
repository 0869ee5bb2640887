"""Test a dead kernel and a stopped server: a message, a way to continue, no lost code."""

import re
import signal
from pathlib import Path

import pytest
from notebook_page import BEFORE, CHAPTER, FIRST, KERNEL, Notebook, Session
from playwright.sync_api import Browser, expect
from served import Served, served

from tests.variants import redundant

DIED = {"en": "Python ended unexpectedly", "zh": "Python 意外退出"}
STOPPED = {"en": "The server does not answer", "zh": "服务器没有回应"}
CLOSED = {"en": "The server was restarted", "zh": "服务器重新启动过"}
STILL = {"en": "What you wrote is still here.", "zh": "你写的代码还在。"}
NO_KERNEL = {"en": "runs with make serve in a clone", "zh": "用 make serve 打开本书"}
NO_TOKEN = {"en": "open the link (with its token)", "zh": "网址里带有 token"}
LANGUAGES = ["en", "zh"]


def test_a_kernel_that_dies_leaves_a_sentence_and_a_way_on(notebook: Notebook) -> None:
    cell, language = notebook[FIRST], notebook.language
    cell.run("import os\nkept = 1")
    cell.write("import os\nif 'kept' in globals(): os.kill(os.getpid(), 9)\nprint('again')")
    cell.press("run")
    expect(cell.says).to_contain_text(DIED[language])
    expect(cell.says).to_contain_text(STILL[language])
    expect(cell.place).to_have_attribute("data-state", "lost")
    expect(notebook.page.locator(KERNEL.format("idle"))).to_be_attached(timeout=40_000)
    cell.press("again")
    cell.ends("done")
    expect(cell.output).to_have_text("again")
    assert notebook.ran == BEFORE


def test_a_kernel_that_has_gone_meanwhile_is_replaced(notebook: Notebook, session: Session) -> None:
    cell = notebook[FIRST]
    cell.run("kept = 1")
    ended = notebook.page.evaluate(
        """async () => {
          const { id } = JSON.parse(sessionStorage.getItem(`kernel:${location.pathname}`));
          const [, xsrf] = /_xsrf=([^;]+)/.exec(document.cookie);
          const headers = { "X-XSRFToken": xsrf };
          return (await fetch(`/api/kernels/${id}`, { method: "DELETE", headers })).status;
        }"""
    )
    assert ended == 204
    notebook.page.reload()
    expect(cell.code).to_have_text("kept = 1")
    cell.run("print('kept' in globals())")
    expect(cell.output).to_have_text("False")
    assert notebook.ran == BEFORE
    session.problems.clear()  # the browser logs the failed requests


@pytest.mark.parametrize("language", ["zh", redundant("en")])
def test_a_server_that_stops_loses_nothing(language: str, site: Path, browser: Browser) -> None:
    address = f"/{CHAPTER.format(language)}?"
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    with served(site) as server:
        page = Session(context, server.origin).open(server.address.replace("/?", address))
        cell = Notebook(page, language)[FIRST].run("print('mine')")
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(120)
    expect(cell.says).to_contain_text(STOPPED[language])
    expect(cell.says).to_contain_text(STILL[language])
    expect(page.locator(KERNEL.format("dead"))).to_be_attached()
    cell.press("again")
    expect(cell.says).to_contain_text(STOPPED[language])
    expect(cell.code).to_have_text("print('mine')")
    with served(site, server.port) as next_one:
        cell.press("again")
        expect(cell.says).to_contain_text(CLOSED[language])
        page.goto(next_one.address.replace("/?", address))
        cell.run()
        expect(cell.output).to_have_text("mine")
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_token_the_page_says_which_address_to_open(
    language: str, browser: Browser, book: Served
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{book.origin}/{CHAPTER.format(language)}")
    expect(page.locator(".no-kernel:visible")).to_have_count(1)
    expect(page.locator(".no-kernel:visible")).to_contain_text(NO_TOKEN[language])
    expect(page.locator(".cell-bar:visible")).to_have_count(0)
    expect(page.locator(KERNEL.format("none"))).to_be_attached()
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_a_file_the_page_says_once_how_to_get_python(
    language: str, browser: Browser, site: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((site / CHAPTER.format(language)).as_uri())
    expect(page.locator(".no-kernel:visible")).to_have_count(1)
    expect(page.locator(".no-kernel:visible")).to_contain_text(NO_KERNEL[language])
    expect(page.locator(".cell-bar:visible")).to_have_count(0)
    expect(page.locator(KERNEL.format("none"))).to_be_attached()
    expect(page.locator("[data-output]").first).to_be_attached()
    context.close()


@pytest.mark.parametrize("denied", ["localStorage", redundant("sessionStorage")])
def test_a_storage_that_fails_only_forgets(denied: str, browser: Browser, book: Served) -> None:
    context = browser.new_context()
    context.add_init_script(
        f"Object.defineProperty(window, '{denied}', {{ get() {{ throw Error('no') }},"
        " configurable: true })"
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(book.address.replace("/?", f"/{CHAPTER.format('en')}?"))
    cell = Notebook(page, "en")[FIRST]
    cell.run("print(6 * 7)")
    expect(cell.output).to_have_text(re.compile("42"))
    page.reload()
    expect(cell.button("run")).to_be_visible()
    assert faults == []
    context.close()
