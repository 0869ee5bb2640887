"""Test that the benchmarks compare equivalent code, and measure and report correctly."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from attention_lib import AdditiveAttention, DotProductAttention, masked_softmax
from benchmarks import Row, fused, textbook
from benchmarks.__main__ import QUOTED, RESULTS, ROOT, quoted, replace_rows, rewrite, table
from benchmarks.masked_softmax import by_mask
from benchmarks.measure import medians, peak_memory
from benchmarks.padding import as_it_is

LENGTHS = pytest.mark.parametrize(
    "valid_lens", [torch.tensor([2, 5]), torch.arange(1, 7).view(2, 3)]
)


@LENGTHS
def test_textbook_softmax_agrees_with_the_library_on_ordinary_scores(valid_lens: Tensor) -> None:
    X = torch.randn(2, 3, 7, generator=torch.Generator().manual_seed(0))
    expected = masked_softmax(X, valid_lens)
    assert torch.equal(textbook.masked_softmax(X, valid_lens), expected)
    assert X.min() == -1e6  # the fault for which the benchmark clones its input


def test_softmax_by_a_mask_agrees_and_takes_its_memory() -> None:
    X, valid_lens = torch.randn(2, 512, 512), torch.tensor([200, 500])
    torch.testing.assert_close(by_mask(X, valid_lens), masked_softmax(X, valid_lens))
    assert peak_memory(lambda: by_mask(X, valid_lens)) > 2 * X.nbytes / 2**20


def test_attention_without_weights_is_compared_with_the_same_output() -> None:
    pairs = [fused.multi_head_calls(7)]
    for lens in fused.lengths(7).values():
        pairs += [fused.calls(7, lens, trained) for trained in (False, True)]
    for ours, theirs in pairs:
        torch.testing.assert_close(ours(), theirs())


@LENGTHS
def test_textbook_attention_agrees_with_the_library_and_so_do_gradients(
    valid_lens: Tensor,
) -> None:
    torch.manual_seed(0)
    attention = AdditiveAttention(5, 4, 11)
    case = [torch.randn(2, n, size, requires_grad=True) for n, size in ((3, 4), (7, 5), (7, 2))]
    leaves = [*case, *attention.parameters()]
    ours = attention(*case, valid_lens)
    theirs = textbook.additive_attention(attention, case[0], case[1], case[2], valid_lens)
    torch.testing.assert_close(ours, theirs)
    gradients = (torch.autograd.grad(y.square().sum(), leaves) for y in (ours, theirs))
    torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("gradients", [False, True])
def test_attention_without_clearing_takes_padding_as_it_is(gradients: bool) -> None:
    queries, keys, values = torch.ones(3, 1, 2, 2).requires_grad_(gradients).unbind()
    case = queries, keys, torch.tensor([[[1.0], [torch.nan]]]) * values[..., :1]
    attention, valid_lens = DotProductAttention(), torch.tensor([1])
    assert as_it_is(lambda: attention(*case, valid_lens)).isnan().all()
    assert torch.equal(attention(*case, valid_lens), torch.ones(1, 2, 1))


def test_peak_memory_counts_what_is_held_at_once() -> None:
    def two_then_one() -> None:
        first, second = torch.zeros(2**18), torch.zeros(2**18)  # 1 MiB each
        del first, second
        torch.zeros(2**18)

    assert peak_memory(two_then_one) == pytest.approx(2, abs=0.01)


def test_medians_time_every_call_in_turn_after_one_to_warm_up() -> None:
    calls: list[str] = []
    times = medians(lambda: calls.append("a"), lambda: calls.append("b"), repeats=2)
    assert calls == ["a", "b"] * 3
    assert all(time > 0 for time in times)


@pytest.mark.parametrize(
    ("row", "ok", "end"),
    [
        (Row("x", "ms", 3, 4, 0.8), True, "| x | 3 ms | 4 ms | 0.75 | ≤ 0.8 | yes |"),
        (Row("x", "ms", 3, 4, 0.7), False, "| x | 3 ms | 4 ms | 0.75 | ≤ 0.7 | **no** |"),
        (Row("x", "ms", 9, None, 8), False, "| x | 9 ms |  |  | ≤ 8 ms | **no** |"),
        (Row("x", "kB", 3, 4, most=3), True, "| x | 3 kB | 4 kB | 0.75 | ≤ 3 kB | yes |"),
        (Row("x", "kB", 3, 4, most=2), False, "| x | 3 kB | 4 kB | 0.75 | ≤ 2 kB | **no** |"),
        (Row("x", "s", 9), True, "| x | 9 s |  |  |  |  |"),
    ],
)
def test_a_row_shows_whether_its_limit_is_kept(row: Row, ok: bool, end: str) -> None:
    assert row.ok is ok
    assert end in table([row]).splitlines()


def test_the_table_takes_the_place_of_the_old_one_and_of_nothing_else() -> None:
    text = "# A\n\n<!-- bench:start -->\nold\n<!-- bench:end -->\n\n中文\n"
    assert rewrite(text, "new") == text.replace("old", "new")
    with pytest.raises(ValueError, match=r"must hold .* once each"):
        rewrite("no markers", "new")


def test_each_readme_quotes_the_same_numbers_as_the_results() -> None:
    results = _rows(RESULTS)
    for page, place in (("README.md", 0), ("README.zh.md", 1)):
        starts = [(start, chinese)[place] for start, chinese in QUOTED.items()]
        told = [_numbers(_rows(ROOT / page), start) for start in starts]
        assert told == [_numbers(results, start) for start in QUOTED]


def _rows(page: Path) -> list[list[str]]:
    lines = page.read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]


def _numbers(rows: list[list[str]], start: str) -> list[str]:
    """Return what was measured, and the limit, of the row that begins so."""
    (row,) = (row for row in rows if row[0].startswith(start))
    return row[1:-1]


def test_a_quoted_table_is_written_in_chinese_too() -> None:
    rows = [Row("a row of RESULTS.md", "s", 1), *(Row(start, "ms", 3, None, 2) for start in QUOTED)]
    head, _, *lines = table(quoted(rows), lang="zh").splitlines()[: 2 + len(QUOTED)]
    assert head == "| 项目 | 测得 | 对照 | 比值 | 上限 | 达标 |"
    assert lines == [f"| {name} | 3 ms |  |  | ≤ 2 ms | **否** |" for name in QUOTED.values()]


def test_some_rows_of_a_table_are_replaced() -> None:
    slow, other, fast = Row("a: time", "s", 9.0), Row("a", "s", 1.0), Row("a: time", "s", 2.0)
    assert replace_rows(table([slow, other]), [fast]) == table([fast, other])
    with pytest.raises(ValueError, match="expected one row 'b', but found 0"):
        replace_rows(table([slow]), [Row("b", "s", 1.0)])
