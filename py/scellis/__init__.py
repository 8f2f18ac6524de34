"""Scellis: compute with the devices you can reach, from a browser tab."""

ENGINE_VERSION = "0.1.0"
"""The engine version that jobs and records carry. A job runs only on the engine it was made for."""

__version__ = ENGINE_VERSION
