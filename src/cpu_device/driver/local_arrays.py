"""Lets unused memory surround every local array, and tells the runtime where the array is.

A thread's local array is a part of its stack, so an index that is too large reaches some other
variable. Arrays whose address comes from the runtime are not kept in registers, and each access to
them is seen: only --check does this.
"""

import re

from . import ir_text

PADDING = 512  # bytes on either side; a multiple of every alignment
ALLOCA = re.compile(rf"^  (%{ir_text.NAME}) = alloca ([^\n]*?), align (\d+)([^\n]*)$", re.M)


def watch(module):
    structs = dict(re.findall(r'^(%(?:"[^"\n]+"|[\w.]+)) = type ([^\n]*)$', module, re.M))
    seen = False

    def one_function(match):
        nonlocal seen
        arrays = [a for a in ALLOCA.finditer(match[0]) if holds_array(a[2], structs)]
        if not arrays:
            return match[0]
        seen = True
        names = "|".join(re.escape(array[1]) for array in arrays)
        text = ALLOCA.sub(lambda a: padded(a) if holds_array(a[2], structs) else a[0], match[0])
        return re.sub(
            rf"^  call void @llvm\.lifetime\.\w+\.p0\([^\n]*ptr (?:nonnull )?(?:{names})\)[^\n]*\n",
            "",
            text,
            flags=re.M,
        )

    module = re.sub(r"^define .*?^\}\n", one_function, module, flags=re.M | re.S)
    return module + "\ndeclare ptr @cpu_device_local(ptr, i64)\n" if seen else module


def holds_array(kind, structs):
    """Is it an array, or a structure with one in it?"""
    if re.match(r"\[\d+ x ", kind):
        return True
    body = structs.get(kind, kind if kind.startswith(("{", "<{")) else "")
    return any(
        holds_array(part, structs)
        for part in ir_text.split_list(body.strip("<{ }>"))
        if part != kind
    )


def padded(alloca):
    name, kind, align, rest = alloca.groups()
    whole = "%local." + re.sub(r"[^\w.]", "_", name[1:])
    around = f"<{{ [{PADDING} x i8], {kind}, [{PADDING} x i8] }}>"
    return (
        f"  {whole} = alloca {around}, align {max(int(align), 16)}{rest}\n"
        f"  {whole}.inside = getelementptr {around}, ptr {whole}, i32 0, i32 1\n"
        f"  {name} = call ptr @cpu_device_local(ptr {whole}.inside, i64 {ir_text.size_of(kind)})"
    )
