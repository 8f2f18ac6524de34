"""Adafactor: squares of a matrix's gradients kept by its rows and columns alone.

Source: N. Shazeer, M. Stern, "Adafactor: adaptive learning rates with sublinear memory cost", 2018,
arXiv:1804.04235, algorithms 4 and 5, with a rate given and PyTorch's lower bounds; arrays of more than two
axes are matrices along the last two.
"""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(
        1e-2, above=0, about="Learning rate: the share of its size that a parameter moves by at most."
    ),
    "beta2_decay": number(-0.8, below=0, about="Power of the step by which the newest squares count less."),
    "eps1": number(2.0**-23, above=0, about="The least root mean square that is divided by."),
    "eps2": number(1e-3, above=0, about="The least size of a parameter that steps are measured by."),
    "clipping_threshold": number(1.0, above=0, about="The largest root mean square of a direction."),
    "weight_decay": number(
        0.0, least=0, about="Share of a parameter, times the learning rate, that a step takes away."
    ),
}


def state(parameter, fields):
    if parameter.ndim < 2:
        return {"v": xp.zeros_like(parameter)}
    shape = parameter.shape
    return {"rows": xp.zeros((*shape[:-1], 1)), "columns": xp.zeros((*shape[:-2], 1, shape[-1]))}


def update(parameter, gradient, state, step, lr, fields):
    new = step**fields.beta2_decay
    square = gradient * gradient
    if parameter.ndim < 2:
        v = moved(state["v"], square, new)
        kept = {"v": v}
    else:
        rows = moved(state["rows"], xp.mean(square, axis=-1, keepdims=True), new)
        columns = moved(state["columns"], xp.mean(square, axis=-2, keepdims=True), new)
        mean = xp.maximum(xp.mean(rows, axis=-2, keepdims=True), fields.eps1)
        v = rows / mean * columns
        kept = {"rows": rows, "columns": columns}
    direction = gradient / xp.sqrt(xp.maximum(v, fields.eps1 * fields.eps1))
    rate = xp.minimum(lr, 1 / xp.sqrt(step)) * xp.maximum(size(parameter), fields.eps2)
    rate = rate / xp.maximum(size(direction) / fields.clipping_threshold, 1.0)
    if fields.weight_decay > 0:
        parameter = parameter - (lr * fields.weight_decay) * parameter
    return parameter - rate * direction, kept


def moved(mean, value, share):
    return mean + share * (value - mean)


def size(x):
    """The root mean square of all elements."""
    return xp.sqrt(xp.mean(x * x))
