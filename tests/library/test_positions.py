"""Test sinusoidal positions against the formula in complex numbers."""

import cmath
import math

import pytest
import torch

from attention_lib import sinusoidal_positions


@pytest.mark.parametrize(("number", "size", "base"), [(7, 6, 10000.0), (11, 2, 3.0), (5, 4, 0.5)])
def test_each_pair_is_a_hand_that_turns_evenly(number: int, size: int, base: float) -> None:
    found = sinusoidal_positions(number, size, base, dtype=torch.float64)
    assert found.shape == (number, size)
    for p in range(number):
        for i in range(size // 2):
            hand = cmath.exp(1j * p * base ** (-2 * i / size))
            assert found[p, 2 * i].item() == pytest.approx(hand.imag, abs=1e-12)
            assert found[p, 2 * i + 1].item() == pytest.approx(hand.real, abs=1e-12)


def test_positions_at_the_same_distance_have_the_same_product() -> None:
    P = sinusoidal_positions(101, 26, dtype=torch.float64)
    for distance in (1, 5, 40):
        products = (P @ P.T).diagonal(distance)
        torch.testing.assert_close(products, products[:1].expand_as(products))


def test_far_positions_keep_their_digits() -> None:
    """In float32, angles as large as a position would be rounded before the sine."""
    far = sinusoidal_positions(50_001, 4)[-1]
    expected = [f(50_000 * w) for w in (1, 0.01) for f in (math.sin, math.cos)]
    torch.testing.assert_close(far, torch.tensor(expected), rtol=0, atol=1e-6)


def test_the_dtype_is_torchs_own_unless_said() -> None:
    assert sinusoidal_positions(2, 2).dtype == torch.get_default_dtype()
    assert sinusoidal_positions(2, 2, dtype=torch.float16).dtype == torch.float16
    assert sinusoidal_positions(0, 4).shape == (0, 4)
    assert sinusoidal_positions(3, 0).shape == (3, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 4), "num_positions must be at least 0; got -1"),
        ((3, 5), "size must be even; got 5"),
        ((3, -2), "size must be at least 0; got -2"),
        ((3, 2, 0.0), "base must be positive; got 0.0"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sinusoidal_positions(*arguments)
