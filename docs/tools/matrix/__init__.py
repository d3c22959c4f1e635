"""What is asked of which model: the parts of docs/tools/matrix.py."""
