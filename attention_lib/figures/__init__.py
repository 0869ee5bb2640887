"""Live figures: widgets in Jupyter, alive without a kernel on a page."""

from attention_lib.figures.alignment import AlignmentFigure
from attention_lib.figures.attention import AttentionFigure
from attention_lib.figures.base import Figure
from attention_lib.figures.broadcasting import BroadcastingFigure
from attention_lib.figures.cache import CacheFigure
from attention_lib.figures.comparison import ComparisonFigure
from attention_lib.figures.cost import CostFigure
from attention_lib.figures.curves import CurvesFigure
from attention_lib.figures.dates import DatesFigure
from attention_lib.figures.dropout import DropoutFigure
from attention_lib.figures.empty_row import EmptyRowFigure
from attention_lib.figures.fill import FillFigure
from attention_lib.figures.groups import GroupsFigure
from attention_lib.figures.heads import HeadsFigure
from attention_lib.figures.kernel import KernelFigure
from attention_lib.figures.leak import LeakFigure
from attention_lib.figures.learned import LearnedFigure
from attention_lib.figures.masked_softmax import MaskedSoftmaxFigure
from attention_lib.figures.note import NoteFigure
from attention_lib.figures.online import OnlineFigure
from attention_lib.figures.order import OrderFigure
from attention_lib.figures.padding import PaddingFigure
from attention_lib.figures.pooling import PoolingFigure
from attention_lib.figures.positions import PositionsFigure
from attention_lib.figures.product import ProductFigure
from attention_lib.figures.projections import ProjectionsFigure
from attention_lib.figures.question import Choice, Number, Place, Question
from attention_lib.figures.reading import ReadingFigure
from attention_lib.figures.recall import RecallFigure
from attention_lib.figures.replay import ReplayFigure
from attention_lib.figures.retrieval import RetrievalFigure
from attention_lib.figures.scaling import ScalingFigure
from attention_lib.figures.score import ScoreFigure
from attention_lib.figures.selection import SelectionFigure
from attention_lib.figures.staircase import StaircaseFigure
from attention_lib.figures.tanh import TanhFigure
from attention_lib.figures.window import WindowFigure

__all__ = [
    "AlignmentFigure",
    "AttentionFigure",
    "BroadcastingFigure",
    "CacheFigure",
    "Choice",
    "ComparisonFigure",
    "CostFigure",
    "CurvesFigure",
    "DatesFigure",
    "DropoutFigure",
    "EmptyRowFigure",
    "Figure",
    "FillFigure",
    "GroupsFigure",
    "HeadsFigure",
    "KernelFigure",
    "LeakFigure",
    "LearnedFigure",
    "MaskedSoftmaxFigure",
    "NoteFigure",
    "Number",
    "OnlineFigure",
    "OrderFigure",
    "PaddingFigure",
    "Place",
    "PoolingFigure",
    "PositionsFigure",
    "ProductFigure",
    "ProjectionsFigure",
    "Question",
    "ReadingFigure",
    "RecallFigure",
    "ReplayFigure",
    "RetrievalFigure",
    "ScalingFigure",
    "ScoreFigure",
    "SelectionFigure",
    "StaircaseFigure",
    "TanhFigure",
    "WindowFigure",
]
