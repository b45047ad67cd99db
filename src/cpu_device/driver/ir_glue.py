"""Joins the host IR and the device IR of one .cu file.

Host side: clang has made a *stub* for each kernel instantiation. It puts the addresses of its
parameters into an array and calls cudaLaunchKernel(stub, ...). We leave the stubs alone and add a
start-up function which tells the runtime, for each stub, where the kernel is, and for each
variable's host shadow, where the device variable is (as nvcc's start-up code does).

Device side: for each kernel a *thunk* takes that array, loads the parameters as the calling
convention wants them, and calls the body. Everything else becomes private to the object, so that
device copies of functions never meet the host's.

Everything is text: opaque pointers (clang 16 and newer) make the needed edits small.
"""

import dataclasses
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
DYNAMIC_SHARED = "cpu_device_dynamic_shared"
# threadIdx and its kin; see include/cpu_device/builtins.h.
BUILTINS = {
    "cpu_device_thread_index",
    "cpu_device_block_index",
    "cpu_device_block_dim",
    "cpu_device_grid_dim",
}
KINDS = {"cpu_device_constant": 1, "cpu_device_managed": 2}  # 0: plain __device__

NAME = ir_text.NAME


@dataclasses.dataclass
class Kernel:
    """What both sides know of one kernel instantiation."""

    stub: str  # host symbol, as written in IR without '@'
    name: str  # device symbol
    slots: list  # per source parameter: how the stub holds it (ir_text.Slot)


def join(host, device, unique, opts, source):
    """Returns the two modules' new texts."""
    refuse_inline_ptx(device, source)
    refuse_clusters(host)
    kernels = find_kernels(host, device)
    if opts.relocatable:
        device = across_files.share(device, [kernel.name for kernel in kernels])
    else:
        across_files.refuse(device, source)
    device, variables = export_variables(device, unique)
    device = simplify_builtins(device)
    device = share_dynamic_memory(device)
    device = rename_functions(device)
    device = poll_at_volatile_loads(device)
    shared = ir_text.shared_variables(device, [kernel.name for kernel in kernels])
    device = internalise(device)
    if opts.instrumented:
        device = ir_text.pad_shared_variables(device)
        device = ir_text.whole_vector_copies(device)
        device = re.sub(r"^(attributes #\d+ = \{)", r"\1 sanitize_thread", device, flags=re.M)
    device += "".join(
        device_record(kernel, device, unique, shared[kernel.name]) for kernel in kernels
    )
    device += "".join(variable_record(variable) for variable in variables)
    device += (
        "\nattributes #90000 = { uwtable nosanitize_coverage }\nattributes #90001 = { noinline }\n"
    )
    return host_registration(host, kernels, variables, unique, opts.check), device


# ---- kernels


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
        kernels.append(Kernel(function.name, name, ir_text.stub_slots(function, host)))
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


# ---- variables


@dataclasses.dataclass
class Variable:
    name: str
    symbol: str  # quoted new device symbol, without '@'
    info: str  # quoted symbol of its description
    type: str
    kind: int


def export_variables(device, unique):
    """Gives device variables names of this object's own and collects them."""
    kinds = {name: KINDS.get(text, 0) for name, text in ir_text.annotations(device).items()}
    variables = []
    pattern = re.compile(
        rf"^@({NAME}) = (?P<head>[^\n]*?)externally_initialized "
        r"(?:global|constant) (?P<rest>[^\n]*)$",
        re.M,
    )

    def rewrite(match):
        name = match[1].strip('"')
        type_text = ir_text.first_type(match["rest"])
        shared = name.startswith(across_files.PREFIX)
        name = name.removeprefix(across_files.PREFIX)
        variable = Variable(
            name,
            f'"{across_files.PREFIX}{name}"'
            if shared
            else f'"cpu_device_variable.{unique}.{name}"',
            f'"cpu_device_variable_info.{unique}.{name}"',
            type_text,
            kinds.get(name, 0),
        )
        variables.append(variable)
        rest = re.sub(r", (?:comdat(?:\([^)]*\))?|section \"[^\"]*\")", "", match["rest"])
        return f"@{match[1]} = hidden global {rest}"

    device = pattern.sub(rewrite, device)
    for variable in variables:
        device = ir_text.rename(device, variable.name, variable.symbol)
    return device, variables


