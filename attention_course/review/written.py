"""Write numbers as readers see them."""


def signed(number: float) -> str:
    """Write a number with as few digits as it has, and a minus sign instead of a hyphen.

    >>> signed(-0.5), signed(2.0)
    ('−0.5', '2')
    """
    return f"{round(number, 4):g}".replace("-", "−")
