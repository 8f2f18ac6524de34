"""SML: the text of a program and its job."""

from scellis.sml.job_text import JobText, parse_job_text

__all__ = ["JobText", "parse_job_text"]
