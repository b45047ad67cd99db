"""Shared memory in the device IR: thread-local variables, since a block never leaves its thread."""

import re

from . import ir_text
from .ir_text import NAME, first_type, functions, size_of

DYNAMIC_SHARED = "cpu_device_dynamic_shared"


def at_namespace_scope(device):
    """Lets a shared variable outside of functions be as one inside: the host does not know it."""
    return re.sub(
        rf"^(@{NAME} = [^\n]*thread_local(?:\(\w+\))? )externally_initialized (?=global )",
        r"\1",
        device,
        flags=re.M,
    )


def share_dynamic_memory(device):
    """Lets every `extern __shared__` array be the runtime's one dynamic array, as CUDA does."""
    pattern = re.compile(
        rf"^@({NAME}) = external (?:dso_local |hidden )*thread_local(?:\(\w+\))? "
        r"global [^\n]*\n",
        re.M,
    )  # the builtins are constants by now
    names = pattern.findall(device)
    device = pattern.sub("", device)
    if not names:
        return device
    for name in names:
        plain = name.strip('"')
        device = re.sub(
            rf"^define [^\n]*@_ZTW{re.escape(plain[2:])}\(\).*?^\}}\n"
            if plain.startswith("_Z")
            else rf"^define [^\n]*@_ZTW\d+{re.escape(plain)}\(\).*?^\}}\n",
            "",
            device,
            flags=re.M | re.S,
        )
        wrapper = (
            rf"_ZTW{re.escape(plain[2:])}"
            if plain.startswith("_Z")
            else rf"_ZTW\d+{re.escape(plain)}"
        )
        device = re.sub(
            rf"call [^@\n]*@{wrapper}\(\)",
            f"call ptr @llvm.threadlocal.address.p0(ptr @{DYNAMIC_SHARED})",
            device,
        )
        device = ir_text.rename(device, plain, DYNAMIC_SHARED)
    device += f"\n@{DYNAMIC_SHARED} = external thread_local global [0 x i8], align 128\n"
    if "declare nonnull ptr @llvm.threadlocal.address.p0" not in device:
        device += "\ndeclare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)\n"
    return device


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
