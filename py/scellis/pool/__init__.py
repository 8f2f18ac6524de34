"""Pools: the lease machine that a server and a tab share, and the peer that works in one."""