def variable_record(variable):
    text = variable.info.replace("variable_info", "variable_name")
    size = ir_text.size_of(variable.type)
    return "\n".join(
        [
            "",
            ir_text.string_constant("@" + text, variable.name),
            f"@{variable.info} = hidden constant {{ ptr, i64, ptr, i32 }} "
            f"{{ ptr @{variable.symbol}, i64 {size}, ptr @{text}, i32 {variable.kind} }}",
            "",
        ]
    )


# ---- the rest of the device module


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
        rf"^(@{NAME} = )(?!hidden |external |extern_weak |appending |"
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


def refuse_clusters(host):
    for cluster in ir_text.annotations_of(host, "cpu_device_cluster_dims"):
        raise Stop(
            f"{cluster.file}:{cluster.line}: __cluster_dims__ cannot be had on the CPU device, "
            "which has no clusters of blocks"
        )


# ---- the host module


def host_registration(host, kernels, variables, unique, check):
    calls, extra = [], []
    if check:
        calls.append("  call void @cpu_device_built_for_checking()")
        extra.append("declare void @cpu_device_built_for_checking()")
    for kernel in kernels:
        sizes = [slot.size for slot in kernel.slots]
        table = f'@"cpu_device_sizes.{unique}.{kernel.name}"'
        extra += [
            f"@{record_symbol(kernel, unique)} = external hidden constant i8",
            f"{table} = internal constant [{len(sizes)} x i64] ["
            + ", ".join(f"i64 {size}" for size in sizes)
            + "]",
        ]
        calls.append(
            f"  call void @cpu_device_register_kernel(ptr @{quote(kernel.stub)}, "
            f"ptr @{record_symbol(kernel, unique)}, ptr {table}, i64 {len(sizes)})"
        )
    for bounds in ir_text.annotations_of(host, "cpu_device_launch_bounds"):
        if MARKER in bounds.name:
            calls.append(
                f"  call void @cpu_device_register_launch_bounds(ptr @{quote(bounds.name)}, "
                f"i32 {bounds.numbers[0]})"
            )
    for variable in variables:
        host, shadow = shadow_of(host, variable)
        extra.append(f"@{variable.info} = external hidden constant i8")
        calls.append(
            f"  call void @cpu_device_register_variable(ptr {shadow}, ptr @{variable.info})"
        )
    if not calls:
        return host
    register = f'@"cpu_device_register.{unique}"'
    host += "\n".join(
        [
            "",
            *extra,
            f"define internal void {register}() {{",
            *calls,
            "  ret void",
            "}",
            "declare void @cpu_device_register_kernel(ptr, ptr, ptr, i64)",
            "declare void @cpu_device_register_launch_bounds(ptr, i32)",
            "declare void @cpu_device_register_variable(ptr, ptr)",
            "",
        ]
    )
    return ir_text.add_constructor(host, register)


def shadow_of(host, variable):
    """The host variable that stands for a device variable; a managed one *is* the variable."""
    pattern = re.compile(
        rf'^@"?{re.escape(variable.name)}"? = [^\n]*global [^\n]* undef[^\n]*\n', re.M
    )
    match = pattern.search(host)
    if not match:
        return host, "null"
    if variable.kind == 2:
        host = host[: match.start()] + host[match.end() :]
        host = ir_text.rename(host, variable.name, variable.symbol)
        return host + f"\n@{variable.symbol} = external hidden global i8\n", "null"
    line = match[0].replace(" undef", " zeroinitializer", 1)
    return host[: match.start()] + line + host[match.end() :], f"@{quote(variable.name)}"
