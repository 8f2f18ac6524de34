"""Counter-based random numbers: Philox4x32-10 and named streams that cannot overlap."""

from scellis.rng.philox import philox4x32
from scellis.rng.streams import FAMILIES, Stream, draw_words, key_words, uniform_from_words

__all__ = ["FAMILIES", "Stream", "draw_words", "key_words", "philox4x32", "uniform_from_words"]
