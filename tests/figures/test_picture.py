"""Test picture downloads: SVG and PNG of what the page shows."""

import base64
import io
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from figure_examples import EACH_KIND, EXAMPLES, pipeline, steps
from figure_page import Open, control
from interaction import resize
from PIL import Image
from playwright.sync_api import Locator, Page

from attention_figures import AttentionFigure
from attention_lib import DotProductAttention

SVG = "{http://www.w3.org/2000/svg}"
kinds = pytest.mark.parametrize("kind", EACH_KIND)
CELLS = """cells => cells.map((cell) => {
  const hex = (colour) => "#" + colour.match(/\\d+/g).slice(0, 3)
    .map((x) => Number(x).toString(16).padStart(2, "0")).join("");
  const { backgroundColor, color } = getComputedStyle(cell);
  return [cell.querySelector("input")?.value ?? cell.textContent, hex(backgroundColor), hex(color)];
})"""


def download(page: Page, kind: str) -> Path:
    """Open the menu below the figure, and download the picture."""
    page.locator("details.share").evaluate("menu => { menu.open = true }")
    with page.expect_download() as started:
        control(page, f"download-{kind}").click()
    page.locator("details.share").evaluate("menu => { menu.open = false }")
    name = page.locator("[data-figure]").get_attribute("data-figure")
    assert started.value.suggested_filename == f"{name}.{kind}"
    return started.value.path()


def picture(page: Page) -> ElementTree.Element:
    return ElementTree.fromstring(download(page, "svg").read_text("utf-8"))


def texts(svg: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]


def pairs(svg: ElementTree.Element) -> list[list[str]]:
    """Return every text with its colour and the colour painted last behind it."""
    found, behind = [], ""
    for node in svg.iter():
        fill = node.get("fill", "")
        if node.tag == f"{SVG}rect" and fill.startswith("#"):
            behind = fill
        if node.tag == f"{SVG}text" and node.text:
            found.append([node.text, behind, fill])
    return found


# The page learns later than the test that the figure is in view.
WHOLE = """document.documentElement.outerHTML.replaceAll(' data-seen=""', "")"""


def visible_cells(page: Page) -> Locator:
    return page.locator(".attention-figure tbody td:visible")


@kinds
def test_it_shows_the_numbers_the_colours_and_the_names_of_the_page_and_needs_nothing_else(
    open_figure: Open, kind: str
) -> None:
    page = open_figure(EXAMPLES[kind]("zh"))
    before = page.evaluate(WHOLE)
    text = download(page, "svg").read_text("utf-8")
    assert page.evaluate(WHOLE) == before
    assert_is_self_contained(text)
    svg = ElementTree.fromstring(text)
    drawn = iter(pairs(svg))
    for cell in visible_cells(page).evaluate_all(CELLS):
        assert cell in drawn, cell  # in this order, possibly with others in between
    names = page.locator(":is(.panel > code, .hint, dt):visible:not(.controls *)")
    written = "".join(texts(svg)).replace(" ", "")  # a name may take several lines
    for name in names.all_inner_texts():
        assert name.replace(" ", "") in written, name
    hatched = [rect for rect in svg.iter() if rect.get("fill", "").endswith("-hatch)")]
    padding = (
        "tbody td[data-masked], .key-word[data-masked], .weight-square[data-masked], .draw .below"
    )
    filling = "[data-pad] .weight-bar, .leak .number-cell[data-pad]"
    assert len(hatched) == page.locator(f":is({padding}, {filling}):visible").count()
    chosen = ", ".join(
        f"[data-control^='{name}.']" for name in ("run", "score", "place", "example")
    )
    named = f".query-word, {chosen}"
    controls = page.locator(f"button:not({named}):visible, summary:visible, label:visible")
    said = controls.all_inner_texts()
    assert not set(said) & set(texts(svg))


def assert_is_self_contained(text: str) -> None:
    """Assert that an SVG needs no style sheet and no HTML."""
    assert not re.search(r"foreignObject|class=| style|var\(--|\dpx|NaN|undefined|Infinity", text)
    svg = ElementTree.fromstring(text)
    assert svg.find(f"{SVG}title") is not None
    assert all(node.get("font-family") for node in svg.iter(f"{SVG}text"))
    assert {node.tag.removeprefix(SVG) for node in svg.iter()} <= {
        *("svg", "title", "defs", "pattern", "clipPath", "g", "rect", "path", "circle", "line"),
        *("text", "tspan", "image"),
    }


