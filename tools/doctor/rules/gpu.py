"""The GPUs: seen, hidden, busy, divided, too old."""

from __future__ import annotations

from tools import toolchain
from tools.doctor.compatibility import number_of
from tools.doctor.facts import Facts
from tools.doctor.rules import driver
from tools.doctor.rules.rule import Area, Values, judge
from tools.doctor.rules.words import CPU_MEANWHILE, card
from tools.probe import Gpu

AREA = Area("GPU")

LEAST_CAPABILITY = 75  # the oldest GPU that the course's programs are written for


def capabilities(gpus: list[Gpu]) -> str:
    return ", ".join(described(gpu) for gpu in gpus)


def described(gpu: Gpu) -> str:
    shared = ", memory shared with the CPU" if gpu.integrated or "(nvgpu)" in gpu.name else ""
    return f"{gpu.name} (compute capability {gpu.capability}{shared})"


def too_old(f: Facts) -> list[Gpu]:
    """GPUs for which the toolkit has no machine code, since they are older than all that it has."""
    known = f.toolkit.architectures or f.table.architectures(f.toolkit.number)
    numbers = [(gpu, number_of(gpu.capability)) for gpu in f.gpus.usable]
    return [gpu for gpu, number in numbers if known and 0 < number < known[0]]


@AREA.rule(
    "error",
    "CUDA_VISIBLE_DEVICES='{value}' hides {card}",
    "Let it be seen: unset CUDA_VISIBLE_DEVICES",
    facts=("gpus.visible", "gpus.listed", "driver.answer"),
    symptom="no CUDA-capable device is detected (100), beside a fine nvidia-smi",
    cause="CUDA_VISIBLE_DEVICES is set to an empty text, to -1, to a number past the last GPU or "
    "to a word: then CUDA shows no GPU. Often it is an old line in a shell file.",
    cure="unset CUDA_VISIBLE_DEVICES, and look for the line that sets it.",
    sources=(
        "numba/numba#5793",
        "endernewton/tf-faster-rcnn#38",
        "pytorch/examples#115",
        "cBio/cbio-cluster#1",
        "JuliaGPU/CUDA.jl#1336",
    ),
    log=17,
)
def visible_devices_hides_gpu(f: Facts) -> Values:
    there = f.gpus.listed or f.gpus.pci or f.driver.serves
    if f.gpus.visible is None or f.usable or not there:
        return None
    if f.driver.error not in (0, 3, 100, 101) or (f.driver.answer and f.driver.answer.late):
        return None
    return {"value": f.gpus.visible, "card": card(f)}


@AREA.rule(
    "error",
    "MIG is switched on, and no instance is set up: CUDA sees no GPU",
    "Ask the administrator for an instance (sudo nvidia-smi mig -cgi PROFILE -C), or to switch MIG "
    "off.",
    facts=("gpus.mig_enabled", "gpus.mig_instances", "driver.answer"),
    symptom="no CUDA-capable device is detected (100), while nvidia-smi shows MIG: Enabled",
    cause="With MIG a GPU is divided into instances, and programs run on instances only.",
    cure="Have an instance set up, or MIG switched off. nvidia-smi -L lists the instances.",
    sources=("wilicc/gpu-burn#36",),
)
def mig_without_instance(f: Facts) -> Values:
    return f.gpus.mig_enabled and not f.gpus.mig_instances and not f.usable


@AREA.rule(
    "error",
    "GPU {index} is in {mode} mode and taken{other}",
    "{advice}",
    facts=("gpus.listed", "gpus.usable", "gpus.visible"),
    symptom="all CUDA-capable devices are busy or unavailable (46)",
    cause="The GPU is in exclusive mode, in which one process at a time can use it, and another "
    "process does.",
    cure="Choose a free GPU (CUDA_VISIBLE_DEVICES=1), or wait. Doctor says which one is free.",
    sources=(
        "NVIDIA/DIGITS#2005",
        "pytorch/pytorch#3871",
        "cwpearson/stencil#11",
        "jade-hpc-gpu/jade-hpc-gpu.github.io#73",
    ),
    log=16,
)
def gpu_taken(f: Facts) -> Values:
    chosen = f.gpus.chosen[:1]
    taken = [gpu for gpu in chosen if "exclusive" in gpu.mode.lower() and gpu.busy]
    if not taken:
        return first_refused(f)
    free = [gpu.index for gpu in f.gpus.listed if not gpu.busy and gpu.mode != "Prohibited"]
    return {
        "index": taken[0].index,
        "mode": taken[0].mode,
        "other": f"; GPU {free[0]} is free" if free else ", and no other is free",
        "advice": f"Take the free one: export CUDA_VISIBLE_DEVICES={free[0]}" if free else WAIT,
    }


