"""A chapter's page as a notebook: what a reader does with its cells, and sees of them."""

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

CHAPTER = "book/{}/04-masked-softmax.html"
FIRST, NEXT = "padding-a-batch", "ordinary-softmax"  # cells near the top that print
BEFORE = ["sentence-figure", "imports", FIRST]  # up to the first one, which makes Python ready
PATIENCE = 90_000  # ms for all cells above, which train and draw, on a busy machine
KERNEL = "body[data-kernel={}]"
USUAL = "Connection lost, reconnecting in 0 seconds."  # said at every restart


class Cell:
    """A code cell of the page, by the name that it has in both languages."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.bar = page.locator(f'.cell-bar[data-cell="{name}"]')
        self.place = page.locator(".cell").filter(has=self.bar)
        self.output = self.place.locator("[data-output]")
        self.says = self.bar.locator(".cell-state")
        self.code = self.place.locator(".cm-content")

    def press(self, name: str) -> None:
        """Press one of its buttons: run, edit, reset, or by its `data-act`."""
        self.unfold()
        self.button(name).click()

    def unfold(self) -> None:
        """Open the fold that it is in, if it is in one."""
        self.bar.evaluate("(bar) => bar.closest('details:not([open])')?.setAttribute('open', '')")

    def button(self, name: str) -> Locator:
        return self.bar.locator(f'[data-{name}], [data-act="{name}"]')

    def write(self, code: str) -> None:
        """Put other code in the place of what it has."""
        if not self.code.is_visible():
            self.press("edit")
        self.code.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(code)

    def run(self, code: str | None = None, ending: str = "done") -> "Cell":
        """Run it, with other code if that is given, and see how it ends."""
        if code is not None:
            self.write(code)
        self.press("run")
        self.ends(ending)
        return self

    def ends(self, ending: str) -> None:
        """Wait until it has ended so."""
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
        """Load the page anew, with the book's code in all cells."""
        self.page.evaluate("localStorage.removeItem(`cells:${location.pathname}`)")
        self.page.reload()


@dataclass
class Session:
    """A browser that has opened a chapter, and what has gone wrong there."""

    context: BrowserContext
    origin: str
    problems: list[str] = field(default_factory=list)

    def open(self, address: str) -> Page:
        """Open a page, and take down its errors, and all that it asks others for."""
        page = self.context.new_page()

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
