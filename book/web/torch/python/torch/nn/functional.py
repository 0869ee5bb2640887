"""Define the functions of torch.nn.functional that exercises use."""

import math

from torch._core import missing, refuse
from torch._helpers import C_WORDS, WORDS, refuse_integers
from torch._tensor import PLACES, integers, public, tensor_of


@public("input weight bias", "F")
def _linear(input, weight, bias=None):
    if not input.ndim or not weight.ndim:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are %dD and %dD"
            % (input.ndim, weight.ndim)
        )
    product = input @ weight.t()
    return product if bias is None else product + bias


@public("input1 input2 weight bias", "F")
def _bilinear(input1, input2, weight, bias=None):
    if input1.shape[:-1] != input2.shape[:-1] or weight.ndim != 3:
        refuse("`torch.nn.functional.bilinear` of these tensors")
    one, two = [x.reshape(-1, x.shape[-1]) for x in (input1, input2)]
    product = PLACES["torch"]["einsum"]("bi,oij,bj->bo", one, weight, two)
    result = product.reshape(input1.shape[:-1] + (weight.shape[0],))
    return result if bias is None else result + bias


@public("input min_val max_val", "F")
def _hardtanh(input, min_val=-1.0, max_val=1.0):
    refuse_integers("nn.functional.hardtanh", input)
    return input.clamp(min_val, max_val)


@public("input", "F")
def _softsign(input):
    return input / (input.abs() + 1)


@public("input negative_slope", "F")
def _leaky_relu(input, negative_slope=0.01):
    refuse_integers("nn.functional.leaky_relu", input)
    return input.where(input > 0, input * negative_slope)


@public("input num_classes", "F")
def _one_hot(input, num_classes=-1):
    if input._view.dtype != "int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not input.numel():
        refuse("`torch.nn.functional.one_hot` of an empty tensor")
    if int(input.min().item()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    n = int(input.max().item()) + 1 if num_classes == -1 else num_classes
    if int(input.max().item()) >= n:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (input.unsqueeze(-1) == tensor_of(range(n))).long()


@public("input normalized_shape weight bias eps", "F")
def _layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    sizes = integers((normalized_shape,))
    if input.shape[input.ndim - len(sizes) :] != sizes:
        raise RuntimeError(
            "Given normalized_shape=%s, expected input with shape [*, %s], but got input of size%s"
            % (list(sizes), ", ".join([str(n) for n in sizes]), list(input.shape))
        )
    if not input.is_floating_point():
        raise NotImplementedError(
            "\"LayerNormKernelImpl\" not implemented for '%s'" % WORDS[input._view.dtype]
        )
    dims = tuple(range(-len(sizes), 0))
    number = input.double()  # so that the steps are not rounded
    centred = number - number.mean(dims, True)
    result = (centred / (number.var(dims, False, True) + eps).sqrt()).to(input.dtype)
    for one in (weight, bias):
        if one is not None and (one.shape != sizes or one.dtype is not input.dtype):
            refuse("`torch.nn.functional.layer_norm` with these parameters")
    if weight is not None:
        result = result * weight
    return result.contiguous() if bias is None else (result + bias).contiguous()


@public("input pad mode value", "F")
def _pad(input, pad, mode="constant", value=None):
    if mode != "constant":
        refuse("`torch.nn.functional.pad(mode=)`")
    sizes = integers((pad,))
    if len(sizes) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(sizes) > 2 * input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension"
        )
    result = input
    for i in range(len(sizes) // 2):
        result = padded(result, -1 - i, sizes[2 * i], sizes[2 * i + 1], value or 0)
    return result.clone()


def padded(input, dim, before, after, value):
    """Add entries before and after those of a dimension; negative numbers cut entries off."""
    start, size = max(-before, 0), input.shape[dim]
    length = size - start - max(-after, 0)
    if size + before + after < 0:
        raise RuntimeError(
            "The input size, plus negative padding, resulted in a negative output size"
        )
    parts = [input.narrow(dim, start, length)]
    for place, n in ((0, before), (2, after)):
        if n > 0:
            shape = list(input.shape)
            shape[dim] = n
            parts.insert(place, input.new_full(tuple(shape), value))
    return PLACES["torch"]["cat"](parts, dim)


@public("input p dim eps", "F")
def _normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, True).clamp_min(eps).expand_as(input)


@public("input target size_average reduce reduction", "F")
def _mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    refuse_integers("nn.functional.mse_loss", input, target)
    errors = (input - target).square()
    if reduction == "none":
        return errors
    return errors.mean() if reduction == "mean" else errors.sum()


@public("input p training inplace", "F")
def _dropout(input, p=0.5, training=True, inplace=False):
    if training and p > 0:
        refuse("`torch.nn.functional.dropout`")
    return input


@public("query key value attn_mask dropout_p is_causal scale enable_gqa", "F")
def _scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if dropout_p or enable_gqa:
        refuse("`torch.nn.functional.scaled_dot_product_attention(dropout_p=, enable_gqa=)`")
    refuse_integers("nn.functional.scaled_dot_product_attention", query, key, value)
    if not query.dtype is key.dtype is value.dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: %s "
            "key.dtype: %s and value.dtype: %s instead."
            % tuple([C_WORDS[one._view.dtype] for one in (query, key, value)])
        )
    if query.ndim < 2 or key.ndim < 2 or value.ndim < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            "query.dim(): %d, key.dim(): %d and value.dim(): %d instead."
            % (query.ndim, key.ndim, value.ndim)
        )
    if not (query.numel() and key.numel() and value.numel()):
        refuse("`torch.nn.functional.scaled_dot_product_attention` of empty tensors")
    scores = query @ key.mT * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
                "is_causal=True"
            )
        attn_mask = query.new_ones(scores.shape[-2:]).tril().bool()
    return safe_softmax(masked(scores, attn_mask)) @ value


def masked(scores, mask):
    if mask is None:
        return scores
    if mask._view.dtype == "bool":
        return scores + scores.new_zeros(mask.shape).masked_fill(~mask, -math.inf)
    if mask.dtype is not scores.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            "attn_mask.dtype: %s and  query.dtype: %s instead."
            % (C_WORDS[mask._view.dtype], C_WORDS[scores._view.dtype])
        )
    return scores + mask


def safe_softmax(scores):
    """Return 0 in rows where every score is −∞, as torch's function does."""
    empty = (scores == -math.inf).all(-1, True)
    return scores.softmax(-1).masked_fill(empty, 0.0)


for name in ("sigmoid", "tanh"):
    PLACES["F"][name] = PLACES["torch"][name]
for name, function in PLACES["F"].items():
    globals()[name] = function


def __getattr__(name):
    missing("torch.nn.functional", name)
    raise AttributeError("module 'torch.nn.functional' has no attribute '%s'" % name)