WAIT = "Wait until the other process ends: nvidia-smi shows it."


def first_refused(f: Facts) -> Values:
    """By CUDA's own word, for machines without nvidia-smi."""
    first = f.gpus.usable[:1]
    if not first or first[0].mode != "exclusive" or not first[0].error:
        return None
    free = [gpu.index for gpu in f.gpus.usable if not gpu.error and gpu.mode != "prohibited"]
    chosen = f.gpus.visible.split(",") if f.gpus.visible else []
    advice = WAIT
    if free:  # CUDA counts what CUDA_VISIBLE_DEVICES leaves
        name = chosen[free[0]].strip() if free[0] < len(chosen) else free[0]
        advice = f"Take the free one: export CUDA_VISIBLE_DEVICES={name}"
    other = f"; GPU {free[0]} is free" if free else ", and no other is free"
    return {"index": 0, "mode": "exclusive", "other": other, "advice": advice}


@AREA.rule(
    "error",
    "GPU {index} is in mode Prohibited: no program may use it",
    "Choose another GPU with CUDA_VISIBLE_DEVICES, or ask the administrator "
    "(sudo nvidia-smi -i {index} -c DEFAULT).",
    facts=("gpus.listed", "gpus.visible"),
    symptom="all CUDA-capable devices are busy or unavailable (46), on an idle GPU",
    cause="The GPU's compute mode is Prohibited: the administrator keeps programs off it.",
    cure="Choose another GPU with CUDA_VISIBLE_DEVICES, or ask for the mode Default.",
    log=16,
)
def gpu_prohibited(f: Facts) -> Values:
    for gpu in f.gpus.chosen[:1]:
        if gpu.mode == "Prohibited":
            return {"index": gpu.index}
    first = f.gpus.usable[:1]
    return {"index": 0} if first and first[0].mode == "prohibited" else None


@AREA.rule(
    "error",
    "{card} has compute capability {capability}, but CUDA {toolkit} builds for {least} and newer "
    "only",
    "The GPU needs a toolkit that knows it{last}; the driver is not at fault. " + CPU_MEANWHILE,
    facts=("gpus.usable", "toolkit.version", "toolkit.architectures"),
    symptom="nvcc fatal: Unsupported gpu architecture, or: no kernel image is available for "
    "execution on the device (209)",
    cause="The toolkit has dropped this GPU's architecture: CUDA 13 has none before Turing (7.5). "
    "The driver still serves the GPU.",
    cure="Build with the last toolkit that knows the GPU; for Maxwell, Pascal and Volta that is "
    "CUDA 12.9. The table of architectures shows the others.",
    sources=("I2PC/xmipp3#1074", "Comfy-Org/ComfyUI#16438", "pytorch/pytorch#172352"),
    log=19,
)
def gpu_too_old_for_toolkit(f: Facts) -> Values:
    old = too_old(f)
    if not old or len(old) < len(f.gpus.usable):
        return None
    known = f.toolkit.architectures or f.table.architectures(f.toolkit.number)
    last = f.table.last_toolkit(old[0].capability)
    return {
        "card": old[0].name,
        "capability": old[0].capability,
        "toolkit": f.toolkit.version,
        "least": toolchain.dotted(known[0]),
        "last": f": {last} is the last" if last else "",
    }


@AREA.rule("ok", "{gpus}", facts=("gpus.usable", "driver.answer"))
def gpu_works(f: Facts) -> Values:
    return {"gpus": capabilities(f.gpus.usable)} if f.usable else None


@AREA.rule(
    "note",
    "{card} is there; the driver's line says why it cannot be used",
    facts=("gpus.listed", "gpus.pci"),
)
def gpu_waits_for_driver(f: Facts) -> Values:
    broken = any(finding.rule.level == "error" for finding in judge(f, driver.AREA))
    return {"card": card(f)} if broken and f.gpus.seen else None


