"""Refuses what nvcc refuses and clang lets pass."""

import re

from . import annotations, debug_info, ir_text
from .across_files import demangle
from .messages import Stop

INSTRUCTIONS = {
    "@__dynamic_cast(": "device code has no dynamic_cast",
    "@llvm.stacksave": "an array of device code must have a constant length",
    "@__cxa_guard_acquire(": "a static variable of device code must have a constant value",
}
THREAD_LOCAL = re.compile(r"^@[^\n]*\bthread_local [^\n]*?(?:global|constant) [^\n]*$", re.M)
INITIALISER = r"\b{name}\b\s*(?:\[[^\]]*\]\s*)*(?:=(?!=)|\{{)"


def refuse(host, device, host_info, info, kernels):
    """`kernels` are the names of the kernels in the device module."""
    refuse_instructions(device)
    refuse_shared_variables_of_the_host(host, host_info)
    refuse_thread_local_variables(device, info)
    refuse_launch_bounds(device, kernels)
    refuse_kernels(device, info, kernels)
    for module in (host, device):
        refuse_writing_constants(module)


def refuse_instructions(device):
    for text, sentence in INSTRUCTIONS.items():
        if text in device:
            for line in re.findall(
                rf"^  (?:%|call|invoke)[^\n]*{re.escape(text)}[^\n]*$", device, re.M
            ):
                stop(ir_text.location(device, line), sentence)


def thread_local_variables(module, info):
    """(line of IR, description, place, statement in the source) of each."""
    for line in THREAD_LOCAL.findall(module):
        variable = info.attached(line)
        place = info.place(variable)
        yield line, variable, place, debug_info.statement(*place)


def refuse_shared_variables_of_the_host(host, info):
    for line, variable, place, statement in thread_local_variables(host, info):
        if line.startswith("@_ZZ") and "__shared__" in statement:
            name = debug_info.name(variable)
            stop(place, f"{name} is __shared__ in a function of the host, which has no blocks")


def refuse_thread_local_variables(device, info):
    for _, variable, place, statement in thread_local_variables(device, info):
        if re.search(r"\b(?:thread_local|__thread)\b", statement):
            stop(place, "device code has no thread_local variables")
        if "__shared__" in statement:
            name = debug_info.name(variable)
            if re.search(INITIALISER.format(name=re.escape(name)), statement):
                stop(place, f"the __shared__ variable {name} cannot have an initialiser")


def refuse_launch_bounds(device, kernels):
    for bounds in annotations.annotations_of(device, "cpu_device_launch_bounds"):
        if bounds.name not in kernels:
            place = bounds.file, bounds.line
            stop(place, f"__launch_bounds__ is for kernels, not for {demangle(bounds.name)}")


def refuse_kernels(device, info, kernels):
    for name, rest in re.findall(rf"^define [^@\n]*@({ir_text.NAME})\(([^\n]*)$", device, re.M):
        if name.strip('"') not in kernels:
            continue
        kernel = info.attached(rest)
        place = info.place(kernel)
        if info.part(kernel, "declaration"):
            stop(place, f"the kernel {demangle(name)} cannot be a member of a class")
        if any("DW_TAG_rvalue_reference_type" in kind for kind in info.parameters(kernel)):
            stop(place, f"the kernel {demangle(name)} cannot have an rvalue reference (&&)")
        head = debug_info.statement(*place).partition("{")[0]
        if word := re.search(r"\b(?:noexcept|constexpr)\b", head):
            stop(place, f"the kernel {demangle(name)} cannot be {word[0]}")


def refuse_writing_constants(module):
    constants = [
        name
        for name, text in annotations.annotations(module).items()
        if text == "cpu_device_constant"
    ]
    if not constants:
        return
    names = re.compile("@(" + "|".join(map(re.escape, constants)) + r")(?![\w.$-])")
    for function in ir_text.functions(module):
        inside = {}  # register -> the constant that it points into
        for line in function.text.splitlines():
            if element := re.match(r"  (%[\w.]+) = getelementptr [^\n]*? ptr (@?[^,\n]+),", line):
                if used := names.search(line):
                    inside[element[1]] = used[1]
                elif element[2] in inside:
                    inside[element[1]] = inside[element[2]]
            elif line.startswith("  store "):
                target = ir_text.split_list(line)[1]
                used = names.search(target)
                constant = used[1] if used else inside.get(target.removeprefix("ptr "))
                if constant:
                    stop(
                        ir_text.location(module, line),
                        f"{demangle(constant)} is __constant__: only cudaMemcpyToSymbol writes it",
                    )


def stop(place, sentence):
    raise Stop(f"{place[0]}:{place[1]}: {sentence}")
