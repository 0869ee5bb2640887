"""Test search results: found in the right places, in the language of the page."""

import re
from pathlib import Path

import pytest
from book_pages import CHINESE, ENGLISH, SEARCH, OpenPage
from bs4 import BeautifulSoup
from playwright.sync_api import Page
from searching import CHAPTER, links, pages, search_for

from book.site.output.search import searchable

# Chinese words and parts of words, alone, before an English one and apart; and names in code.
CHINESE_QUERIES = ["掩蔽", "有效长度", "掩蔽softmax", "加性注意力", "度", "掩蔽 梯度", "valid_lens"]
# Exact, inflected, misspelt (the right page first), a name in code, and a beginning.
ENGLISH_QUERIES = ["masked softmax", "masking", "maskked sofmax", "length_mask", "masked softm"]
SOLUTIONS = "details:has([id^=solution-])"
NOT_TEXT = (
    f".headerlink, .cell_output, [role=tooltip], .math, script, noscript, summary, {SOLUTIONS}"
)
TEXTS = """async ({ pages, extras }) => {
  const read = async (page) => {
    const text = await (await fetch("/" + page)).text();
    const article = new DOMParser().parseFromString(text, "text/html").querySelector("article");
    article.querySelectorAll(extras).forEach((extra) => extra.remove());
    return [page, article.textContent.replace(/\\s+/g, "").toLowerCase()];
  };
  return Object.fromEntries(await Promise.all(pages.map(read)));
}"""

# Hashes of links that lead to no section of their page.
DEAD = """async (links) => {
  const dead = async (link) => {
    const [page, section] = link.split("#");
    const text = await (await fetch("/" + page)).text();
    const found = new DOMParser().parseFromString(text, "text/html");
    return section && !found.getElementById(section) ? [link] : [];
  };
  return (await Promise.all(links.map(dead))).flat();
}"""


def _texts(opened: Page, pages: list[str]) -> dict[str, str]:
    """Return the searchable text of each page, without spaces and in lower case."""
    texts: dict[str, str] = opened.evaluate(TEXTS, {"pages": pages, "extras": NOT_TEXT})
    return texts


def test_the_site_has_one_index_and_nothing_of_the_search_it_replaced(site: Path) -> None:
    names = {path.name for path in site.rglob("*") if path.is_file()}
    assert "pagefind-entry.json" in names
    replaced = ("searchindex.js", "searchtools.js", "doctools.js", "pagefind-ui.js")
    assert [name for name in replaced if name in names] == []


def test_chinese_is_found_on_exactly_the_pages_that_have_it(open_page: OpenPage) -> None:
    opened = open_page(SEARCH[1])
    texts = _texts(opened, CHINESE)
    for query in CHINESE_QUERIES:
        words = re.findall(r"[\u4e00-\u9fff]+|\w+", re.sub(r"([a-z_]+)", r" \1 ", query))
        expected = {page for page, text in texts.items() if all(word in text for word in words)}
        assert expected
        panel = search_for(opened, query)
        assert set(pages(panel)) == expected, query
        assert panel.locator(".search-count").inner_text() == f"在 {len(expected)} 个页面中找到。"


# Spellings of the same query: full-width, capitals, without accents, Traditional Chinese.
SAME = {
    SEARCH[0]: {"ＳＯＦＴＭＡＸ": "softmax", "MERRIENBOER": "Merriënboer", "Ｒé": "ré"},
    SEARCH[1]: {"ＳＯＦＴＭＡＸ": "softmax", "點積": "点积", "注意力機制": "注意力机制"},
}


@pytest.mark.parametrize("search", SAME)
def test_what_is_asked_is_found_however_it_is_typed(search: str, open_page: OpenPage) -> None:
    opened = open_page(search)
    for typed, usual in SAME[search].items():
        expected = links(search_for(opened, usual))
        panel = search_for(opened, typed)
        assert expected
        assert links(panel) == expected, typed
        assert panel.locator("mark").count(), typed


def test_english_is_found_however_it_is_inflected_or_misspelt(open_page: OpenPage) -> None:
    opened = open_page(SEARCH[0])
    for query in ENGLISH_QUERIES:
        panel = search_for(opened, query)
        found = pages(panel)
        assert set(found) <= set(ENGLISH)
        assert found[0] == ("book/en/api.html" if "_" in query else f"book/en/{CHAPTER}"), query


