"""Configure the property tests of the library."""

import matplotlib
from hypothesis import settings

# No deadline, because the first call into torch is slow; derandomised, so that a failure is
# reproducible.
settings.register_profile("library", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("library")
matplotlib.use("agg")  # headless on every machine
