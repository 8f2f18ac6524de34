"""Random arrays within a graph, from the named streams of `scellis.rng`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scellis.errors import ScellisError
from scellis.graph import functions as xp
from scellis.graph import sorting, transforms
from scellis.graph.categories import cumulative_weights
from scellis.graph.drawn import BLOCKS
from scellis.graph.trace import Operand, Value
from scellis.graph.types import F32, I32, U32, Shape, broadcast
from scellis.rng.streams import Stream


class Generator:
    """Draws arrays from one stream: `key` (2,) u32 of the root seed, `index` () u32, for instance the step.

    The arrays are numbered in the order in which they are asked for, so a graph has the same ones whenever it
    is traced, and one index gives them anew whenever it is computed. Words, uniforms, truths, integers and
    categories are the same bits on every device. Raises `SCL-RNG-STREAM` for an unknown family.

    Names and parameters are those of numpy.random. Each is a number or an array; they broadcast to `shape`,
    which is their own where it is not given, else `SCL-GRAPH-SHAPE`. A number that is no parameter of the
    distribution is refused, `SCL-GRAPH-PARAMETER`; of an array nothing is known while a program is traced,
    and where it holds none a float is NaN and an integer −1, but for scales, whose sign nobody looks at.
    Draws are f32, and differentiable by every float parameter unless it says otherwise; counts are i32.
    """

    def __init__(self, key: Value, index: Value, family: str) -> None:
        self._key = key
        self._index = index
        self._family = Stream(family).number
        self._blocks = 0

    # ---- words and what is made of them in integers ----

    def words(self, shape: Shape, count: int = 1) -> tuple[Value, ...]:
        """Arrays of random words, u32: up to four of one block."""
        block = self._take(1)
        return tuple(
            self._key.builder.apply(
                "random_words", self._key, self._index,
                shape=tuple(shape), family=self._family, block=block, lane=lane,
            )
            for lane in range(count)
        )  # fmt: skip

    def bernoulli(self, chance: Operand, shape: Shape | None = None) -> Value:
        """True with a chance that is rounded, of an array down, to a multiple of 2^−32; bool."""
        _check(chance, "a chance from 0 to 1", 0.0, 1.0)
        (word,) = self.words(_shape(shape, chance))
        if isinstance(chance, Value):
            below = (chance.astype(F32) * 2.0**32).astype(U32)
            return (word < below) | (chance >= 1.0)
        below_number = round(chance * 2.0**32)
        return xp.full_like(word, 1) == 1 if below_number == 2**32 else word < below_number

    def randint(self, low: Operand, high: Operand, shape: Shape | None = None) -> Value:
        """Integers from `low` to before `high`, each equally likely; `low` where there are none; i32.

        Source: D. Lemire, "Fast random integer generation in an interval", 2019.
        """
        shape = _shape(shape, low, high)
        if isinstance(low, Value) or isinstance(high, Value):
            first, last = self._array(low, I32, shape), self._array(high, I32, shape)
            bound = xp.where(last > first, last - first, 0).astype(U32)
        else:
            if not (-(2**31) <= low < high <= 2**31 and high - low < 2**32):
                raise ScellisError("SCL-GRAPH-PARAMETER", f"There is no i32 from {low} to before {high}.")
            bound = self._array(int(high) - int(low), U32, shape)
        return self._array(low, I32, shape) + self._drawn("random_below", shape, bound).astype(I32)

    def permutation(self, n: int) -> Value:
        """The integers from 0 to before `n` in random order (n,), i32: two words each, sorted.

        Two have the same words with a chance below n² / 2^65, and then keep their order.
        """
        first, second = self.words((n,), 2)
        order = sorting.argsort(second)
        return xp.take(order, sorting.argsort(xp.take(first, order)))

    def choice(self, x: Value, shape: Shape, *, replace: bool = True, p: Value | None = None) -> Value:
        """Elements of `x` along its first axis, with the chances `p` or equal ones; each once unless
        `replace`.

        Raises `SCL-GRAPH-SHAPE` for more than there are, or chances of other elements.
        """
        n, size = x.shape[0], math.prod(shape)
        if (not replace and (size > n or p is not None)) or (p is not None and p.shape != (n,)):
            raise ScellisError(
                "SCL-GRAPH-SHAPE",
                f"From {n} elements of {x.type} there is no such choice of {size}.",
                "Without replacement take at most as many, with equal chances; else give a chance for each.",
            )
        if not replace:
            return xp.take(x, xp.reshape(self.permutation(n)[:size], shape))
        return xp.take(x, self.randint(0, n, shape) if p is None else self.categorical(probs=p, shape=shape))

    def categorical(
        self, logits: Value | None = None, *, probs: Value | None = None, shape: Shape | None = None
    ) -> Value:
        """Numbers of categories, the last axis of `logits` or of `probs`, which need not add up to 1; i32.

        −1 where a row has no greatest weight that is finite and positive, or a negative one. The same bits on
        every device, given the same bits of weights; `graph.categories` says how far chances are rounded.
        Raises `SCL-GRAPH-PARAMETER` unless one of the two is given.
        """
        given = logits if probs is None else probs
        if given is None or (logits is not None and probs is not None):
            raise ScellisError("SCL-GRAPH-PARAMETER", "categorical takes either logits or probs.")
        given = given.astype(F32)
        sums, sound = cumulative_weights("exp_weight" if probs is None else "share_weight", given)
        if probs is not None:
            sound = sound & xp.all(given >= 0.0, -1) & (sums[..., -1] > 0)
        total = sums[..., -1]
        shape = _shape(shape, total)
        chosen = self._drawn("random_below", shape, total.broadcast_to(shape))
        passed = sums.broadcast_to((*shape, sums.shape[-1])) <= xp.expand_dims(chosen, -1)
        return xp.where(sound, xp.sum(passed.astype(I32), -1), -1)

    # ---- counts ----

    def poisson(self, rate: Operand, shape: Shape | None = None) -> Value:
        """Counts of events of which `rate` are expected, up to 2^30; i32, without a derivative.

        Source: `scellis.rng.counts`.
        """
        _check(rate, "a rate from 0 to 2^30", 0.0, 2.0**30)
        shape = _shape(shape, rate)
        return self._drawn("random_poisson", shape, self._array(rate, F32, shape))

    def binomial(self, n: Operand, p: Operand, shape: Shape | None = None) -> Value:
        """Counts of successes among `n` trials, i32, with a chance `p` each; i32, without a derivative.

        Source: `scellis.rng.counts`.
        """
        _check(n, "a number of trials", 0, 2**31 - 1)
        _check(p, "a chance from 0 to 1", 0.0, 1.0)
        shape = _shape(shape, n, p)
        return self._drawn("random_binomial", shape, self._array(n, I32, shape), self._array(p, F32, shape))

    # ---- by inversion ----

    def uniform(self, shape: Shape | None = None, low: Operand = 0.0, high: Operand = 1.0) -> Value:
        """Uniform between `low` and `high`, neither included for 0 and 1."""
        (unit,) = self._units(1, shape, low, high)
        plain = not isinstance(low, Value) and not isinstance(high, Value) and (low, high) == (0.0, 1.0)
        return unit if plain else unit * (high - low) + low

    def exponential(self, scale: Operand = 1.0, shape: Shape | None = None) -> Value:
        """−scale · log u: the mean is `scale`."""
        _check_scale(scale)
        (u,) = self._units(1, shape, scale)
        return -xp.log(u) * scale

    def laplace(self, loc: Operand = 0.0, scale: Operand = 1.0, shape: Shape | None = None) -> Value:
        """Two exponentials back to back: loc ± scale · log(2 min(u, 1 − u))."""
        _check_scale(scale)
        (u,) = self._units(1, shape, loc, scale)
        return xp.log(2.0 * xp.minimum(u, 1.0 - u)) * xp.sign(0.5 - u) * scale + loc

    def gumbel(self, loc: Operand = 0.0, scale: Operand = 1.0, shape: Shape | None = None) -> Value:
        """The extreme value distribution: loc − scale · log(−log u)."""
        _check_scale(scale)
        (u,) = self._units(1, shape, loc, scale)
        return xp.log(-xp.log(u)) * -1.0 * scale + loc

    def triangular(self, left: Operand, mode: Operand, right: Operand, shape: Shape | None = None) -> Value:
        """A density that rises from `left` to `mode` and falls to `right`."""
        (u,) = self._units(1, shape, left, mode, right)
        width = right - left
        share = xp.zeros_like(u) + (mode - left) / width
        rises = u < share
        # The root that is not taken is that of 1, so that nothing infinite reaches a derivative.
        risen = xp.sqrt(xp.where(rises, u * share, 1.0))
        fallen = xp.sqrt(xp.where(rises, 1.0, (1.0 - u) * (1.0 - share)))
        return xp.where(rises, left + width * risen, right - width * fallen)

    def trapezoid(self, low: Operand, high: Operand, beta: Operand, shape: Shape | None = None) -> Value:
        """A symmetric trapezoid whose top is `beta` times as wide as its base. JCGM 101:2008, 6.4.4."""
        _check(beta, "a share from 0 to 1", 0.0, 1.0)
        u0, u1 = self._units(2, shape, low, high, beta)
        return low + (high - low) / 2.0 * ((1.0 + beta) * u0 + (1.0 - beta) * u1)

    def curvilinear_trapezoid(
        self, low: Operand, high: Operand, d: Operand, shape: Shape | None = None
    ) -> Value:
        """A rectangle whose limits are known to within ±d. JCGM 101:2008, 6.4.3."""
        u0, u1 = self._units(2, shape, low, high, d)
        found: Value = transforms.curvilinear_trapezoid(low, high, d, u0, u1)
        return found

    def arcsine(self, low: Operand = 0.0, high: Operand = 1.0, shape: Shape | None = None) -> Value:
        """The U-shaped distribution from `low` to `high`. JCGM 101:2008, 6.4.6."""
        (u,) = self._units(1, shape, low, high)
        found: Value = transforms.arcsine(xp, low, high, u)
        return found

    def truncated_normal(
        self, loc: Operand, scale: Operand, low: Operand, high: Operand, shape: Shape | None = None
    ) -> Value:
        """Normal, given that it lies between `low` and `high`, numbers of which may be infinite.

        By inversion in the nearer tail, so that it keeps its digits there; from 12.8 scales beyond `loc` on
        all is at the nearer bound. Raises `SCL-GRAPH-PARAMETER` for numbers of which `low` is not the less.
        """
        _check_scale(scale)
        if not isinstance(low, Value) and not isinstance(high, Value) and not low < high:
            raise ScellisError("SCL-GRAPH-PARAMETER", f"Between {low} and {high} there is nothing.")
        (u,) = self._units(1, shape, loc, scale, low, high)
        first, second = (
            None
            if not isinstance(limit, Value) and math.isinf(limit)
            else ((limit if isinstance(limit, Value) else self._array(limit, F32, ())) - loc) / scale
            for limit in (low, high)
        )
        found = transforms.truncated_normal(xp, first, second, u) * scale + loc
        found = found if first is None else xp.maximum(found, low)
        return found if second is None else xp.minimum(found, high)

    # ---- by the polar form ----

    def normal(self, shape: Shape | None = None, loc: Operand = 0.0, scale: Operand = 1.0) -> Value:
        """Normal. Source: G. E. P. Box, M. E. Muller, 1958."""
        _check_scale(scale)
        radius, angle = self._units(2, shape, loc, scale)
        found: Value = transforms.normal_radius(xp, radius) * transforms.turned(xp, angle)
        return _moved(found, loc, scale)

    def student_t(
        self, df: Operand, loc: Operand = 0.0, scale: Operand = 1.0, shape: Shape | None = None
    ) -> Value:
        """Student's t with `df` degrees of freedom, of which it has a derivative. R. W. Bailey, 1994.

        What lies beyond f32, which for df < 0.4 may happen, is infinite.
        """
        _check(df, "a number of degrees of freedom", 1e-30, math.inf)
        _check_scale(scale)
        radius, angle = self._units(2, shape, df, loc, scale)
        found: Value = transforms.t_radius(xp, df, radius) * transforms.turned(xp, angle)
        return _moved(found, loc, scale)

    # ---- by rejection ----

    def gamma(self, shape_parameter: Operand, scale: Operand = 1.0, shape: Shape | None = None) -> Value:
        """Gamma with mean shape_parameter · scale, whose derivative by the shape is refused.

        Below 2^−126 a draw is 0, as nearly all are for a shape of 0.001. Source: R. C. H. Cheng, "The
        generation of gamma variables with non-integral shape parameter", 1977; for shapes below 1
        G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", 2000, 6.
        """
        _check(shape_parameter, "a shape", 0.0, math.inf)
        _check_scale(scale)
        shape = _shape(shape, shape_parameter, scale)
        base, exponent = self._gamma(shape_parameter, shape)
        return base * xp.exp(exponent) * scale

    def chisquare(self, df: Operand, shape: Shape | None = None) -> Value:
        """The sum of `df` squares of standard normals; its derivative by `df` is refused."""
        half = df.astype(F32) * 0.5 if isinstance(df, Value) else df / 2.0
        return self.gamma(half, 2.0, shape)

    def beta(self, a: Operand, b: Operand, shape: Shape | None = None) -> Value:
        """x / (x + y) for gamma draws x and y of shapes `a` and `b`; its derivative by either is refused.

        As 1 / (1 + y / x) with the quotient made of exponents, so that neither needs to be in the range of
        f32.
        """
        _check(a, "a shape", 0.0, math.inf)
        _check(b, "a shape", 0.0, math.inf)
        shape = _shape(shape, a, b)
        (first, x), (second, y) = self._gamma(a, shape), self._gamma(b, shape)
        return 1.0 / (1.0 + second / first * xp.exp(y - x))

    # ---- what they share ----

    def _take(self, count: int) -> int:
        """The first of so many blocks of words that no other array has."""
        first, self._blocks = self._blocks, self._blocks + count
        return first

    def _units(self, count: int, shape: Shape | None, *parameters: Operand) -> Sequence[Value]:
        """Uniforms in (0, 1) from the top 23 bits: odd multiples of 2^−24, exact in f32."""
        return [
            ((word & 0xFFFFFE00) | 0x100).astype(F32) * 2.0**-32
            for word in self.words(_shape(shape, *parameters), count)
        ]

    def _array(self, x: Operand, dtype: str, shape: Shape) -> Value:
        value = x if isinstance(x, Value) else self._key.builder.constant(x, dtype)
        return (value.astype(F32) if dtype == F32 else value).broadcast_to(shape)

    def _drawn(self, op: str, shape: Shape, *parameters: Value) -> Value:
        """An operation that takes as many words as it needs, from blocks that are its own."""
        numbers = xp.iota(self._key, (math.prod(shape),), 0, U32)
        counter = [self._key[0], self._key[1], self._index]
        return self._key.builder.apply(
            op, *(word.broadcast_to(shape) for word in counter), xp.reshape(numbers, shape), *parameters,
            family=self._family, block=self._take(BLOCKS),
        )  # fmt: skip

    def _gamma(self, shape_parameter: Operand, shape: Shape) -> tuple[Value, Value]:
        """A gamma draw as a · exp(x): a, and x."""
        given = self._array(shape_parameter, F32, shape)
        return xp.where(given < 1.0, given + 1.0, given), self._drawn("random_gamma", shape, given)


def _moved(x: Value, loc: Operand, scale: Operand) -> Value:
    """loc + scale · x, without what changes nothing."""
    scaled = x if not isinstance(scale, Value) and scale == 1.0 else x * scale
    return scaled if not isinstance(loc, Value) and loc == 0.0 else scaled + loc


def _shape(shape: Shape | None, *parameters: Operand) -> Shape:
    """`shape`, or that of the parameters together. Raises `SCL-GRAPH-SHAPE` where these do not fit it."""
    own = broadcast((), *(value.shape for value in parameters if isinstance(value, Value)))
    if shape is not None and broadcast(tuple(shape), own) != tuple(shape):
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"Parameters of the shape {own} do not broadcast to draws of {tuple(shape)}.",
        )
    return own if shape is None else tuple(shape)


def _check(x: Operand, what: str, low: float, high: float) -> None:
    """Raise `SCL-GRAPH-PARAMETER` for a number that is not what it is to be."""
    if not isinstance(x, Value) and not low <= x <= high:
        raise ScellisError("SCL-GRAPH-PARAMETER", f"{x} is not {what}.")


def _check_scale(x: Operand) -> None:
    _check(x, "a scale, from 0 on", 0.0, math.inf)
