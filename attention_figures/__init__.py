"""Provide interactive figures: widgets in Jupyter, hydrated without a kernel on a page."""

from attention_figures.alignment import AlignmentFigure
from attention_figures.attention import AttentionFigure
from attention_figures.bandwidth import BandwidthFigure
from attention_figures.base import Figure
from attention_figures.broadcasting import BroadcastingFigure
from attention_figures.cache import CacheFigure
from attention_figures.comparison import ComparisonFigure
from attention_figures.cost import CostFigure
from attention_figures.curves import CurvesFigure
from attention_figures.dates import DatesFigure
from attention_figures.decoder_cache import DecoderCacheFigure
from attention_figures.decoder_parts import DecoderPartsFigure
from attention_figures.dropout import DropoutFigure
from attention_figures.dropout_mean import DropoutMeanFigure
from attention_figures.dropout_spread import DropoutSpreadFigure
from attention_figures.dropout_variants import DropoutVariantsFigure
from attention_figures.empty_row import EmptyRowFigure
from attention_figures.fill import FillFigure
from attention_figures.forward_pass_figure import ForwardPassFigure
from attention_figures.groups import GroupsFigure
from attention_figures.heads import HeadsFigure
from attention_figures.kernel_map import KernelMapFigure
from attention_figures.kernel_regression import KernelRegressionFigure
from attention_figures.leak import LeakFigure
from attention_figures.learned import LearnedFigure
from attention_figures.look_ahead import LookAheadFigure
from attention_figures.mask_doctor import MaskDoctorFigure
from attention_figures.masked_softmax import MaskedSoftmaxFigure
from attention_figures.next_word import NextWordFigure
from attention_figures.note import NoteFigure
from attention_figures.online import OnlineFigure
from attention_figures.order import OrderFigure
from attention_figures.padding import PaddingFigure
from attention_figures.pooling import PoolingFigure
from attention_figures.positions import PositionsFigure
from attention_figures.product import ProductFigure
from attention_figures.projections import ProjectionsFigure
from attention_figures.question import ChoiceQuestion, NumberQuestion, PlaceQuestion, Question
from attention_figures.reading import ReadingFigure
from attention_figures.recall import RecallFigure
from attention_figures.replay import ReplayFigure
from attention_figures.retrieval import RetrievalFigure
from attention_figures.scaling_gradients import ScalingGradientsFigure
from attention_figures.scaling_variance import ScalingVarianceFigure
from attention_figures.scaling_walk import ScalingWalkFigure
from attention_figures.scaling_weights import ScalingWeightsFigure
from attention_figures.score import ScoreFigure
from attention_figures.selection import SelectionFigure
from attention_figures.staircase import StaircaseFigure
from attention_figures.tanh import TanhFigure
from attention_figures.temperature import TemperatureFigure
from attention_figures.trained_weights import TrainedWeightsFigure
from attention_figures.window import WindowFigure

__all__ = [
    "AlignmentFigure",
    "AttentionFigure",
    "BandwidthFigure",
    "BroadcastingFigure",
    "CacheFigure",
    "ChoiceQuestion",
    "ComparisonFigure",
    "CostFigure",
    "CurvesFigure",
    "DatesFigure",
    "DecoderCacheFigure",
    "DecoderPartsFigure",
    "DropoutFigure",
    "DropoutMeanFigure",
    "DropoutSpreadFigure",
    "DropoutVariantsFigure",
    "EmptyRowFigure",
    "Figure",
    "FillFigure",
    "ForwardPassFigure",
    "GroupsFigure",
    "HeadsFigure",
    "KernelMapFigure",
    "KernelRegressionFigure",
    "LeakFigure",
    "LearnedFigure",
    "LookAheadFigure",
    "MaskDoctorFigure",
    "MaskedSoftmaxFigure",
    "NextWordFigure",
    "NoteFigure",
    "NumberQuestion",
    "OnlineFigure",
    "OrderFigure",
    "PaddingFigure",
    "PlaceQuestion",
    "PoolingFigure",
    "PositionsFigure",
    "ProductFigure",
    "ProjectionsFigure",
    "Question",
    "ReadingFigure",
    "RecallFigure",
    "ReplayFigure",
    "RetrievalFigure",
    "ScalingGradientsFigure",
    "ScalingVarianceFigure",
    "ScalingWalkFigure",
    "ScalingWeightsFigure",
    "ScoreFigure",
    "SelectionFigure",
    "StaircaseFigure",
    "TanhFigure",
    "TemperatureFigure",
    "TrainedWeightsFigure",
    "WindowFigure",
]
