"""Refuses data members in the memory of the device, which CUDA does not have."""

import re

from . import annotations, debug_info, ir_text
from .messages import Stop


def refuse(device, info):
    """`info` is the device module's DebugInfo."""
    kinds = annotations.annotations(device)
    for name, rest in re.findall(rf"^@({ir_text.NAME}) = ([^\n]*)$", device, re.M):
        of_the_device = re.search(r"\b(?:externally_initialized|thread_local)\b", rest)
        if of_the_device or name.strip('"') in kinds:
            member = info.part(info.attached(rest), "declaration")
            if member:
                stop(*info.place(member), debug_info.name(member))


def is_member(symbol):
    """Of a static variable: an L in the symbol would say that it stands outside of classes."""
    return re.match(r"_ZN(?!.*_GLOBAL__N_)(?!.*L\d+\w+E$)", symbol)


def stop(file, line, name):
    raise Stop(
        f"{file}:{line}: {name} is a data member in the memory of the device, which nvcc does not "
        "allow; make it a variable outside of the class"
    )
