"""The questions about each kind of model: the parts of tools/matrix.py."""
