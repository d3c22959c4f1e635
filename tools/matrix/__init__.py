"""What is asked of which model: the parts of tools/matrix.py."""
