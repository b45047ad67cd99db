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


@dataclasses.dataclass
class Piece:
    """One IR parameter that carries (part of) a source parameter."""

    parameter: int  # index among the IR parameters
    whole: bool = False  # passed in memory: hand on the address
    struct: str = ""  # otherwise the literal struct type that the pieces form ...
    field: int = 0  # ... and the index in it


@dataclasses.dataclass
class Slot:
    """One source parameter of a kernel: its IR pieces and its size (an IR constant)."""

    pieces: list
    size: str


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


def stub_slots(function, module):
    """How a launch stub keeps each of its source parameters, read off its body."""
    allocas = dict(re.findall(r"^  (%[\w.]+) = alloca ([^\n]+?), align", function.text, re.M))
    fields = {
        name: (struct, base, int(index))
        for name, struct, base, index in re.findall(
            r"^  (%[\w.]+) = getelementptr (?:inbounds )?(?:nuw )?([^\n]+?), ptr (%[\w.]+), "
            r"i32 0, i32 (\d+)",
            function.text,
            re.M,
        )
    }
    copies = {
        source: target
        for target, source in re.findall(
            r"@llvm\.memcpy[\w.]*\(ptr [^%\n]*(%[\w.]+), ptr [^%\n]*(%[\w.]+), ", function.text
        )
    }
    names = [re.search(r"(%[\w.]+)$", parameter)[1] for parameter in function.parameters]
    # In the order of the source: what the stub stores into its argument array.
    array = re.search(
        rf"@cudaLaunchKernel\w*\(ptr [^\n]*?@{NAME},[^\n]*?ptr [a-z ]*(%[\w.]+),", function.text
    )[1]
    places = {
        name: int(index)
        for name, index in re.findall(
            rf"^  (%[\w.]+) = getelementptr ptr, ptr {re.escape(array)}, i32 (\d+)",
            function.text,
            re.M,
        )
    }
    held = {
        places[place]: value
        for value, place in re.findall(
            r"^  store ptr (%[\w.]+), ptr (%[\w.]+)", function.text, re.M
        )
        if place in places
    }
    slots = []
    for index in range(len(held)):
        value = held[index]
        if value in names:  # passed in memory
            parameter = function.parameters[names.index(value)]
            by_value = re.search(r"byval\((.*?)\) ", parameter)
            kind = by_value[1] if by_value else referred_type(function, names.index(value), module)
            slots.append(
                Slot([Piece(names.index(value), whole=True)], size_of(kind) if kind else "0")
            )
        else:
            slots.append(Slot([], size_of(allocas[value])))
    homes = {value: index for index, value in held.items()}
    direct = {piece.parameter for slot in slots for piece in slot.pieces}
    for number, name in enumerate(names):
        if number in direct:
            continue
        widened = re.search(rf"^  (%[\w.]+) = zext i1 {re.escape(name)} to i8", function.text, re.M)
        stored = widened[1] if widened else name  # a bool lives in memory as a byte
        target = re.search(
            rf"^  store [^\n]*? {re.escape(stored)}, ptr (%[\w.]+)", function.text, re.M
        )[1]
        struct, field = "", 0
        while target not in homes:
            if target in fields:
                type_text, target, position = fields[target]
                if type_text.startswith(("{", "<{")):
                    struct, field = type_text, position
            else:
                target = copies[target]
        slots[homes[target]].pieces.append(Piece(number, struct=struct, field=field))
    return slots


def referred_type(stub, number, module):
    """The type behind a parameter passed by hidden reference: what a launch puts there."""
    for caller in functions(module):
        call = re.search(
            rf"^  (?:call|invoke) void @{re.escape(stub.name)}\(([^\n]*)\)", caller.text, re.M
        )
        if not call:
            continue
        name = re.search(r"(%[\w.]+)$", split_list(call[1])[number])
        kind = name and re.search(
            rf"^  {re.escape(name[1])} = alloca ([^\n]+?), align", caller.text, re.M
        )
        if kind:
            return kind[1]
    return None


def rename(module, old, new):
    """Renames a global symbol everywhere; `new` is written as given (quoted if needed)."""
    quoted = re.escape(old)
    return re.sub(rf'@(?:"{quoted}"|{quoted}(?![\w.$-]))', lambda _: "@" + new, module)


def string_constant(symbol, text):
    return f'{symbol} = internal constant [{len(text) + 1} x i8] c"{text}\\00"'


def annotations(module):
    """Global name -> text of its annotate attribute."""
    strings = dict(
        re.findall(rf'^@({NAME}) = [^\n]*c"([^"\n]*?)\\00", section "llvm.metadata"', module, re.M)
    )
    found = {}
    line = re.search(r"^@llvm\.global\.annotations = [^\n]*$", module, re.M)
    if line:
        for name, text in re.findall(rf"\{{ ptr @({NAME}), ptr @({NAME}), ", line[0]):
            found[name.strip('"')] = strings.get(text, "")
    return found


