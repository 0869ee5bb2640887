"""Live figures: widgets in Jupyter, alive without a kernel on a page."""

from attention_lib.figures.alignment import AlignmentFigure
from attention_lib.figures.attention import AttentionFigure
from attention_lib.figures.base import Figure
from attention_lib.figures.comparison import ComparisonFigure
from attention_lib.figures.dropout import DropoutFigure
from attention_lib.figures.empty_row import EmptyRowFigure
from attention_lib.figures.fill import FillFigure
from attention_lib.figures.kernel import KernelFigure
from attention_lib.figures.leak import LeakFigure
from attention_lib.figures.masked_softmax import MaskedSoftmaxFigure
from attention_lib.figures.padding import PaddingFigure
from attention_lib.figures.pooling import PoolingFigure
from attention_lib.figures.question import Choice, Number, Place, Question
from attention_lib.figures.scaling import ScalingFigure
from attention_lib.figures.score import ScoreFigure
from attention_lib.figures.staircase import StaircaseFigure

__all__ = [
    "AlignmentFigure",
    "AttentionFigure",
    "Choice",
    "ComparisonFigure",
    "DropoutFigure",
    "EmptyRowFigure",
    "Figure",
    "FillFigure",
    "KernelFigure",
    "LeakFigure",
    "MaskedSoftmaxFigure",
    "Number",
    "PaddingFigure",
    "Place",
    "PoolingFigure",
    "Question",
    "ScalingFigure",
    "ScoreFigure",
    "StaircaseFigure",
]
