"""Reading and changing LLVM's textual IR: only what the glue needs, nothing general."""

import dataclasses
import re

NAME = r'(?:"[^"\n]+"|[\w.$-]+)'
OPEN, CLOSE = "([{<", ")]}>"


@dataclasses.dataclass
class Function:
    name: str
    parameters: list  # their text, "ptr noundef %0"
    text: str  # from "define" to "}"


def split_list(text):
    """Splits at commas outside brackets."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in OPEN) - (letter in CLOSE)
        if letter == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    if current.strip():
        parts.append(current.strip())
    return parts


def first_type(text):
    """The type that `text` begins with: everything up to the first space outside brackets."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter in OPEN) - (letter in CLOSE)
        if depth == 0 and letter in " ,":
            return text[:index]
    return text


def without_name(parameter):
    """A parameter's type and attributes: "ptr byval(%struct.S) align 8" of "... %1"."""
    return re.sub(r" %[\w.]+$", "", parameter)


def functions(module):
    """Every function definition of a module."""
    for match in re.finditer(rf"^define [^\n]*?@({NAME})\(.*?^\}}\n", module, re.M | re.S):
        text = match[0]
        start = text.index("@" + match[1] + "(") + len(match[1]) + 2
        depth, end = 1, start
        while depth:
            depth += (text[end] in "(") - (text[end] in ")")
            end += 1
        yield Function(match[1].strip('"'), split_list(text[start : end - 1]), text)


def size_of(type_text):
    return f"ptrtoint (ptr getelementptr ({type_text}, ptr null, i32 1) to i64)"


def rename(module, old, new):
    """Renames a global symbol everywhere; `new` is written as given (quoted if needed)."""
    quoted = re.escape(old)
    return re.sub(rf'@(?:"{quoted}"|{quoted}(?![\w.$-]))', lambda _: "@" + new, module)


def string_constant(symbol, text):
    return f'{symbol} = internal constant [{len(text) + 1} x i8] c"{text}\\00"'


def add_constructor(module, function):
    """Runs `function` at program start, before ordinary static initialisers."""
    entry = f"{{ i32, ptr, ptr }} {{ i32 101, ptr {function}, ptr null }}"
    match = re.search(
        r"^@llvm\.global_ctors = appending global \[(\d+) x (\{[^}]*\})\] \[", module, re.M
    )
    if not match:
        return module + (
            f"\n@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{entry}]\n"
        )
    start = f"@llvm.global_ctors = appending global [{int(match[1]) + 1} x {match[2]}] [{entry}, "
    return module[: match.start()] + start + module[match.end() :]


def location(module, instruction):
    """(file, line) of an instruction's debug location, or (None, None)."""
    number = re.search(r"!dbg (!\d+)", instruction)
    node = number and re.search(
        rf"^{number[1]} = [^\n]*DILocation\(line: (\d+)[^\n]*"
        r"scope: (!\d+)",
        module,
        re.M,
    )
    if not node:
        return None, None
    scope = node[2]
    for _ in range(50):
        text = re.search(rf"^{scope} = ([^\n]*)$", module, re.M)[1]
        file = re.search(r"file: (!\d+)", text)
        if file:
            name = re.search(rf'^{file[1]} = [^\n]*filename: "([^"]*)"', module, re.M)
            return (name and name[1]), node[1]
        scope = re.search(r"scope: (!\d+)", text)[1]
    return None, node[1]
