"""Lets unused memory follow every variable, so that what runs over its end reaches no other one."""

import re

from . import across_files
from .ir_text import NAME, first_type, split_list

PADDING = 1024  # bytes; runtime/addresses.cpp knows it too
SHARED = re.compile(
    rf"^(@{NAME} = (?!external)[^\n]*thread_local(?:\(\w+\))? global )([^\n]*)$", re.M
)
DEVICE = re.compile(
    rf'^(@"(?:cpu_device_variable\.|{re.escape(across_files.PREFIX)})[^"\n]*" = hidden global )'
    r"([^\n]*)$",
    re.M,
)


def pad(module):
    def one(match):
        kind = first_type(match[2])
        value, *rest = split_list(match[2][len(kind) :])
        unused = f"[{PADDING} x i8]"
        padded = f"<{{ {kind}, {unused} }}> <{{ {kind} {value}, {unused} zeroinitializer }}>"
        if not any(part.startswith("align ") for part in rest):
            rest.append("align 16")
        return ", ".join([f"{match[1]}{padded}", *rest])

    return DEVICE.sub(one, SHARED.sub(one, module))
