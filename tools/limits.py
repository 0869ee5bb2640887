"""State every limit on size, length and time once: tests, benchmarks and tools read them here.

`make bench`, `make bench-tests` and `make bench-class` alone measure time: a test that did would
fail on a busy machine.
"""

# What a page loads, in kilobytes (1,000 bytes), gzipped.

FIRST_VISIT = 335  # to a chapter, by a browser that has nothing yet; at 10 Mbit/s a quarter second
NEXT_CHAPTER = 70  # after it
OWN_SCRIPTS = 68  # of a first visit; at 10 Mbit/s a reader waits a twentieth of a second for them
BEFORE_RUNNING = 3  # scripts for cells that may run, until a reader clicks Run
FORMULA_FONTS = 90  # not gzipped; KaTeX comes with 300
PLOT_FONT = 300  # not gzipped; the font of the plots, with the Chinese characters that they need
SAVED_CHAPTER = 1000  # not gzipped; chapter 4 as JupyterLab saves it after all cells have run
STORED_ALIGNMENTS = 400  # not gzipped; what chapter 11 replays, for each language

# What a reader waits for.

LIVE_FIGURE = 150  # ms from navigation to the first figure that answers
FIRST_RESULT = 1  # s from the first click on Run to its result, where a kernel stands ready
NEXT_RESULT = 100  # ms for a cell that prints
FRAME = 20  # ms that a figure takes to follow its handle: at 60 Hz one frame of two may be dropped
HALF_A_FRAME = 8  # ms, for the attention pipeline, which shares its page with other figures
VERDICTS = 5  # s to judge as many wrong answers as a puzzle offers
NOTEBOOKS = 200  # s for nbval to run all notebooks
CLASS_READY = 60  # s from login to the first result, for 19 of 20 readers of a class of 30
CLASS_MEMORY = 8  # GB for a class of 30
LAYOUT_SHIFT = 0.05  # CLS while a page loads; up to 0.1 counts as good (web.dev/cls)

# What the tests cost, on two idle cores, after installation.

# We aim at 1,400 s and 13 minutes. Until then a contributor waits three minutes longer.
TEST_PROCESSOR_SECONDS = 1750
TEST_SECONDS = 1000
CHECK_SECONDS = 60  # `make check`

LIBRARY_LINES = 1800  # of attention_lib: what a reader can read in an hour

# What the library costs, as a ratio to the textbook form or to a form without masks.

SOFTMAX_PER_EXAMPLE = 1.0
SOFTMAX_PER_QUERY = 1.3
ADDITIVE_TIME = 1.0
ADDITIVE_MEMORY = 0.6  # without gradients
ADDITIVE_MEMORY_TRAINED = 1.0
PADDING = 1.1  # that padding may hold anything, where several queries read the keys
PADDING_ONE_QUERY = 1.2  # where one query reads them, and for a whole model
TWICE_AS_LONG = 4.1  # memory of self-attention for a text twice as long: 4, and what does not grow

# A chapter up to its exercises.

SEEN_WORDS = {"en": 2400, "zh": 4000}  # outside of folds; 汉字 in Chinese
ALL_WORDS = {"en": 3525, "zh": 5625}  # with folds, in chapters that never had a longer form
SHORTENED = 0.75  # of the words that a rewritten chapter had before
SEEN_CELLS, SEEN_LINES, MEDIAN_LINES = 15, 8, 4  # cells of code outside of folds, and their lines
ASKING_FIGURES = 5  # at least
FOLDS = 8
GAP = 1350  # pixels on a desk without a live figure
EXERCISES = 3, 6  # from, to

# A figure, in pixels.

LEAD_FIGURE = 900  # how far down a chapter's first figure ends on a desk
LEAD_HANDLE = 1.5 * 844  # and its handle on a phone
FIGURE_ON_DESK = 680  # from its top to the end of its question, handle and result
FIGURE_ON_PHONE = 664
WHOLE_FIGURE = 720  # on a desk, with the room for its verdict
SMALLEST_LETTERS, LARGEST_LETTERS = 12, 16

# A lecture.

SCREENS = 25  # of a chapter
SCREEN_WORDS = {"en": 40, "zh": 70}  # of prose on a screen
SCREEN_LINES = 12  # of code on a screen
SCREENS_TO_FIGURE = 3  # by then there is a figure
