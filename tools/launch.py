"""Start a browser as the tests do, and print its path: `python -m tools.launch [PATH]`.

`tools.browser` runs it in a subprocess, because a process that already uses Playwright cannot start
a second one.
"""

import sys

from playwright.sync_api import sync_playwright

# --no-sandbox: root in a container has none. The rest of the first line avoids GPU and network use;
# the others use fewer processes, which saves a tenth of the processor time.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--in-process-gpu", "--disable-site-isolation-trials"),
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,Translate",
]


def main() -> None:
    """Start the browser at the given path, or Playwright's own."""
    with sync_playwright() as playwright:
        path = next(iter(sys.argv[1:]), playwright.chromium.executable_path)
        playwright.chromium.launch(executable_path=path, args=ARGUMENTS).close()
    print(path)


if __name__ == "__main__":
    main()
