"""Refuses calls of the host's constexpr functions, which nvcc takes with --expt-relaxed-constexpr.

clang lets device code call every constexpr function. nvcc refuses one that does not say __device__
in kernels and __device__ functions, and warns in those of both sides. Calls that clang has
evaluated itself (in a static_assert, say) are no longer in the IR and stay unseen.
"""

import re

from . import debug_info, ir_text
from .across_files import demangle
from .host_constants import CALL, STANDARD_LIBRARY
from .messages import Stop

# What nvcc takes for functions of both sides.
TAKEN = re.compile(r"_ZSt(?:4move|7forward)I|[^\n]*initializer_list")
SIDE = re.compile(r"__(?:host|device|global)__")
NOT_THE_USERS = ("/usr/", "/cpu_device_headers")


def refuse(device, info, kernels, tree):
    """Stops at the first such call; `kernels` are the names of the kernels."""
    functions = {function.name: function for function in ir_text.functions(device)}
    seen = {}

    def is_the_hosts(symbol):
        if symbol not in seen:
            seen[symbol] = is_constexpr_of_the_host(functions[symbol], info, tree)
        return seen[symbol]

    for caller in functions.values():
        if not is_for_the_device_only(caller, info, kernels):
            continue
        for text in caller.text.splitlines()[1:]:
            call = CALL.search(text)
            symbol = call[1].strip('"') if call else ""
            if symbol in functions and is_the_hosts(symbol):
                file, line = ir_text.location(device, text)
                raise Stop(
                    f"{file}:{line}: {name_of(functions[symbol], info)} is a constexpr function of "
                    "the host: nvcc lets device code call it only with --expt-relaxed-constexpr"
                )


def name_of(function, info):
    name = demangle(function.name)
    return debug_info.name(described(function, info)) if name == function.name else name


def described(function, info):
    return info.attached(function.text.partition("\n")[0])


def head_of(function, info):
    """(file, the function's declaration up to its body) as the source has it."""
    file, line = info.place(described(function, info))
    lines = debug_info.source(file)
    if file is None or not lines:
        return file or "", ""
    first = (line or 1) - 1
    while first > 0 and not re.search(r"[;{}:]\s*(?://.*)?$|^\s*(?:#|//|\*|$)", lines[first - 1]):
        first -= 1
    return file, re.split(r"[{;]", "\n".join(lines[first : (line or 1) + 4]), maxsplit=1)[0]


def is_for_the_device_only(function, info, kernels):
    file, head = head_of(function, info)
    if file.startswith(NOT_THE_USERS) or STANDARD_LIBRARY.match(function.name):
        return False
    return function.name in kernels or ("__device__" in head and "__host__" not in head)


def is_constexpr_of_the_host(function, info, tree):
    file, head = head_of(function, info)
    if file.endswith("cuda_wrappers/algorithm"):  # clang's own std::min and std::max
        return True
    if SIDE.search(head) or re.search(r"=\s*default\b", head) or TAKEN.match(function.name):
        return False
    if STANDARD_LIBRARY.match(function.name):
        return bool(re.search(r"constexpr|CONSTEXPR", head))
    return (
        bool(re.search(r"\bconst(?:expr|eval)\b", head))
        and not file.startswith(NOT_THE_USERS)
        and tree.is_constexpr(function.name, any_side=False)
    )