@pytest.mark.parametrize(
    ("page", "query", "mark", "title"),
    [
        (SEARCH[0], "padding", "pad", "Why there is padding"),
        (SEARCH[1], "注意力权重", "[注意力权重]", "7 · 对注意力权重做 dropout"),
    ],
)
def test_a_find_leads_to_a_section_and_shows_the_words_in_their_place(
    page: str, query: str, mark: str, title: str, open_page: OpenPage
) -> None:
    opened = open_page(page)
    panel = search_for(opened, query)
    assert opened.evaluate(DEAD, links(panel)) == []
    assert title in panel.locator("li a").all_inner_texts()
    marks = panel.locator("mark").all_inner_texts()
    assert marks
    assert [text for text in marks if not re.search(mark, text, re.IGNORECASE)] == []
    excerpts = panel.locator("li p").all_inner_texts()
    assert not any(re.search(r"[\u4e00-\u9fff，。] [\u4e00-\u9fff，。]", text) for text in excerpts)


def test_an_excerpt_is_what_the_page_says(open_page: OpenPage) -> None:
    opened, page = open_page(SEARCH[1]), f"book/zh/{CHAPTER}"
    panel = search_for(opened, "整行都被掩蔽")
    section = panel.locator("ul > li", has_text="整行都被掩蔽").first
    excerpt = section.locator("p").inner_text()
    assert section.locator("mark").first.inner_text() == "整行都被掩蔽"
    body = excerpt.partition("。")[2]  # after the heading
    assert len(body) > 20
    assert re.sub(r"\s", "", body) in _texts(opened, [page])[page]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_neither_definitions_nor_solutions_are_indexed(site: Path, language: str) -> None:
    page = (site / f"book/{language}/06-scaled-dot-product.html").read_text(encoding="utf-8")
    article = BeautifulSoup(page, "html.parser").article
    assert article
    assert article.select("[role=tooltip] .katex")
    assert len(article.select(SOLUTIONS)) == 6
    indexed = BeautifulSoup(searchable(page, language), "html.parser")
    assert indexed.select("[role=tooltip], [id^=solution-]") == []
    folds = [article.select("details"), article.select(SOLUTIONS), indexed.select("details")]
    every, solutions, others = map(len, folds)
    assert others == every - solutions


def test_the_title_of_a_chapter_has_its_number(open_page: OpenPage) -> None:
    panel = search_for(open_page(SEARCH[0]), "softmax")
    names = panel.locator(".search-pages > li > a").all_inner_texts()
    titles = dict(zip(pages(panel), names, strict=True))
    assert titles[f"book/en/{CHAPTER}"] == "4 · Masked softmax"
    assert titles["book/en/10-self-attention.html"].startswith("10 · ")
    assert titles["book/en/glossary.html"] == "Glossary and notation"


