"""Colours of code: a lexer for CUDA C++ and a calm style for light and dark pages.

What CUDA adds to C++ has the page's own colour, so that a reader sees at once what is new. Every
colour has a contrast of at least 4.5 to 1 with its background.
"""

from __future__ import annotations

from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.c_like import CudaLexer as _Words
from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
)
from sphinx.application import Sphinx

_ADDED = {
    "__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__",
    "__launch_bounds__", "__forceinline__", "__noinline__", "__grid_constant__", "__restrict__",
}  # fmt: skip
_BUILT_IN = (
    set(_Words.variables) | set(_Words.functions)
    | {"__syncwarp", "__activemask", "clock64", "__ldg", "warpSize", "atomicAdd", "atomicMax"}
)  # fmt: skip
_NO_KEYWORDS = {"thread", "final", "override", "import", "module", "export"}
Cuda = Token.Cuda


class CudaCppLexer(CppLexer):
    """C++ with CUDA's words marked."""

    name = "CUDA C++"
    aliases = ["cuda"]
    filenames = []

    def get_tokens_unprocessed(self, text, stack=("root",)):
        for index, token, value in super().get_tokens_unprocessed(text, stack):
            if value in _ADDED:
                token = Cuda.Qualifier
            elif token in Name and (
                value in _BUILT_IN or (value.startswith("__") and value.endswith("_sync"))
            ):
                token = Cuda.Builtin
            elif value in _NO_KEYWORDS and token not in String and token not in Comment:
                token = Name
            yield index, token, value


def _styles(colours: dict[str, str]) -> dict:
    return {
        Token: colours["ink"],
        Name: colours["ink"],
        Punctuation: colours["ink"],
        Operator: colours["soft"],
        Operator.Word: colours["keyword"],
        Keyword: colours["keyword"],
        Keyword.Type: colours["type"],
        Keyword.Constant: colours["number"],
        Name.Builtin: colours["type"],
        Name.Class: colours["ink"],
        Name.Function: f"bold {colours['ink']}",
        Name.Decorator: colours["macro"],
        Name.Variable: colours["macro"],
        Name.Tag: colours["keyword"],
        Name.Attribute: colours["type"],
        Cuda: colours["cuda"],
        Cuda.Qualifier: f"bold {colours['cuda']}",
        Cuda.Builtin: colours["cuda"],
        Comment: f"italic {colours['soft']}",
        Comment.Preproc: f"noitalic {colours['macro']}",
        Comment.PreprocFile: f"noitalic {colours['string']}",
        String: colours["string"],
        Number: colours["number"],
        Generic.Heading: f"bold {colours['ink']}",
        Generic.Prompt: colours["soft"],
        Generic.Inserted: colours["cuda"],
        Generic.Deleted: colours["number"],
        Error: colours["ink"],
    }


class Light(Style):
    """On a light page."""

    background_color = "#fcfdfd"
    styles = _styles({
        "ink": "#1f2428", "soft": "#5a646d", "keyword": "#2458a6", "type": "#0c6470",
        "cuda": "#17654f", "string": "#875300", "number": "#a3411a", "macro": "#6a4c9c",
    })  # fmt: skip


class Dark(Style):
    """On a dark page."""

    background_color = "#181c1f"
    styles = _styles({
        "ink": "#e3e6e8", "soft": "#98a3ab", "keyword": "#8ab6f5", "type": "#74c7d0",
        "cuda": "#6fcfb2", "string": "#e2b77f", "number": "#ffab7e", "macro": "#bda9ea",
    })  # fmt: skip


def setup(app: Sphinx) -> None:
    app.add_lexer("cuda", CudaCppLexer)
