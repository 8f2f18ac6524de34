"""The conformance corpus: cases as data, what they mean, and how an engine is run on them."""
