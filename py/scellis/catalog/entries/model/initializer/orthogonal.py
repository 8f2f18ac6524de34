"""A random matrix whose rows, or columns where there are fewer of these, are orthogonal, each of length gain.

It is the orthogonal factor of a normal matrix, found by Newton–Schulz: turns that lift small singular values
fast, then turns that bring all of them to 1. More than two axes count as rows (first axis, rest).

Source: A. M. Saxe, J. L. McClelland, S. Ganguli, "Exact solutions to the nonlinear dynamics of learning in
deep linear neural networks", 2014, arXiv:1312.6120; N. J. Higham, "Functions of matrices", 2008, 8.3.
"""

from scellis.catalog.language import number, refuse, xp

KIND = "initializer"
FIELDS = {"gain": number(1.0, above=0, about="Length of a row.")}


def values(shape, fans, random, fields):
    if len(shape) < 2:
        refuse("an orthogonal array has two axes or more.")
    x = xp.reshape(random.normal(shape), (shape[0], -1))
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    x = x / xp.sqrt(xp.sum(x * x))
    for turn in range(14):
        gram = x @ x.T
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * (gram @ gram)) @ x
    for turn in range(6):
        x = 1.5 * x - 0.5 * (x @ x.T) @ x
    return fields.gain * xp.reshape(x.T if tall else x, shape)
