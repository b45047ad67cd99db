"""The rest of the device module: names, builtins, polling, linkage, what is refused."""

import re

from . import across_files, ir_text
from .messages import Stop

# Functions of the C library that mean something else in a kernel.
DEVICE_FUNCTIONS = {
    "printf": "cpu_device_printf",
    "vprintf": "cpu_device_vprintf",
    "puts": "cpu_device_puts",
    "putchar": "cpu_device_putchar",
    "__assert_fail": "cpu_device_assert_fail",
    "malloc": "cpu_device_heap_malloc",
    "free": "cpu_device_heap_free",
    "abort": "cpu_device_trap",
}
# threadIdx and its kin; see include/cpu_device/builtins.h.
BUILTINS = {
    "cpu_device_thread_index",
    "cpu_device_block_index",
    "cpu_device_block_dim",
    "cpu_device_grid_dim",
}


def simplify_builtins(device):
    """Declares threadIdx and its kin constant, so that reading them is no access worth noting."""
    for name in BUILTINS:
        device = re.sub(
            rf"^(@{name} = external [^\n]*thread_local) global ",
            r"\1 constant ",
            device,
            flags=re.M,
        )
        device = re.sub(
            rf"call [^@\n]*@llvm\.threadlocal\.address\.p0\(ptr [^@\n]*@{name}\)",
            f"getelementptr i8, ptr @{name}, i64 0",
            device,
        )
    return device


def rename_functions(device):
    for old, new in DEVICE_FUNCTIONS.items():
        if f"@{old}(" in device:
            device = ir_text.rename(device, old, new)
    return device


def poll_at_volatile_loads(device):
    """Tells the scheduler of each volatile load: `while (*flag == 0);` must let others run."""
    device, count = re.subn(
        r"^(  %[\w.]+ = load volatile )", r"  call void @cpu_device_poll()\n\1", device, flags=re.M
    )
    return device + "\ndeclare void @cpu_device_poll()\n" if count else device


SIZES = {"float": "f32", "double": "f64"}


def clamp_conversions(device):
    """Lets a plain cast to an integer do what a GPU's does: too large values become the limit."""
    used = {}

    def rewrite(match):
        target, conversion, kind, value, integer = match.groups()
        name = f"llvm.{conversion}.sat.{integer}.{SIZES[kind]}"
        used[name] = f"declare {integer} @{name}({kind})\n"
        return f"{target}call {integer} @{name}({kind} {value})"

    device = re.sub(
        r"^(  %[\w.]+ = )(fpto[su]i) (float|double) (\S+) to (i32|i64)\b",
        rewrite,
        device,
        flags=re.M,
    )
    return device + "\n" + "".join(used.values())


LINKAGE = (
    r"(?:(?:linkonce_odr|weak_odr|linkonce|weak|internal|private|dso_local|hidden|"
    r"protected|common) )*"
)


def internalise(device):
    """Makes functions, constants and aliases private to the object, and drops comdats."""
    device = re.sub(r"^\$[^\n]* = comdat any\n", "", device, flags=re.M)
    device = re.sub(r",? comdat(?:\(\$[^)\n]*\))?(?=[ ,\n{])", "", device)
    device = re.sub(
        rf'^define {LINKAGE}(?!available_externally|[^@\n]*@"{across_files.PREFIX})',
        "define internal ",
        device,
        flags=re.M,
    )
    return re.sub(
        rf"^(@{ir_text.NAME} = )(?!hidden |external |extern_weak |appending |"
        rf"available_externally ){LINKAGE}",
        r"\1internal ",
        device,
        flags=re.M,
    )


def refuse_inline_ptx(device, source):
    for line in re.findall(r"^ [^\n]* asm [^\n]*$", device, re.M):
        text = re.search(r' asm (?:\w+ )*"([^"]*)"', line)
        if not text or not text[1].strip():
            continue  # asm volatile("" ::: "memory") is a compiler fence, fine anywhere
        file, number = ir_text.location(device, line)
        raise Stop(
            f"{file or source}:{number or '?'}: inline PTX cannot run on the CPU device, "
            "which has no GPU instructions"
        )
