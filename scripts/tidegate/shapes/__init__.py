"""Shapes: what relations and deliveries look like, how two differ, and what that means."""
