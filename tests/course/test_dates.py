"""Test dates in words: how they are written, the spans of their parts, the held-out dates."""

from datetime import date

import pytest
import torch

from attention_course.dates import (
    ASKED,
    MODELS,
    TARGET,
    Aligner,
    Sentence,
    Tokens,
    compose,
    encode,
    held_out,
    learn,
    measure,
    sentences,
    written,
)

MAY = date(2014, 5, 3)


def text(day: date, lang: str, style: int) -> str:
    return "".join(part for _, part in written(day, lang, style))


def test_a_date_is_written_in_every_style_by_hand() -> None:
    assert [text(MAY, "en", style) for style in range(6)] == [
        "Saturday, May 3, 2014",
        "May 3, 2014",
        "May 3, 2014",
        "Saturday, 3 May 2014",
        "3 May 2014",
        "3 May 2014",
    ]
    assert [text(MAY, "zh", style) for style in range(4)] == [
        "2014年5月3日星期六",
        "2014年5月3日",
        "二〇一四年五月三日星期六",
        "二〇一四年五月三日",
    ]
    assert text(date(2014, 9, 3), "en", 5) == "3 Sept 2014"  # British, since CLDR 38


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2000, 10, 10), "二〇〇〇年十月十日"),
        (date(1999, 11, 20), "一九九九年十一月二十日"),
        (date(2049, 12, 31), "二〇四九年十二月三十一日"),
        (date(1950, 1, 29), "一九五〇年一月二十九日"),
    ],
)
def test_years_are_spelt_and_months_and_days_are_counted_in_chinese(
    day: date, expected: str
) -> None:
    assert text(day, "zh", 3) == expected


def test_spans_are_the_tokens_of_the_date_that_is_asked_for() -> None:
    one = compose("en", 1, [(0, date(2013, 7, 9), 4), (1, date(2014, 11, 13), 0)])
    assert one.text == "Paid? Signed on 9 July 2013, paid on Thursday, November 13, 2014."
    said = ["".join(one.tokens[a:b]) for a, b in one.spans]
    assert said == ["2014"] * 4 + [""] + ["November"] * 2 + [""] + ["13"] * 2
    assert one.answer == "2014-11-13"
    other = compose("zh", 0, [(0, MAY, 3), (1, date(2013, 7, 9), 1)])
    assert other.text == "何时签字？二〇一四年五月三日签字，2013年7月9日付款。"
    said = ["".join(other.tokens[a:b]) for a, b in other.spans]
    assert said == ["二〇一四"] * 4 + [""] + ["五"] * 2 + [""] + ["三"] * 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_drawn_sentences_say_what_they_ask_for_where_they_say_they_do(lang: str) -> None:
    for one in sentences(lang, 300, seed=5):
        assert "".join(one.tokens) == one.text.replace(" ", "")
        day = date.fromisoformat(one.answer)
        told = {
            text for style in range(6 if lang == "en" else 4) for text in _fields(day, lang, style)
        }
        fields = {"".join(one.tokens[a:b]) for a, b in one.spans if b > a}
        assert fields <= told
        assert len(fields) >= 2  # a month and a day may look alike
        assert [a == b for a, b in one.spans] == [c == "-" for c in one.answer]


def _fields(day: date, lang: str, style: int) -> set[str]:
    return {part for field, part in written(day, lang, style) if field in "yMd"}


def test_no_date_for_training_is_held_out_and_every_date_of_a_test_is() -> None:
    kept = held_out()
    assert len(kept) == 2000
    assert MAY in kept
    train, test = (
        {one.answer for one in sentences("zh", 2000, seed=7, unseen=unseen)}
        for unseen in (False, True)
    )
    assert not {date.fromisoformat(answer) for answer in train} & kept
    assert {date.fromisoformat(answer) for answer in test} <= kept
    assert min(train) < "1952"
    assert max(train) > "2047"


