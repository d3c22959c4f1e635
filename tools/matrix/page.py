"""docs/reference/matrix.md: written by the long form, and read back by the short one."""
import re
import textwrap

HEAD = """# What is asked of which model

<!-- made by python3 tools/matrix.py -->
{cells} cells, of {kinds} kinds of models and {questions} questions: {confirmed} confirmed, {refused} refused, {wrong} neither.

    python3 tools/matrix.py

asks every question of every kind, and writes this page, here with {versions}.

✓: every answer was *confirmed by the library* that trained the model. Labels, outputs and probabilities are its own. Its `predict` gives
examples, ways and pairs the labels that are said, and they keep the rules at the distance that is said. Of the inputs
that are drawn at random within what is proven (nearer than a bound, with the values of a reason, in a box, pairs that a
property is about), on grids, on thresholds and beside examples among others, it gives none another label. Both checkers
accept the proofs. What facet trains itself, and oblique trees of files, are computed anew by numpy.
Numbers stand for the sentences below, by which the question is *refused*. Cells of one's own, in Go, are tried by
`go test ./internal/testing/soundness`.

Models have two classes and numbers for features if their names do not say otherwise: *3* and *10* are classes, *sets*
are features that are categories.
"""


def written(cells, versions):
    """Returns the page of the outcomes of all cells."""
    notes, lines = {}, []
    for library in dict.fromkeys(library for library, _ in cells):
        lines += [f"## {library}", ""]
        kinds = {kind: found for (of, kind), found in cells.items() if of == library}
        whole = {kind: found for kind, found in kinds.items() if len(set(found.values())) == 1 and refused(found)}
        for kind, found in whole.items():
            lines += [wrapped(f"*{kind}* is refused: {sentence(next(iter(found.values()))[1])}"), ""]
        rest = {kind: found for kind, found in kinds.items() if kind not in whole}
        for chapter in dict.fromkeys(chapter for chapter, _ in next(iter(kinds.values()))):
            lines += table(chapter, rest, notes) + [""]
    counts = {status: sum(s == status for found in cells.values() for s, _ in found.values()) for status in ("confirmed", "refused", "wrong")}
    head = HEAD.format(cells=sum(counts.values()), kinds=len(cells), questions=len(next(iter(cells.values()))), versions=versions, **counts)
    head = "\n\n".join(part if part.startswith((" ", "#", "<")) else textwrap.fill(part, 118, break_on_hyphens=False) for part in head.strip().split("\n\n")) + "\n"
    return "\n".join([head, *lines, "## Refused", "", *(wrapped(f"{number}. {note}") for note, number in notes.items()), ""])


def wrapped(note):
    return textwrap.fill(note, 118, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)


def refused(found):
    return all(status == "refused" for status, _ in found.values())


def sentence(said):
    """Returns a sentence as a page has it."""
    return re.sub(r"([*_<>|])", r"\\\1", said) + ("" if said.endswith(".") else ".")


def table(chapter, kinds, notes):
    """Returns the table of a chapter: kinds × questions."""
    names = [name for of, name in next(iter(kinds.values())) if of == chapter]
    lines = [f"| {chapter} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for kind, found in kinds.items():
        marks = [mark(found[chapter, name], notes) for name in names]
        lines.append(f"| {kind} | " + " | ".join(marks) + " |")
    return lines


def mark(cell, notes):
    status, said = cell
    return "✓" if status == "confirmed" else str(notes.setdefault(sentence(said), len(notes) + 1)) if status == "refused" else "✗"


def read(text):
    """Returns which cells a page says are confirmed and which are refused: by library, kind, chapter and question; and kinds that are refused."""
    found, whole, library, head = {}, set(), None, []
    for line in text.splitlines():
        if line.startswith("## "):
            library = line[3:]
        elif match := re.match(r"\*(.*?)\* is refused: ", line):
            whole.add((library, match[1]))
        elif line.startswith("|---"):
            continue
        elif line.startswith("| "):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not set("".join(cells[1:])) <= set("✓✗0123456789"):
                head = cells
                continue
            for name, cell in zip(head[1:], cells[1:]):
                found[library, cells[0], head[0], name] = "confirmed" if cell == "✓" else "wrong" if cell == "✗" else "refused"
    return found, whole


def kept(text, questions):
    """Returns the cells of a page, with their sentences: the outcome of each kind by chapter and question."""
    found, notes, cells = read(text)[0], {}, {}
    body, _, refused_list = text.partition("## Refused")
    for note in re.split(r"\n(?=\d+\. )", refused_list.strip()):
        number, _, said = note.partition(". ")
        notes[number] = plain(said)
    library, head = None, []
    for line in body.splitlines():
        if line.startswith("## "):
            library = line[3:]
        elif line.startswith("| ") and (parts := [part.strip() for part in line.strip("|").split("|")]):
            if not set("".join(parts[1:])) <= set("✓✗0123456789"):
                head = parts
            for name, mark in zip(head[1:], parts[1:] if parts is not head else ()):
                cells.setdefault((library, parts[0]), {})[head[0], name] = ("confirmed", "") if mark == "✓" else ("refused", notes[mark])
    for match in re.finditer(r"(?ms)^## (\S+)$|^\*([^*]+?)\* is refused: (.*?)\n\n", body):
        library = match[1] or library
        if match[2]:
            cells[library, match[2]] = dict.fromkeys(questions, ("refused", plain(match[3])))
    assert len(found) <= sum(map(len, cells.values()))
    return cells


def plain(said):
    """Returns a sentence of the page as it was said."""
    return re.sub(r"\\([*_<>|])", r"\1", " ".join(said.split()))


def differs(path, cells, kinds):
    """Says where a page does not match cells that were asked, and of which kinds it is."""
    with open(path, encoding="utf-8") as f:
        found, whole = read(f.read())
    lines, said = [], {(library, kind) for library, kind, *_ in found} | whole
    for key in sorted(set(kinds) ^ said):
        lines.append(f"{': '.join(key)} is {'not on the page' if key in kinds else 'on the page alone'}")
    for (library, kind), asked in cells.items():
        for (chapter, name), (status, _) in asked.items():
            there = "refused" if (library, kind) in whole else found.get((library, kind, chapter, name), "not on the page")
            if there != status:
                lines.append(f"{library}: {kind}: {chapter}: {name} is {status}, and {there} by the page")
    return lines
