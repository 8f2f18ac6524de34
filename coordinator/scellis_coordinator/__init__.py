"""The coordinator as a server: the pool's host over WebSockets, SQLite and HTTP."""

from scellis_coordinator.app import create_app, serve

__all__ = ["create_app", "serve"]
