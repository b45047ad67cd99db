"""Where we are: which system, in a container, in WSL, on a Jetson."""

from __future__ import annotations

from tools.doctor.facts import Facts
from tools.doctor.rules.rule import Area, Values

AREA = Area("Machine")


@AREA.rule(
    "error",
    "this is Windows; the course is built for Linux and WSL 2",
    "Open the course inside WSL: wsl --install, then run ./course doctor there.",
    facts=("system.name",),
    symptom="Cannot find compiler 'cl.exe' in PATH",
    cause="nvcc on Windows needs Microsoft's compiler in its environment, in a version it knows. "
    "The course's build, its tests and the CPU device are made for Linux.",
    cure="Work inside WSL 2, which reaches the GPU through the driver of Windows.",
    sources=("huggingface/candle#2241", "gprMax/gprMax#312", "ggml-org/llama.cpp#8628"),
    log=25,
)
def windows_without_wsl(f: Facts) -> Values:
    return f.system.name == "Windows"


@AREA.rule(
    "note",
    "{name} on {machine}: no CUDA here",
    "The CPU device needs clang and Boost.Context only.",
    facts=("system.name",),
)
def system_without_cuda(f: Facts) -> Values:
    if f.system.name not in ("", "Linux"):
        return {"name": f.system.name, "machine": f.system.machine}
    return None


@AREA.rule(
    "warning",
    "WSL 1, which cannot reach a GPU",
    "In Windows: wsl --set-version DISTRIBUTION 2 (wsl --list names yours).",
    facts=("system.wsl",),
    symptom="no CUDA-capable device is detected (in WSL)",
    cause="WSL 1 only translates calls of Linux. WSL 2 has a kernel that reaches the GPU.",
    cure="In Windows, run wsl --set-version DISTRIBUTION 2.",
    sources=("microsoft/WSL#6122",),
)
def wsl_version_1(f: Facts) -> Values:
    return f.system.wsl == 1


@AREA.rule(
    "error",
    "a Linux driver inside WSL ({library}) hides the one that Windows lends",
    "Remove the Linux driver's packages (apt-get remove '*nvidia-driver*' 'libnvidia-*'), then "
    "run `wsl --shutdown` in Windows.",
    facts=("system.linux_driver", "system.wsl_driver", "driver.answer"),
    symptom="CUDA driver version is insufficient for CUDA runtime version (in WSL)",
    cause="In WSL the driver is that of Windows; its library lies in /usr/lib/wsl/lib. A driver "
    "installed inside Linux puts a library of the same name before it.",
    cure="Remove the Linux driver's packages. Install toolkits from the WSL-Ubuntu repository, "
    "whose packages bring no driver.",
    sources=("microsoft/WSL#8174", "microsoft/WSL#6340"),
)
def linux_driver_inside_wsl(f: Facts) -> Values:
    if f.system.wsl == 2 and f.system.linux_driver and not f.usable:
        return {"library": f.system.linux_driver}
    return None


@AREA.rule(
    "note",
    "WSL 2 without a driver from Windows (no libcuda.so.1 in /usr/lib/wsl/lib)",
    "Where the machine has an NVIDIA GPU: install NVIDIA's driver in Windows, none in Linux, and "
    "run `wsl --shutdown`.",
    facts=("system.wsl", "system.wsl_driver"),
    symptom="nvidia-smi: command not found (in WSL)",
    cause="WSL has no driver of its own: it borrows that of Windows, and there is none.",
    cure="Install NVIDIA's driver in Windows, none in Linux. Then run wsl --shutdown.",
)
def wsl_without_driver(f: Facts) -> Values:
    return f.system.wsl == 2 and not f.system.wsl_driver and not f.usable


@AREA.rule(
    "warning",
    "{kind} container without the GPU: the host has driver {driver}, and no device is in here",
    "Start the container with the GPU: docker run --gpus all … (the host needs the NVIDIA "
    "Container Toolkit).",
    facts=("system.container", "driver.loaded", "driver.nodes"),
    symptom="CUDA driver version is insufficient for CUDA runtime version (in a container)",
    cause="The container was started without access to the GPU: neither its device files nor the "
    "driver's libraries are inside. CUDA reports that as an old driver.",
    cure="Start it with --gpus all. The host needs the driver and the NVIDIA Container Toolkit; "
    "no driver goes into the image.",
    sources=("NVIDIA/nvidia-docker#400",),
    log=1,
)
def container_without_gpu(f: Facts) -> Values:
    if f.system.container and f.driver.loaded and not f.driver.nodes and not f.usable:
        return {"kind": f.system.container, "driver": f.driver.loaded}
    return None


@AREA.rule(
    "ok",
    "{model}: CPU and GPU share one memory",
    facts=("system.jetson",),
)
def jetson(f: Facts) -> Values:
    return {"model": f.system.jetson} if f.system.jetson else None


@AREA.rule("ok", "Linux on {machine}{where}", facts=("system.container", "system.wsl"))
def linux(f: Facts) -> Values:
    where = f", in a {f.system.container} container" if f.system.container else ""
    if f.system.wsl:
        where += f", in WSL {f.system.wsl}"
    return {"machine": f.system.machine or "an unknown machine", "where": where}
