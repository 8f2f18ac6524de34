"""The coordinator as a server: the pool's host over WebSockets, SQLite and HTTP."""
