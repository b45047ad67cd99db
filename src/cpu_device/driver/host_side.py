"""The host module: a start-up function that registers kernels and variables."""

from . import annotations, ir_text
from .kernels import MARKER, quote, record_symbol
from .messages import Stop
from .variables import shadow_of


def refuse_clusters(host):
    for cluster in annotations.annotations_of(host, "cpu_device_cluster_dims"):
        raise Stop(
            f"{cluster.file}:{cluster.line}: __cluster_dims__ cannot be had on the CPU device, "
            "which has no clusters of blocks"
        )


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
    for bounds in annotations.annotations_of(host, "cpu_device_launch_bounds"):
        if MARKER in bounds.name and bounds.numbers:  # none where all are 0, which bounds nothing
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
