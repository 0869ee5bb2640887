"""Settings of the property tests of the library."""

import matplotlib
from hypothesis import settings

# The first call into torch is slow, and a test that fails must fail for everyone.
settings.register_profile("library", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("library")
matplotlib.use("agg")  # no window, whatever the machine
