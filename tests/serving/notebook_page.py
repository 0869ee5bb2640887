"""Operate the cells of a chapter's page, and read their outputs."""

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

from tests.hydration import HYDRATE_ALL

CHAPTER = "book/{}/04-masked-softmax.html"
FIRST, NEXT = "padding-a-batch", "ordinary-softmax"  # cells near the top that print
BEFORE = ["sentence-figure", "imports", FIRST]  # up to the first cell that starts Python
PATIENCE = 90_000  # ms for all cells above, which train and plot, on a busy machine
KERNEL = "body[data-kernel={}]"
USUAL = "Connection lost, reconnecting in 0 seconds."  # logged at every restart


class Cell:
    """A code cell of the page, by its id in both languages."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.bar = page.locator(f'.cell-bar[data-cell="{name}"]')
        self.place = page.locator(".cell").filter(has=self.bar)
        self.output = self.place.locator("[data-output]")
        self.says = self.bar.locator(".cell-state")
        self.code = self.place.locator(".cm-content")

    def press(self, name: str) -> None:
        """Click one of its buttons: run, edit, reset, or a `data-act`."""
        self.unfold()
        self.button(name).click()

    def unfold(self) -> None:
        """Open the fold around the cell, if there is one."""
        self.bar.evaluate("(bar) => bar.closest('details:not([open])')?.setAttribute('open', '')")

    def button(self, name: str) -> Locator:
        return self.bar.locator(f'[data-{name}], [data-act="{name}"]')

    def write(self, code: str) -> None:
        """Replace the code of the cell."""
        if not self.code.is_visible():
            self.press("edit")
        self.code.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(code)

    def run(self, code: str | None = None, ending: str = "done") -> "Cell":
        """Run the cell, with other code if given, and wait for its final state."""
        if code is not None:
            self.write(code)
        self.press("run")
        self.ends(ending)
        return self

    def ends(self, ending: str) -> None:
        """Wait for this final state."""
        expect(self.place).to_have_attribute("data-state", ending, timeout=PATIENCE)
        expect(self.page.locator(KERNEL.format("idle"))).to_be_attached()


class Notebook:
    """The page of a chapter."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.language = page, language

    def __getitem__(self, name: str) -> Cell:
        return Cell(self.page, name)

    @property
    def ran(self) -> list[str]:
        """Return the names of the cells that have run since the page was loaded."""
        done = self.page.locator('.cell[data-state="done"] .cell-bar')
        names: list[str] = done.evaluate_all("bars => bars.map((bar) => bar.dataset.cell)")
        return names

    def forget(self) -> None:
        """Reload the page with the book's code in all cells."""
        self.page.evaluate("localStorage.removeItem(`cells:${location.pathname}`)")
        self.page.reload()


@dataclass
class Session:
    """A browser context that opens chapters, and the problems of its pages."""

    context: BrowserContext
    origin: str
    problems: list[str] = field(default_factory=list)

    def open(self, address: str) -> Page:
        """Open a page, and record its errors and its requests to other origins."""
        page = self.context.new_page()
        page.add_init_script(HYDRATE_ALL)

        def hear(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning") and message.text != USUAL:
                self.problems.append(message.text)

        def watch(request: Request) -> None:
            if not request.url.startswith((self.origin, "data:", "blob:")):
                self.problems.append(f"asked for {request.url}")

        page.on("console", hear)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", watch)
        page.goto(address)
        return page
