"""Refuses lambdas of host functions that device code calls and that do not say __device__."""

import re

from . import debug_info
from .across_files import demangle
from .messages import Stop

# The call operator of a lambda that stands in a function (_ZZZ: in another lambda).
LAMBDA = re.compile(r"^define [^@\n]*@\"?(_ZZ(?!Z|N?St)(.+?)ENK?Ul[\w.$]*)\"?\(([^\n]*)$", re.M)


def refuse(device, info, tree):
    for symbol, function, rest in LAMBDA.findall(device):
        if re.search(rf"^define [^\n]*@_Z{re.escape(function)}\(", device, re.M):
            continue  # the function is device code itself, and so the lambda is
        file, line = info.place(info.attached(rest))
        head = debug_info.statement(file, line).partition("{")[0]
        if "__device__" in head or tree.is_of_the_device(symbol, within=f"_Z{function}"):
            continue
        raise Stop(
            f"{file}:{line}: a lambda of {demangle('_Z' + function)} is called in device code "
            "without saying __device__: write [=] __device__ (...) {...}"
        )
