"""Launch stubs: how clang's host side keeps the parameters of each kernel."""

import dataclasses
import re

from .ir_text import NAME, functions, size_of, split_list


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
