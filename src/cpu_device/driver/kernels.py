"""Kernels: which stub belongs to which body, and the thunk and record of each."""

import dataclasses
import re

from . import ir_text, stubs
from .across_files import demangle
from .debug_info import DebugInfo
from .messages import Stop


@dataclasses.dataclass
class Kernel:
    """What both sides know of one kernel instantiation."""

    stub: str  # host symbol, as written in IR without '@'
    name: str  # device symbol
    slots: list  # per source parameter: how the stub holds it (stubs.Slot)


MARKER = "__device_stub__"


def kernel_names(stub):
    """The device symbols that a stub may belong to: its name without the marker.

    In a mangled name the identifier's length stands before it, perhaps right behind another digit
    ("_GLOBAL__N_1" + "19__device_stub__anon"), so there can be several readings.
    """
    match = re.search(rf"(\d+){MARKER}", stub)
    if not match:
        yield stub.replace(MARKER, "", 1)
        return
    before, after = stub[: match.start()], stub[match.end() :]
    for cut in range(len(match[1])):
        length = int(match[1][cut:]) - len(MARKER)
        if length > 0:
            yield f"{before}{match[1][:cut]}{length}{after}"


def find_kernels(host, device):
    kernels = []
    bodies = {function.name: function for function in ir_text.functions(device)}
    for function in ir_text.functions(host):
        if MARKER not in function.name:
            continue
        name = next((name for name in kernel_names(function.name) if name in bodies), None)
        if not name:
            raise Stop(f"internal error: the launch stub {function.name} has no kernel")
        if "..." in function.parameters:
            info = DebugInfo(device)
            file, line = info.place(info.attached(bodies[name].text))
            raise Stop(f"{file}:{line}: the kernel {demangle(name)} cannot have an ellipsis (...)")
        kernels.append(Kernel(function.name, name, stubs.stub_slots(function, host)))
    return kernels


def device_record(kernel, device, unique, shared):
    """The thunk of a kernel, and the constant that describes it to the runtime."""
    body = next(f for f in ir_text.functions(device) if f.name == kernel.name)
    lines, passed = [], []
    for index in range(len(kernel.slots)):
        lines += [
            f"  %slot{index} = getelementptr ptr, ptr %args, i64 {index}",
            f"  %arg{index} = load ptr, ptr %slot{index}",
        ]
    pieces = {
        piece.parameter: (index, piece)
        for index, slot in enumerate(kernel.slots)
        for piece in slot.pieces
    }
    for number, parameter in enumerate(body.parameters):
        index, piece = pieces[number]
        text = ir_text.without_name(parameter)
        if piece.whole:
            passed.append(f"{text} %arg{index}")
            continue
        kind = ir_text.first_type(parameter)
        where = f"%arg{index}"
        if piece.struct:
            lines.append(
                f"  %field{number} = getelementptr {piece.struct}, ptr {where}, "
                f"i32 0, i32 {piece.field}"
            )
            where = f"%field{number}"
        lines.append(f"  %value{number} = load {kind}, ptr {where}, align 1")
        passed.append(f"{text} %value{number}")
    thunk = f'@"cpu_device_thunk.{unique}.{kernel.name}"'
    text = f'@"cpu_device_kernel_name.{unique}.{kernel.name}"'
    sizes = f'@"cpu_device_shared.{unique}.{kernel.name}"'
    places = f'@"cpu_device_shared_places.{unique}.{kernel.name}"'
    count = len(shared)
    return "\n".join(
        [
            "",
            f"define internal void {thunk}(ptr %args) #90000 {{",
            *lines,
            f"  call void @{quote(kernel.name)}({', '.join(passed)}) #90001",
            "  ret void",
            "}",
            ir_text.string_constant(text, kernel.name),
            f"{sizes} = internal constant [{count} x i64] "
            f"[{', '.join(f'i64 {size}' for _, size in shared)}]",
            *shared_places(places, [name for name, _ in shared]),
            *shared_names(kernel, unique, [name for name, _ in shared]),
            f"@{record_symbol(kernel, unique)} = hidden constant "
            f"{{ ptr, ptr, i64, ptr, ptr, ptr }} {{ ptr {thunk}, ptr {text}, i64 {count}, "
            f"ptr {sizes}, ptr {places}, "
            f'ptr @"cpu_device_shared_names.{unique}.{kernel.name}" }}',
            "",
        ]
    )


def shared_places(function, names):
    """A function that stores where the kernel's static shared variables lie on this OS thread."""
    lines = []
    for index, name in enumerate(names):
        lines += [
            f"  %place{index} = getelementptr ptr, ptr %places, i64 {index}",
            f"  store ptr @{name}, ptr %place{index}",
        ]
    return [f"define internal void {function}(ptr %places) #90000 {{", *lines, "  ret void", "}"]


def shared_names(kernel, unique, names):
    """The symbols of the kernel's static shared variables, for messages."""
    table = f"cpu_device_shared_names.{unique}.{kernel.name}"
    symbols = [f'@"cpu_device_shared_name{i}.{unique}.{kernel.name}"' for i in range(len(names))]
    for symbol, name in zip(symbols, names, strict=True):
        yield ir_text.string_constant(symbol, name.strip('"'))
    yield (
        f'@"{table}" = internal constant [{len(names)} x ptr] '
        f"[{', '.join(f'ptr {symbol}' for symbol in symbols)}]"
    )


def record_symbol(kernel, unique):
    return f'"cpu_device_kernel.{unique}.{kernel.name}"'


def quote(name):
    return name if re.fullmatch(r"[\w.$-]+", name) else f'"{name}"'