@dataclasses.dataclass
class Annotation:
    """A use of an annotate attribute of ours, with its numbers and its place."""

    name: str
    numbers: list
    file: str
    line: str


def annotations_of(module, text):
    """Every function that carries annotate(`text`, numbers ...)."""
    line = re.search(r"^@llvm\.global\.annotations = [^\n]*$", module, re.M)
    if not line:
        return
    constants = dict(
        re.findall(
            rf'^@({NAME}) = [^\n]*? constant ([^\n]*), section "llvm.metadata"', module, re.M
        )
    )

    def string(name):
        return re.search(r'c"([^"\n]*?)\\00"', constants.get(name, 'c"\\00"'))[1]

    for name, kind, file, number, arguments in re.findall(
        rf"\{{ ptr @({NAME}), ptr @({NAME}), ptr @({NAME}), i32 (\d+), ptr (?:@({NAME})|null) \}}",
        line[0],
    ):
        if string(kind) == text:
            values = constants.get(arguments, "").rpartition("{")[2]
            numbers = [int(value) for value in re.findall(r"i\d+ (-?\d+)", values)]
            yield Annotation(name.strip('"'), numbers, string(file), number)


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


def shared_variables(module, names):
    """Kernel -> (name, size) of each static shared variable that it reaches through calls."""
    variables = dict(
        re.findall(
            rf"^@({NAME}) = (?!external)[^\n]*thread_local(?:\(\w+\))? global "
            r"([^\n]*)$",
            module,
            re.M,
        )
    )
    uses = {
        function.name: {name.strip('"') for name in re.findall(rf"@({NAME})", function.text)}
        for function in functions(module)
    }
    found = {}
    for kernel in names:
        reached, todo = set(), [kernel]
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo += uses.get(name, ())
        found[kernel] = [
            (name, size_of(first_type(text)))
            for name, text in sorted(variables.items())
            if name.strip('"') in reached
        ]
    return found


# Bytes behind each shared variable, so that what runs over its end does not reach the next.
SHARED_PADDING = 1024
SHARED_VARIABLE = re.compile(
    rf"^(@{NAME} = (?!external)[^\n]*thread_local(?:\(\w+\))? global )([^\n]*)$", re.M
)


def pad_shared_variables(module):
    """Lets unused memory follow every static shared variable."""

    def pad(match):
        kind = first_type(match[2])
        value, *rest = split_list(match[2][len(kind) :])
        padding = f"[{SHARED_PADDING} x i8]"
        parts = [
            f"{match[1]}<{{ {kind}, {padding} }}> <{{ {kind} {value}, {padding} undef }}>",
            *rest,
        ]
        if not any(part.startswith("align ") for part in rest):
            parts.append("align 16")
        return ", ".join(parts)

    return SHARED_VARIABLE.sub(pad, module)


VECTOR_COPY = re.compile(
    r"^  call void @llvm\.memcpy\.p0\.p0\.i64\(ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), "
    r"ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), i64 (4|8|16), i1 false\)([^\n]*)$",
    re.M,
)
CUDA_VECTOR = re.compile(r"%struct\.u?(?:char|short|int|long|longlong|float|double)[24]$")


def whole_vector_copies(module):
    """Turns copies of 4-, 8- and 16-byte vector types into one vector load and one store.

    A float4 is a plain structure here; left as a memcpy, the optimiser would split its copy into
    four loads as soon as a field is used, where a GPU issues one 16-byte request. That holds also
    where clang knows better than the program's cast, that the address is less aligned: on a GPU
    the request fails then.
    """
    structs = dict(re.findall(r"^(%[\w.\"]+) = type (\{[^\n]*\})$", module, re.M))

    def is_vector(struct):
        body = structs.get(struct, "")
        return "ptr" not in body and "i64" not in body

    def one_function(function):
        types = dict(
            re.findall(
                r"^  (%[\w.]+) = (?:alloca|getelementptr inbounds) "
                r"(%[\w.\"]+),",
                function,
                re.M,
            )
        )
        count = 0

        def rewrite(match):
            nonlocal count
            size = int(match[5])
            low, high = sorted((int(match[1]), int(match[3])))
            kinds = [types[side] for side in (match[2], match[4]) if side in types]
            if high < size or (low < size and not any(map(CUDA_VECTOR.match, kinds))):
                return match[0]
            if not all(map(is_vector, kinds)):
                return match[0]
            count += 1
            vector = f"<{size // 4} x i32>"
            return (
                f"  %whole.{count} = load {vector}, ptr {match[4]}, align {size}{match[6]}\n"
                f"  store {vector} %whole.{count}, ptr {match[2]}, align {size}{match[6]}"
            )

        return VECTOR_COPY.sub(rewrite, function)

    return re.sub(r"^define .*?^\}\n", lambda m: one_function(m[0]), module, flags=re.M | re.S)


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