# What readers type, and the section that explains it; without "#" the chapter.
SOUGHT = {
    SEARCH[0]: {
        "soft lookup": "01-queries-keys-values#qkv-lookup",
        "attention pooling": "01-queries-keys-values#qkv-pooling",
        "nadaraya watson": "02-kernel-pooling#kernel-nadaraya-watson",
        "bandwidth": "02-kernel-pooling#kernel-width",
        "leave-one-out": "02-kernel-pooling#kernel-itself",
        "scoring function": "03-scoring-functions",
        "masked softmax": "04-masked-softmax",
        "attention_mask": "04-masked-softmax#attention-mask",
        "padding mask": "04-masked-softmax#padding",
        "torch.finfo": "12-scores-today#today-finite",
        "num_hiddens": "05-additive-attention#additive-width",
        "scaled dot product": "06-scaled-dot-product",
        "cross-attention": "09-decomposable-attention#nli-cross-attention",
        "self-attention": "10-self-attention",
        "positional encoding": "10-self-attention#positions",
        "rotary position": "10-self-attention#positions",
        "causal mask": "10-self-attention#causal",
        "left padding": "10-self-attention#left-padding",
        "multi-head attention": "10-self-attention#heads",
        "batch_first": "10-self-attention#batch-first",
        "average_attn_weights": "10-self-attention#averaged-heads",
        "transformer block": "10-self-attention#transformer-block",
        "residual": "10-self-attention#transformer-block",
        "feed-forward": "10-self-attention#transformer-block",
        "attention sink": "10-self-attention#attention-sink",
        "luong attention": "11-learning-to-align#align-which-state",
        "teacher forcing": "11-learning-to-align",
        "KV cache": "12-scores-today",
        "is_causal": "12-scores-today#today-corner",
        "grouped query attention": "12-scores-today#today-groups",
        "flash attention": "12-scores-today#today-flash",
        "tiling": "12-scores-today#today-flash",
        "FlexAttention": "12-scores-today#today-flex",
        "ALiBi": "12-scores-today#today-alibi",
        "attention mask": "04-masked-softmax#attention-mask",
        "key_padding_mask": "12-scores-today#today-masks",
        "sliding window attention": "12-scores-today#today-flex",
        "why divide by sqrt d": "06-scaled-dot-product",
        "bilinear attention": "03-scoring-functions#score-other-sizes",
        "NaN softmax": "10-self-attention#left-padding",
        "language model": "13-a-whole-decoder#decoder-block",
        "logits": "13-a-whole-decoder#decoder-block",
        "ablation": "13-a-whole-decoder#decoder-heads",
        "sampling temperature": "13-a-whole-decoder#decoder-temperature",
        "GPT-2": "13-a-whole-decoder#decoder-real",
    },
    SEARCH[1]: {
        "查询 键 值": "01-queries-keys-values#qkv-terms",
        "温度": "01-queries-keys-values#qkv-lookup",
        "注意力汇聚": "01-queries-keys-values#qkv-pooling",
        "带宽": "02-kernel-pooling#kernel-width",
        "留一法": "02-kernel-pooling#kernel-itself",
        "掩蔽 softmax": "04-masked-softmax",
        "有效长度": "04-masked-softmax#padding",
        "attention_mask": "04-masked-softmax#attention-mask",
        "填充": "04-masked-softmax#padding",
        "torch.finfo": "12-scores-today#today-finite",
        "num_hiddens": "05-additive-attention#additive-width",
        "缩放点积注意力": "06-scaled-dot-product",
        "为什么除以根号 d": "06-scaled-dot-product",
        "softmax 梯度": "06-scaled-dot-product#scaled-jacobian",
        "双线性": "03-scoring-functions#score-other-sizes",
        "交叉注意力": "09-decomposable-attention#nli-cross-attention",
        "自注意力": "10-self-attention",
        "位置编码": "10-self-attention#positions",
        "旋转位置编码": "10-self-attention#positions",
        "因果掩码": "10-self-attention#causal",
        "左填充": "10-self-attention#left-padding",
        "多头注意力": "10-self-attention#heads",
        "batch_first": "10-self-attention#batch-first",
        "average_attn_weights": "10-self-attention#averaged-heads",
        "Transformer 块": "10-self-attention#transformer-block",
        "残差": "10-self-attention#transformer-block",
        "前馈网络": "10-self-attention#transformer-block",
        "注意力汇点": "10-self-attention#attention-sink",
        "Luong": "11-learning-to-align#align-which-state",
        "教师强制": "11-learning-to-align",
        "KV 缓存": "12-scores-today",
        "is_causal": "12-scores-today#today-corner",
        "分组查询": "12-scores-today#today-groups",
        "在线 softmax": "12-scores-today#today-online",
        "FlashAttention": "12-scores-today#today-flash",
        "分块": "12-scores-today#today-flash",
        "FlexAttention": "12-scores-today#today-flex",
        "注意力掩码": "12-scores-today#today-masks",
        "key_padding_mask": "12-scores-today#today-masks",
        "滑动窗口": "12-scores-today#today-flex",
        "语言模型": "13-a-whole-decoder#decoder-block",
        "logit": "13-a-whole-decoder#decoder-block",
        "消融": "13-a-whole-decoder#decoder-heads",
        "采样": "13-a-whole-decoder#decoder-temperature",
        "GPT-2": "13-a-whole-decoder#decoder-real",
    },
}


@pytest.mark.parametrize("search", SOUGHT)
def test_readers_find_the_section_that_explains_what_they_type(
    search: str, open_page: OpenPage
) -> None:
    opened = open_page(search)
    language = {SEARCH[0]: "en", SEARCH[1]: "zh"}[search]
    ranks = {}
    for query, place in SOUGHT[search].items():
        panel = search_for(opened, query)
        page, _, section = place.partition("#")
        sought = f"book/{language}/{page}.html" + (f"#{language}-{section}" if section else "")
        found = [link for link in links(panel) if ("#" in link) == bool(section)]
        ranks[query] = found.index(sought) if sought in found else len(found) + 3
        assert not re.search("[⟦⟧]", panel.inner_text()), query
    assert len(ranks) == 45
    assert [query for query, rank in ranks.items() if rank > 2] == []
    assert len([query for query, rank in ranks.items() if rank == 0]) >= 39, ranks


@pytest.mark.parametrize("query", ["gradient", "memory"])
def test_other_chapters_come_before_pages_for_reference(query: str, open_page: OpenPage) -> None:
    opened = open_page(SEARCH[0])
    found = pages(search_for(opened, query))  # no reference page has a heading with these words
    chapters = [bool(re.search(r"/\d\d-", page)) for page in found]
    assert len(found) > 3
    assert chapters == sorted(chapters, reverse=True)


@pytest.mark.parametrize(
    ("page", "query", "sentence"),
    [
        (SEARCH[0], "xylophone", "Nothing found for “xylophone”."),
        (SEARCH[1], "函评", "没有找到“函评”。"),
    ],
)
def test_what_is_not_there_is_not_found(
    page: str, query: str, sentence: str, open_page: OpenPage
) -> None:
    panel = search_for(open_page(page), query)
    assert panel.locator(".search-count").inner_text() == sentence
    assert panel.locator("a").count() == 0
