"""Refuses device code that needs the address of a constant of the host.

The value of a constant may be used in device code, its address may not, since the variable lies in
the host's memory: no index known only at run time, no reference. clang gives device code a copy
without a word. IR shows such uses; whose the variable is, the source or the syntax tree says.
"""

import pathlib
import re

from . import annotations, class_members, ir_text
from .across_files import demangle
from .messages import Stop
from .syntax_tree import identifier

CONSTANT = re.compile(rf"^@({ir_text.NAME}) = [^\n]*?\bconstant (.)", re.M)  # [: an array
# Names that the compiler, the standard library or our headers have made, and local variables.
NOT_THE_USERS = re.compile(
    r"_Z(?:[TZ]|GV|St|NSt|NKSt|N9__gnu_cxx)|__(?:const\.|func__|PRETTY_FUNCTION__)"
    r"|\.str|switch\.table|llvm\.|cpu_device|anon\.|_ZL8warpSize$"
)
STANDARD_LIBRARY = re.compile(r"_Z(?:St|NSt|NKSt|N9__gnu_cxx)")
COPY = re.compile(r"\.const(?:\.\d+)?$")  # clang's, where only the value is needed
LOAD = re.compile(r"^  %[\w.]+ = load |^ *(?:#dbg_|call void @llvm\.dbg\.)")
CALL = re.compile(rf"\bcall [^@\n]*@({ir_text.NAME})\(([^\n]*)\)")


def refuse(device, kernels, tree):
    """Stops at the first use of a host constant's address; `tree` is the SyntaxTree."""
    arrays = constants(device)
    if not arrays:
        return
    names = "|".join(sorted(map(re.escape, arrays), key=len, reverse=True))
    use = re.compile(rf"@({names})(?![\w.$-])")
    sources = Sources(device, tree)
    for function in ir_text.functions(device):
        if STANDARD_LIBRARY.match(function.name):
            continue
        for line in function.text.splitlines()[1:]:
            if not (used := use.search(line)) or is_by_value(line, arrays[used[1]]):
                continue
            symbol = COPY.sub("", used[1])
            place = ir_text.location(device, line)
            if not sources.is_the_hosts(symbol, place) or sources.folds(function.name, kernels):
                continue
            if (call := CALL.search(line)) and is_constant(call) and sources.is_constexpr(call[1]):
                continue
            raise Stop(
                f"{place[0]}:{place[1]}: {demangle(symbol)} is a constant of the host: device code "
                "may use its value, but neither its address nor an index known only at run time; "
                "make it __constant__ or __device__"
            )


def constants(device):
    """The user's constants: symbol -> is it an array?"""
    known = annotations.annotations(device)
    found = ((symbol.strip('"'), start) for symbol, start in CONSTANT.findall(device))
    return {
        symbol: start == "["
        for symbol, start in found
        if not NOT_THE_USERS.match(symbol) and symbol not in known
    }


def is_by_value(line, is_array):
    """A load from a fixed place, or the copy of a struct (only memcpy copies an array)."""
    return bool(LOAD.search(line) or (not is_array and "@llvm.mem" in line))


def is_constant(call):
    """Are all arguments of a call known?"""
    return not any(re.search(r"%[\w.]+$", word) for word in ir_text.split_list(call[2]))


class Sources:
    """What the user's files, and where they do not suffice the syntax tree, say of declarations."""

    def __init__(self, device, tree):
        self.device = device
        self.tree = tree
        self.known = {}
        files = set(re.findall(r'!DIFile\(filename: "([^"]*)"', device))
        paths = [pathlib.Path(file) for file in files if not file.startswith(("/usr/", "/cpu_"))]
        self.text = "".join(path.read_text(errors="replace") for path in paths if path.is_file())

    def is_the_hosts(self, symbol, place):
        """Stops too, at a constant of the device that is a data member."""
        if (place[0] or "").startswith("/cpu_device_headers"):
            return False
        if symbol not in self.known:
            declared = re.search(
                rf"[^;{{}}()]*__(?:device|constant)__[^;{{}}()]*\b{identifier(symbol)}\b", self.text
            )
            if declared and "static" in declared[0] and class_members.is_member(symbol):
                class_members.stop(*place, demangle(symbol))
            self.known[symbol] = not declared and not self.tree.is_of_the_device(symbol)
        return self.known[symbol]

    def is_constexpr(self, function, any_side=True):
        return STANDARD_LIBRARY.match(function) or self.tree.is_constexpr(function, any_side)

    def folds(self, function, kernels):
        """May nvcc evaluate every call of this function when it compiles?

        It takes all constexpr functions without a stated side for that, and others where the
        arguments of each call are known."""
        if function in kernels or function.startswith("_ZZ"):  # _ZZ: a lambda of a function
            return False
        if not self.is_constexpr(function) or self.is_constexpr(function, any_side=False):
            return self.is_constexpr(function)
        return all(
            is_constant(call) or self.is_constexpr(caller.name)
            for caller in ir_text.functions(self.device)
            for call in CALL.finditer(caller.text)
            if call[1].strip('"') == function
        )
