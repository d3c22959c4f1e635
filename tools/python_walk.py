"""Runs the notebook examples/python/notebook.ipynb and writes docs/use/python.md: its text, its code, and the output of the code.

    pip install ./examples/python scikit-learn matplotlib
    python tools/python_walk.py              (--check compares the page instead, but for times; --run only runs the notebook)
"""
import ast
import contextlib
import io
import json
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE, PICTURE = os.path.join(ROOT, "docs", "use", "python.md"), os.path.join(ROOT, "docs", "use", "python-walk.png")
NOTEBOOK = os.path.join(ROOT, "examples", "python", "notebook.ipynb")


def walk(cells, picture):
    """Runs the cells in a folder of their own, and returns the page."""
    page, scope, home = [], {"__name__": "__main__"}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in cells:
                text = "".join(cell["source"])
                page.append(text if cell["cell_type"] == "markdown" else ran(text, cell["metadata"].get("alt"), scope, picture))
        finally:
            os.chdir(home)
    text = "\n\n".join(page) + "\n"  # whose links begin in docs/use, and not beside the notebook
    return text.replace("](../../docs/use/", "](").replace("](notebook.ipynb)", "](../../examples/python/notebook.ipynb)")


def ran(text, alt, scope, picture):
    """Runs a cell and returns it with its output, and with its picture."""
    printed, tree = io.StringIO(), ast.parse(text)
    shown = isinstance(tree.body[-1], ast.Expr) and not text.rstrip().endswith(";")
    last = ast.Expression(tree.body.pop().value) if shown else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), scope)
        value = eval(compile(last, "<cell>", "eval"), scope) if shown else None
    if value is not None and not hasattr(value, "_repr_html_"):  # print has returned None
        printed.write(f"{value!r}\n")
    parts = [f"```python\n{text}\n```"]
    if printed.getvalue().strip():
        parts.append(f"```text\n{printed.getvalue().strip()}\n```")
    if alt:
        import matplotlib.pyplot as plt

        plt.gcf().set_size_inches(6, 3.5)
        plt.tight_layout()
        if picture:
            plt.savefig(picture, dpi=110)
        plt.close("all")
        parts.append(f"![{alt}]({os.path.basename(PICTURE)})")
    return "\n\n".join(parts)


def timeless(page):
    return re.sub(r"[0-9.e+-]+ s\b|[0-9.]+ ms", "… s", page)


def main(arguments):
    import matplotlib

    matplotlib.use("Agg")
    with open(NOTEBOOK, encoding="utf-8") as f:
        cells = json.load(f)["cells"]
    page = walk(cells, None if arguments else PICTURE)
    if arguments == ["--run"]:
        return
    if arguments == ["--check"]:
        with open(PAGE, encoding="utf-8") as f:
            if timeless(f.read()) != timeless(page):
                sys.exit("docs/use/python.md is not what python_walk.py prints")
        return
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page)


if __name__ == "__main__":
    main(sys.argv[1:])
