"""Start a browser as the tests do, and print where it is: `python -m tools.launch [PATH]`.

Run as a process of its own by `tools.browser`: whoever asks may have a Playwright running already,
which would not take a second one.
"""

import sys

from playwright.sync_api import sync_playwright

# Root, as in a container, has no sandbox; the next keep the browser quiet and off the network, and
# the others save a tenth of its processor time by keeping fewer processes.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--in-process-gpu", "--disable-site-isolation-trials"),
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,Translate",
]


def main() -> None:
    """Start the browser at the path given, or Playwright's own."""
    with sync_playwright() as playwright:
        path = next(iter(sys.argv[1:]), playwright.chromium.executable_path)
        playwright.chromium.launch(executable_path=path, args=ARGUMENTS).close()
    print(path)


if __name__ == "__main__":
    main()
