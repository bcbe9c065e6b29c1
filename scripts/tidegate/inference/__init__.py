"""What models are asked, what they answer, and what of it may be used (docs/inference.md)."""
