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

import re

from . import (
    across_files,
    class_members,
    constexpr_calls,
    device_side,
    host_constants,
    host_side,
    lambdas,
    misuse,
    shared_memory,
    structure_copies,
    variable_padding,
)
from .debug_info import DebugInfo
from .kernels import device_record, find_kernels
from .variables import export_variables, variable_record


def join(host, device, unique, opts, source, tree):
    """Returns the two modules' new texts."""
    device_side.refuse_inline_ptx(device, source)
    host_side.refuse_clusters(host)
    kernels = find_kernels(host, device)
    refuse_misuse(host, device, {kernel.name for kernel in kernels}, opts, tree)
    device = shared_memory.at_namespace_scope(device)
    if opts.relocatable:
        device = across_files.share(device, [kernel.name for kernel in kernels])
    else:
        across_files.refuse(device, source)
    device, variables = export_variables(device, unique)
    device = device_side.simplify_builtins(device)
    device = shared_memory.share_dynamic_memory(device)
    device = device_side.rename_functions(device)
    device = device_side.poll_at_volatile_loads(device)
    device = device_side.clamp_conversions(device)
    shared = shared_memory.shared_variables(device, [kernel.name for kernel in kernels])
    device = device_side.internalise(device)
    if opts.instrumented:
        device = variable_padding.pad(device)
        device = structure_copies.split(device)
        device = re.sub(r"^(attributes #\d+ = \{)", r"\1 sanitize_thread", device, flags=re.M)
    device += "".join(
        device_record(kernel, device, unique, shared[kernel.name]) for kernel in kernels
    )
    device += "".join(variable_record(variable) for variable in variables)
    device += (
        "\nattributes #90000 = { uwtable nosanitize_coverage }\nattributes #90001 = { noinline }\n"
    )
    return host_side.host_registration(host, kernels, variables, unique, opts.check), device


def refuse_misuse(host, device, kernels, opts, tree):
    """Stops at what nvcc refuses and clang lets pass."""
    info = DebugInfo(device)
    class_members.refuse(device, info)
    lambdas.refuse(device, info, tree)
    misuse.refuse(host, device, DebugInfo(host), info, kernels)
    host_constants.refuse(device, kernels, tree)
    if not opts.relaxed_constexpr:
        constexpr_calls.refuse(device, info, kernels, tree)
