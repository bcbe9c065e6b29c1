"""Detectors that look at every delivery and raise events; they block and quarantine nothing."""