@pytest.mark.parametrize(
    "kind", ["look_up", "bandwidth", "scaling_variance", "dropout_mean", "comparison"]
)
def test_its_plots_are_those_of_the_page(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    svg = picture(page)
    paths = {node.get("d") for node in svg.iter(f"{SVG}path")}
    shown: list[str] = page.locator(".plot path:visible").evaluate_all(
        "paths => paths.map((path) => path.getAttribute('d'))"
    )
    assert set(shown) <= paths
    circles = page.locator(".plot circle:not(.hit):visible").count()
    assert len(list(svg.iter(f"{SVG}circle"))) >= circles
    labels = page.locator(".plot text:visible").all_text_contents()
    assert set(filter(None, labels)) <= set(texts(svg))


def test_a_png_is_the_same_picture_at_double_resolution(open_figure: Open) -> None:
    page = open_figure(pipeline())
    svg = picture(page)
    image = Image.open(download(page, "png")).convert("RGB")
    width, height = (int(svg.get(side, "0")) for side in ("width", "height"))
    assert image.size == (2 * width, 2 * height)
    (group,) = (node for node in svg if node.tag == f"{SVG}g")
    dx, dy = map(float, re.findall(r"-?[\d.]+", group.get("transform", "")))
    pixels = torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8)
    pixels = pixels.reshape(2 * height, 2 * width, 3)
    rects = list(group.iter(f"{SVG}rect"))
    plain = [a for a, b in pairwise(rects) if "hatch" not in b.get("fill", "")]
    cells = [rect for rect in plain if rect.get("fill", "").startswith("#")]
    assert len(cells) > 48
    for rect in cells:
        x, y = float(rect.get("x", "")) + dx, float(rect.get("y", "")) + dy
        colour = [int(rect.get("fill", "")[i : i + 2], 16) for i in (1, 3, 5)]
        assert pixels[round(2 * y) + 6, round(2 * x) + 6].tolist() == colour


def test_a_phone_gives_the_same_picture(open_figure: Open) -> None:
    page = open_figure(EXAMPLES["look_up"]("en"))
    wide = download(page, "svg").read_bytes()
    resize(page, 390, 800)
    narrow = download(page, "svg").read_bytes()
    sizes = [re.search(rb'viewBox="[^"]*"', text) for text in (wide, narrow)]
    assert sizes[0]
    assert sizes[1]
    assert sizes[0][0] == sizes[1][0]
    assert texts(ElementTree.fromstring(wide)) == texts(ElementTree.fromstring(narrow))


def test_a_large_heatmap_is_an_image_of_its_cells(open_figure: Open) -> None:
    torch.manual_seed(0)
    inputs = torch.randn(1, 20, 3), torch.randn(1, 24, 3), torch.randn(1, 24, 2)
    page = open_figure(AttentionFigure(DotProductAttention(), *inputs, [18]))
    encoded = [node.get("href", "") for node in picture(page).iter(f"{SVG}image")]
    canvases = page.locator("canvas:visible")
    assert len(encoded) == canvases.count()
    for source, canvas in zip(encoded, canvases.all(), strict=True):
        image = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")
        pixels = canvas.evaluate(
            "c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
        )
        rows = torch.tensor(pixels).reshape(-1, image.width // 8, 4)[..., :3]
        small = image.resize((image.width // 8, image.height // 8), Image.Resampling.NEAREST)
        assert rows.flatten().tolist() == list(small.tobytes())


def test_weights_that_are_hidden_are_not_in_it(open_figure: Open) -> None:
    page = open_figure(steps())
    assert {"0.65", "0.36"} <= set(texts(picture(page)))
    control(page, "hide").click()
    hidden = texts(picture(page))
    assert not {"0.65", "0.36"} & set(hidden)
    assert "attention_weights[0]" in hidden
    assert "hidden" in hidden


def test_it_has_the_background_of_the_page(open_figure: Open) -> None:
    page = open_figure(steps())
    backgrounds: list[str | None] = []
    for colour in ("", "rgb(18, 20, 24)"):
        page.evaluate("colour => { document.body.style.backgroundColor = colour }", colour)
        first = next(rect for rect in picture(page) if rect.tag == f"{SVG}rect")
        backgrounds.append(first.get("fill"))
    assert backgrounds == ["#ffffff", "#121418"]