@AREA.rule(
    "error",
    "{card} is there, but CUDA cannot use it (error {error})",
    "Restart the machine; in a container, start it with --gpus all.",
    facts=("gpus.listed", "driver.answer"),
    symptom="unknown error (999), or no CUDA-capable device is detected (100)",
    cause="nvidia-smi reaches the GPU, CUDA does not: often after the machine slept, or in a "
    "container that was given only a part of the driver.",
    cure="Restart the machine (or reload the module nvidia_uvm). In a container, start it with "
    "--gpus all.",
    sources=("pytorch/pytorch#49081", "pytorch/pytorch#88639", "mumax/3#167"),
)
def gpu_unusable(f: Facts) -> Values:
    answer = f.driver.answer
    if not f.gpus.listed or not answer or not answer.ran:
        return None
    return {"card": card(f), "error": answer.count_error}


@AREA.rule(
    "warning",
    "{card} is there; CUDA was not asked",
    "Run a program: ./course run 3 one_thread --device gpu.",
    facts=("gpus.listed", "driver.answer"),
)
def gpu_not_asked(f: Facts) -> Values:
    return {"card": card(f)} if f.gpus.listed else None


@AREA.rule(
    "note",
    "none that CUDA can use",
    "Everything works but timing: the CPU device checks answers and counts accesses.",
    facts=("driver.answer",),
    symptom="Can I follow this without an NVIDIA GPU?",
    cause="CUDA's own compiler makes code for NVIDIA GPUs only.",
    cure="Yes: the CPU device runs every example. Only times need a GPU.",
    sources=("apache/mxnet#9375", "BVLC/caffe#1680", "NVIDIA/accelerated-computing-hub#44"),
    log=84,
)
def no_gpu(f: Facts) -> Values:
    return True


# --- Remarks -------------------------------------------------------------------------------------


@AREA.rule(
    "warning",
    "{name} is set, which nothing reads: did you mean CUDA_VISIBLE_DEVICES?",
    "Rename it, or unset {name}.",
    remark=True,
    facts=("gpus.misspelt",),
    symptom="CUDA_VISIBLE_DEVICES has no effect",
    cause="The name is misspelt. Nobody reads the other variable, and nobody says so.",
    cure="Doctor names variables that look like it.",
    log=17,
)
def visible_devices_misspelt(f: Facts) -> Values:
    return {"name": f.gpus.misspelt} if f.gpus.misspelt else None


@AREA.rule(
    "note",
    "CUDA_VISIBLE_DEVICES={value} chooses which GPUs are seen",
    remark=True,
    facts=("gpus.visible",),
)
def visible_devices_set(f: Facts) -> Values:
    return {"value": f.gpus.visible} if f.usable and f.gpus.visible is not None else None


@AREA.rule(
    "warning",
    "nvidia-smi missing: no clocks or temperatures in timing reports",
    "{advice}",
    remark=True,
    facts=("driver.smi", "driver.smi_code", "system.container"),
    symptom="nvidia-smi: command not found, while CUDA programs work",
    cause="nvidia-smi is a helper program. A container without the capability utility, a small "
    "image or a Jetson lacks it.",
    cure="CUDA needs nothing of it. For clocks and temperatures in timing reports, start the "
    "container with NVIDIA_DRIVER_CAPABILITIES=compute,utility.",
    sources=(
        "NVIDIA/nvidia-container-toolkit#730",
        "NVIDIA/nvidia-docker#1668",
        "gw0/docker-keras#7",
    ),
    log=14,
)
def smi_missing(f: Facts) -> Values:
    if not f.usable or f.system.jetson or (f.driver.smi and f.driver.smi_code != 127):
        return None
    in_container = "Start the container with NVIDIA_DRIVER_CAPABILITIES=compute,utility."
    return {"advice": in_container if f.system.container else "Install the driver's utilities."}


