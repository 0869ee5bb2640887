"""Define all limits on size, length and time, for tests, benchmarks and tools.

Time is only measured by `make bench`, `make bench-tests` and `make bench-class`: a test that
measured it would fail on a busy machine.
"""

# Transfer size of a page, in kilobytes (1,000 bytes), gzipped.

FIRST_VISIT = 272  # a page with an empty cache; at 10 Mbit/s a fifth of a second
DECODER_VISIT = 300  # the same for chapter 13, whose figures hold a trained model
NEXT_CHAPTER = 70  # the next chapter, with the cache of the first
HEAVIEST_CHAPTER = 125  # any next chapter; chapter 6 holds words as vectors of 32 numbers
SCRIPTS = 119  # all scripts in a first visit; at 10 Mbit/s a tenth of a second
REQUESTS = 25  # of a first visit, which a phone pays for one by one
UNUSED_STYLES = 10  # of each style sheet, on any page; Lighthouse reports more than 10.24
FRONT = 17.5  # front.js and the list of questions for review: without reviews, 13.5
BEFORE_RUNNING = 3  # scripts for runnable cells before the first click on Run
EXERCISES_SCRIPT = 16.7  # exercises.js; before typed code and records of guesses, 13.5
JUDGE = 350  # the engine that judges typed code, at the first Check
EXERCISE_DATA = 80  # what judges the answers to an exercise, beside the engine
FORMULA_FONTS = 45  # not gzipped; all of KaTeX's fonts are 300
PLOT_FONT = 300  # not gzipped; the subset of the Chinese font for plots
SAVED_CHAPTER = 1000  # not gzipped; chapter 4 as JupyterLab saves it after running all cells
STORED_ALIGNMENTS = 400  # not gzipped; the replay of chapter 11, for each language

# Waiting times of a reader.

LIVE_FIGURE = 150  # ms from navigation to the first hydrated figure
FIRST_RESULT = 1  # s from the first click on Run to the result, with a spare kernel
NEXT_RESULT = 100  # ms for a cell that prints
FIRST_VERDICT = 1500  # ms from the first Check of typed code, with an empty cache
NEXT_VERDICT = 300  # ms for each later one
FRAME = 20  # ms for a figure to update: at 60 Hz every second frame may be dropped
HALF_A_FRAME = 8  # ms, for the attention pipeline, which shares its page with others
VERDICTS = 5  # s to judge all wrong answers of a puzzle
NOTEBOOKS = 200  # s for nbval to run all notebooks
CLASS_READY = 60  # s from login to the first result, for 19 of 20 readers of a class of 30
CLASS_MEMORY = 8  # GB for a class of 30
POD_IMAGE = 1300  # MB that the image of a pod adds to Debian with Python
POD_MEMORY = 1800  # MB of one reader's pod while any chapter runs; it is killed at 2,147
ROOM_DELAY = 1  # s between a lecturer and 19 of 20 phones of a room of 300, either way
ROOM_MEMORY = 300  # MB for the server of such a room, without kernels
BLOCKING_TIME = 400  # ms, Lighthouse's TBT on a phone: a tap waits no longer
LARGEST_PAINT = 2.5  # s, Lighthouse's LCP on a phone; up to 2.5 counts as good (web.dev/lcp)
LAYOUT_SHIFT = 0.05  # CLS while a page loads; up to 0.1 counts as good (web.dev/cls)

# Cost of the tests on two idle cores, after installation.

# As multiples of the time for compiling SymPy (benchmarks/suite.py), which takes 5 s to 7 s of
# processor time on the machine of RESULTS.md, and half of that on the clock. The aim was 1,840 s
# and 17 minutes: a contributor waits up to 10 minutes longer, at a slow hour of that machine.
TEST_PROCESSOR_TIME = 500
TEST_TIME = 500
CHECK_SECONDS = 60  # `make check`

LIBRARY_LINES = 1800  # of attention_lib, to be readable in an hour
WHEEL = 3  # megabytes to download
PDF = 25  # megabytes of the whole book in one language

# Documentation that a newcomer reads first.

README_LINES = 120
CONTRIBUTING_WORDS = 900
ARCHITECTURE_WORDS = 900

# Cost of the library, as a ratio to the textbook form or to a form without masks.

SOFTMAX_PER_EXAMPLE = 1.0
SOFTMAX_PER_QUERY = 1.3
ADDITIVE_TIME = 1.0
ADDITIVE_MEMORY = 0.6  # without gradients
ADDITIVE_MEMORY_TRAINED = 1.0
PADDING = 1.1  # of allowing NaN in padding, with several queries per key
PADDING_ONE_QUERY = 1.2  # with a single query, and for a whole model
FUSED_TIME, FUSED_MEMORY = 1.3, 1.5  # of need_weights=False, against PyTorch's own function
SOFTMAX_BY_EXAMPLE = 0.7  # of large scores with a length per example, against a mask
TWICE_AS_LONG = 4.1  # memory of self-attention for twice the length: 4 plus constant parts

# A chapter up to its exercises.

SEEN_WORDS = {"en": 2700, "zh": 4500}  # visible, outside folds; characters (汉字) in Chinese
ALL_WORDS = {"en": 3850, "zh": 6000}  # with folds
SEEN_CELLS, SEEN_LINES, MEDIAN_LINES = 16, 8, 4  # code cells outside folds, and their lines
FIGURES = 14  # at most
ASKING_FIGURES = 5  # at least
FOLDS = 10
GAP = 1350  # pixels without a live figure on a desktop
EXERCISES = 3, 6  # from, to

# Words in each 1,000 characters of the Chinese notebooks; native books have fewer.

PER_THOUSAND = {"，因为": 1.0, "，而": 1.6, "就": 6, "也": 4.8, "，": 60}

# A figure, in pixels.

LEAD_FIGURE = 900  # bottom edge of a chapter's first figure on a desktop
LEAD_HANDLE = 1.5 * 844  # bottom edge of its handle on a phone
FIGURE_ON_DESK = 680  # height of question, handle and result
FIGURE_ON_PHONE = 664
WHOLE_FIGURE = 720  # on a desktop, with the space for its verdict
SMALLEST_LETTERS, LARGEST_LETTERS = 12, 16

# A lecture.

SCREENS = 25  # of a chapter
SCREEN_WORDS = {"en": 40, "zh": 70}  # of prose on a screen
SCREEN_LINES = 12  # of code on a screen
QUESTION = 2.8  # % of the screen's height: letters of a figure's question, guess and verdict
LEAST_QUESTION, SMALL_QUESTIONS = 2.4, 2  # of a chapter's questions beside a large drawing
SCREENS_TO_FIGURE = 3  # screens before the first figure
