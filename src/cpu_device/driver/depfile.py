"""Make-style dependency files: the union of what the two passes read."""

import pathlib


def split(text):
    """Returns (target part, list of prerequisites); understands continuation and '\\ '."""
    text = text.replace("\\\n", " ")
    target, _, rest = text.partition(": ")
    names, current, escaped = [], "", False
    for letter in rest.split("\n\n")[0]:
        if escaped:
            current += letter
            escaped = False
        elif letter == "\\":
            current += letter
            escaped = True
        elif letter.isspace():
            if current:
                names.append(current)
            current = ""
        else:
            current += letter
    if current:
        names.append(current)
    return target, names


def merge(files, output):
    """Writes one dependency file with the first one's target and everybody's prerequisites."""
    target, names = None, []
    for file in files:
        this_target, these = split(pathlib.Path(file).read_text())
        target = target or this_target
        names += [name for name in these if name not in names]
    pathlib.Path(output).write_text(f"{target}: " + " \\\n  ".join(names) + "\n")