@AREA.rule(
    "note",
    "clocks, memory and temperature are not readable on this device",
    remark=True,
    facts=("gpus.listed", "system.jetson"),
    symptom="nvidia-smi is missing or full of N/A (Jetson)",
    cause="The GPU is a part of the processor; nvidia-smi is absent there, or knows little.",
    cure="Nothing to do: doctor asks CUDA itself. Timing reports leave out what is not readable.",
    sources=("ultralytics/ultralytics#20680", "huggingface/candle#1462", "sgl-project/sglang#7336"),
    log=12,
)
def values_not_readable(f: Facts) -> Values:
    blank = any(not gpu.memory and not gpu.mode for gpu in f.gpus.listed)
    no_row = bool(f.driver.rows) and not f.gpus.listed
    return f.usable and (blank or no_row or bool(f.system.jetson))


@AREA.rule(
    "warning",
    "GPU {index} is in exclusive mode: one process at a time can use it",
    "Error 46 means that another process has it.",
    remark=True,
    facts=("gpus.listed",),
    log=16,
)
def gpu_exclusive(f: Facts) -> Values:
    modes = [(gpu.index, gpu.mode, gpu.busy) for gpu in f.gpus.chosen]
    modes += [(gpu.index, gpu.mode, gpu.error) for gpu in f.gpus.usable if not f.gpus.listed]
    free = [index for index, mode, busy in modes[:1] if "exclusive" in mode.lower() and not busy]
    return {"index": free[0]} if free else None


@AREA.rule(
    "note",
    "{name} is a part of a GPU (MIG): its times are those of the part",
    remark=True,
    facts=("gpus.mig_instances", "gpus.usable"),
    symptom="the GPU is several times slower than its data sheet says (MIG)",
    cause="The program runs on an instance, which has a share of the processors and the memory.",
    cure="Compare with results of the same instance; nvidia-smi -L names it.",
)
def mig_instance(f: Facts) -> Values:
    part = next((gpu.name for gpu in f.gpus.usable if " MIG " in f" {gpu.name} "), "")
    return {"name": part} if part else None


@AREA.rule(
    "warning",
    "{card} has compute capability {capability}, and the course's programs are written for 7.5 and "
    "newer",
    CPU_MEANWHILE,
    remark=True,
    facts=("gpus.usable",),
)
def gpu_older_than_course(f: Facts) -> Values:
    for gpu in f.gpus.usable[:1]:
        if 0 < number_of(gpu.capability) < LEAST_CAPABILITY:
            return {"card": gpu.name, "capability": gpu.capability}
    return None


@AREA.rule(
    "note",
    "{card} ({capability}) is newer than toolkit {toolkit}: programs are built as PTX{newest}, "
    "which the driver compiles",
    "A newer toolkit makes machine code for it{first}.",
    remark=True,
    facts=("gpus.usable", "toolkit.architectures"),
    symptom="nvcc fatal: Unsupported gpu architecture, on a GPU that has just come out",
    cause="The toolkit is older than the GPU and has no machine code for it.",
    cure="PTX of the newest architecture that nvcc knows runs: the course's build takes it. A "
    "newer toolkit makes machine code; the table of architectures names the first.",
    sources=("mesonbuild/meson#15334", "mesonbuild/meson#13692"),
    log=36,
)
def gpu_newer_than_toolkit(f: Facts) -> Values:
    known = f.toolkit.architectures
    for gpu in f.gpus.usable[:1] if known else ():
        if number_of(gpu.capability) > known[-1]:
            first = f.table.first_toolkit(gpu.capability)
            return {
                "card": gpu.name,
                "capability": gpu.capability,
                "toolkit": f.toolkit.version,
                "newest": f" for {toolchain.dotted(known[-1])}",
                "first": f": {first} is the first" if first else "",
            }
    return None


@AREA.rule(
    "warning",
    "{count} of {all} GPUs are too old for toolkit {toolkit}: {names}",
    "Programs run on the others: choose with CUDA_VISIBLE_DEVICES.",
    remark=True,
    facts=("gpus.usable", "toolkit.architectures"),
    log=19,
)
def some_gpus_too_old(f: Facts) -> Values:
    old = too_old(f)
    if not old or len(old) == len(f.gpus.usable):
        return None
    return {
        "count": len(old),
        "all": len(f.gpus.usable),
        "toolkit": f.toolkit.version,
        "names": capabilities(old),
    }
