"""Asks clang's syntax tree about a declaration: what IR no longer shows."""

import functools
import json
import re
import subprocess

from .across_files import demangle


class SyntaxTree:
    """The syntax tree of one source as the device pass sees it, parsed anew for each question."""

    def __init__(self, device_command):
        self.device_command = device_command  # called when first asked, since it takes time too

    @functools.cached_property
    def command(self):
        words = [word for word in self.device_command() if word not in ("-S", "-emit-llvm")]
        at = words.index("-o")
        return [*words[:at], *words[at + 2 :], "-fsyntax-only", "-ast-dump=json"]

    @functools.cache  # noqa: B019 (lives as long as the program)
    def declarations(self, symbol, within=None):
        """The declarations of a function or variable; of all of its name, where a template hides
        the symbol. `within` is the function in which it stands."""
        name = "operator()" if within else identifier(symbol)
        result = subprocess.run(
            [*self.command, "-ast-dump-filter", identifier(within or symbol)],
            capture_output=True,
            text=True,
            check=False,
        )
        found = [node for tree in trees(result.stdout) for node in nodes(tree)]
        exact = [node for node in found if node.get("mangledName") == symbol]
        return exact or [node for node in found if node.get("name") == name]

    def is_of_the_device(self, symbol, within=None):
        """Does its declaration say __device__ or the like?"""
        return any(has_explicit(node, DEVICE) for node in self.declarations(symbol, within))

    def is_constexpr(self, symbol, any_side):
        """Is it a constexpr function, of `any_side` or of no stated one?"""
        declarations = self.declarations(symbol)
        return any(node.get("constexpr") for node in declarations) and (
            any_side or not any(has_explicit(node, DEVICE) for node in declarations)
        )


DEVICE = {"CUDADeviceAttr", "CUDAConstantAttr", "CUDASharedAttr", "CUDAGlobalAttr"}


def has_explicit(node, attributes):
    return any(
        inner.get("kind") in attributes and not inner.get("implicit")
        for inner in node.get("inner", [])
    )


def identifier(symbol):
    """The last name of a symbol: "table" of "Traits<int>::table", "f" of "ns::f<int>(int)"."""
    text = demangle(symbol)
    while text != (text := re.sub(r"<[^<>]*>|\([^()]*\)", "", text)):
        pass
    return re.search(r"(operator\W+|\w+)(?: const)?$", text.strip())[1]


def trees(text):
    decoder, at = json.JSONDecoder(), 0
    while start := re.compile(r"^\{", re.M).search(text, at):
        tree, at = decoder.raw_decode(text, start.start())
        yield tree


def nodes(tree):
    yield tree
    for inner in tree.get("inner", []):
        yield from nodes(inner)