def test_the_same_seed_draws_the_same_and_either_date_is_asked_for() -> None:
    drawn = sentences("en", 200, seed=3)
    assert drawn[:50] == sentences("en", 50, seed=3) != sentences("en", 50, seed=4)
    questions = {one.tokens[0] for one in drawn}
    assert questions == set(ASKED["en"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_token_is_known(lang: str) -> None:
    tokens = Tokens(lang)
    assert len(set(tokens.words)) == len(tokens.words)
    drawn = [one for n in (1, 2, 3, 4) for one in sentences(lang, 500, seed=n, dates=n)]
    ids, valid_lens, answers = encode(drawn, tokens)
    for row, length, answer, one in zip(ids, valid_lens, answers, drawn, strict=True):
        assert [tokens.words[i] for i in row[:length]] == list(one.tokens)
        assert (row[length:] == 0).all()
        assert (row[:length] > 0).all()
        assert "".join(TARGET[i] for i in answer) == one.answer


def test_arguments_that_make_no_sentence_are_refused() -> None:
    with pytest.raises(ValueError, match=r"told must have 2 and each event once; got \[0, 1\]"):
        compose("en", 2, [(0, MAY, 0), (1, MAY, 0)])
    with pytest.raises(ValueError, match=r"each event once; got \[1, 1\]"):
        compose("en", 1, [(1, MAY, 0), (1, MAY, 0)])
    for wrong in (lambda: compose("fr", 0, [(0, MAY, 0)]), lambda: sentences("fr", 1, seed=0)):
        with pytest.raises(ValueError, match="lang must be 'en' or 'zh'; got 'fr'"):
            wrong()
    for dates in (0, 5):
        with pytest.raises(ValueError, match=f"dates must be 1 to 4; got {dates}"):
            sentences("en", 1, seed=0, dates=dates)


@pytest.mark.parametrize("name", MODELS)
def test_a_sentence_is_read_alike_alone_and_beside_a_longer_one(name: str) -> None:
    torch.manual_seed(0)
    tokens = Tokens("zh")
    model = Aligner(len(tokens.words), MODELS[name]()).double().eval()
    short, long = sorted(sentences("zh", 20, seed=2), key=lambda one: len(one.tokens))[::19]
    alone = model(*encode([short], tokens)[:2])
    ids, valid_lens, answers = encode([short, long], tokens)
    assert valid_lens[0] < valid_lens[1]
    torch.testing.assert_close(model(ids, valid_lens)[:1], alone)
    if model.attention_weights is None:
        assert name == "fixed"
    else:
        assert model.attention_weights.shape == (2, 10, ids.shape[1])
        assert (model.attention_weights[0, :, valid_lens[0] :] == 0).all()
    told = model(ids, valid_lens, answers)
    torch.testing.assert_close(told[:, 0], model(ids, valid_lens)[:, 0])


@pytest.mark.parametrize("name", MODELS)
def test_a_state_has_the_requested_number_of_components(name: str) -> None:
    tokens = Tokens("en")
    model = Aligner(len(tokens.words), MODELS[name](14), half=7)
    ids, valid_lens, _ = encode(sentences("en", 2, seed=9), tokens)
    states, last = model.encode(ids, valid_lens)
    assert (*states.shape[1:], *last.shape) == (ids.shape[1], 14, 2, 14)
    assert model.decoder.hidden_size == 14
    assert model(ids, valid_lens).shape == (2, 10, 11)


def test_a_step_looks_with_the_state_before_it() -> None:
    torch.manual_seed(1)
    tokens = Tokens("en")
    model = Aligner(len(tokens.words), MODELS["dot"]()).eval()
    ids, valid_lens, _ = encode(sentences("en", 2, seed=9), tokens)
    states, last = model.encode(ids, valid_lens)
    state = torch.tanh(model.start(last))
    _, context = model.step(state, torch.tensor([11, 11]), states, last, valid_lens)
    scores = (states @ state[..., None])[..., 0] / 128**0.5
    scores[torch.arange(ids.shape[1]) >= valid_lens[:, None]] = -torch.inf
    expected = (scores.softmax(-1)[:, None] @ states)[:, 0]
    torch.testing.assert_close(context, expected)


def test_a_model_learns_and_the_same_seed_learns_the_same() -> None:
    tokens, drawn = Tokens("en"), sentences("en", 64, seed=1)
    seen: list[int] = []
    ends = []
    for _ in range(2):
        torch.manual_seed(0)
        model = Aligner(len(tokens.words), MODELS["dot"]())
        before = _loss(model, drawn, tokens)
        learn(model, drawn, tokens, 12, seed=3, watch=seen.append)
        assert _loss(model, drawn, tokens) < 0.93 * before
        ends.append(torch.cat([p.flatten() for p in model.parameters()]))
    assert torch.equal(*ends)
    assert seen == 2 * [*range(13)]


class Guesser(torch.nn.Module):
    """A model that ignores its input: the same scores for every sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.scores = torch.nn.Parameter(torch.zeros(10, 11))
        self.seen: list[torch.Tensor] = []

    def forward(self, ids: torch.Tensor, valid_lens: torch.Tensor, answers: torch.Tensor):
        assert ids.shape[1] == valid_lens.max()
        self.seen.append(answers)
        return 50 * self.scores.expand(len(ids), 10, 11)


def test_the_rate_rises_for_50_steps_and_falls_to_0(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []

    def step(optimiser: torch.optim.Adam) -> None:
        rates.append(optimiser.param_groups[0]["lr"])
        gradient = optimiser.param_groups[0]["params"][0].grad
        assert gradient.norm().item() == pytest.approx(1, abs=1e-4)  # the gradient is clipped

    monkeypatch.setattr(torch.optim.Adam, "step", step)
    model, steps = Guesser(), 200
    model.scores.data[:, 10] = 1.0  # the model writes only dashes
    learn(model, sentences("en", 70, seed=1), Tokens("en"), steps, seed=3)
    falling = torch.optim.SGD([torch.zeros(1)], lr=4e-3)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(falling, steps)
    for t, rate in enumerate(rates):
        assert rate == pytest.approx(min(4e-3 * (t + 1) / 50, cosine.get_last_lr()[0]))
        falling.step()
        cosine.step()
    assert len(rates) == steps


def test_every_sentence_is_seen_before_any_comes_again() -> None:
    model, drawn = Guesser(), sentences("en", 70, seed=1)
    learn(model, drawn, Tokens("en"), 4, seed=3)
    assert [len(answers) for answers in model.seen] == [64, 6, 64, 6]
    rounds = [torch.cat(model.seen[:2]), torch.cat(model.seen[2:])]
    assert not torch.equal(*rounds)
    _, _, answers = encode(drawn, Tokens("en"))
    for seen in rounds:
        assert sorted(seen.tolist()) == sorted(answers.tolist())


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    rounds = []
    for seed, own in ((0, None), (1, None), (2, 0), (3, 1)):
        torch.manual_seed(seed)
        model = Guesser()
        learn(
            model,
            sentences("en", 70, seed=1),
            Tokens("en"),
            2,
            **{} if own is None else {"seed": own},
        )
        rounds.append(torch.cat(model.seen))
    same = [torch.equal(rounds[0], other) for other in rounds[1:]]
    assert same == [True, True, False]  # 0 is the default seed


@pytest.mark.parametrize("name", MODELS)
def test_a_batch_may_be_wider_than_its_longest_sentence(name: str) -> None:
    tokens, drawn = Tokens("en"), sentences("en", 3, seed=1)
    ids, valid_lens, answers = encode(drawn, tokens)
    torch.manual_seed(0)
    model = Aligner(len(tokens.words), MODELS[name]())
    assert model.attention_weights is None
    wider = torch.nn.functional.pad(ids, (0, 2))
    states, _ = model.encode(wider, valid_lens)
    assert states.shape[1] == ids.shape[1] + 2
    torch.testing.assert_close(model(wider, valid_lens, answers), model(ids, valid_lens, answers))


def _loss(model: Aligner, drawn: list[Sentence], tokens: Tokens) -> float:
    ids, valid_lens, answers = encode(drawn, tokens)
    scores = model(ids, valid_lens, answers).flatten(0, 1)
    return torch.nn.functional.cross_entropy(scores, answers.flatten()).item()


def test_what_is_measured_by_hand() -> None:
    tokens, drawn = Tokens("en"), sentences("en", 2, seed=1)
    _, _, answers = encode(drawn, tokens)

    class Known(Aligner):
        def forward(self, ids: torch.Tensor, valid_lens: torch.Tensor, told: object = None):
            scores = torch.nn.functional.one_hot(answers, 11).float()
            scores[1, 0] = 0  # then 0 is the first of the best tokens, and no year begins with it
            weights = torch.zeros(2, 10, ids.shape[1])
            for row, one in zip(weights, drawn, strict=True):
                for t, (first, _) in enumerate(one.spans):
                    row[t, first - (t == 9)] = 1  # the last digit attends to the word before
            self.attention_weights = weights
            return scores

    found = measure(Known(len(tokens.words), None), drawn, tokens)
    assert found == pytest.approx({"right": 0.5, "true": 7 / 8, "near": 1})
    fixed = measure(Aligner(len(tokens.words), None), drawn, tokens)
    assert list(fixed) == ["right"]
