"""Deliveries: received, landed, parsed, compared with their contract, isolated or accepted."""
