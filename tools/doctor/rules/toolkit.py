"""The CUDA toolkit: an nvcc that is found, runs and is new enough."""

from __future__ import annotations

from tools import toolchain
from tools.doctor.compatibility import text, version
from tools.doctor.facts import Facts
from tools.doctor.rules.rule import Area, Values
from tools.doctor.rules.words import CPU_MEANWHILE

AREA = Area("CUDA toolkit")


def named(f: Facts) -> dict[str, object]:
    nvcc = f.toolkit.nvcc
    return {"toolkit": nvcc.version, "path": nvcc.path, "folder": nvcc.folder}


@AREA.rule(
    "ok",
    "nvcc {toolkit} from wheels, at {path}",
    facts=("toolkit.nvccs", "toolkit.wheels"),
)
def nvcc_from_wheels(f: Facts) -> Values:
    nvcc = f.toolkit.nvcc
    fits = nvcc and nvcc.from_wheels and nvcc.version and f.toolkit.number >= toolchain.LEAST_CUDA
    return named(f) if fits and not nvcc.on_path else None


@AREA.rule(
    "error",
    "nvcc {toolkit} is in {folder}, but not on PATH",
    'Add it: export PATH="{folder}:$PATH"',
    facts=("toolkit.nvccs",),
    symptom="nvcc: command not found, although the toolkit is there",
    cause="Installers do not touch PATH; a service, sudo or another user has its own.",
    cure='export PATH="/usr/local/cuda/bin:$PATH", in ~/.profile to keep it. Doctor names the '
    "folder.",
    sources=(
        "NVIDIA/cccl#446",
        "ID-Robots/clawbox#61",
        "Qengineering/Jetson-Nano-Ubuntu-20-image#49",
        "jkjung-avt/tensorrt_demos#389",
    ),
    log=6,
)
def nvcc_not_on_path(f: Facts) -> Values:
    nvcc = f.toolkit.nvcc
    return named(f) if nvcc and not nvcc.on_path and not nvcc.from_wheels else None


@AREA.rule(
    "error",
    "{path} does not tell its version",
    "It is no working nvcc: repair the toolkit, or put a working one first on PATH.",
    facts=("toolkit.nvccs",),
    symptom="nvcc --version fails or prints nothing",
    cause="The file called nvcc is a stray link or a part of a broken installation.",
    cure="Install the toolkit anew, or put the folder of a working nvcc first on PATH.",
)
def nvcc_broken(f: Facts) -> Values:
    return named(f) if f.toolkit.nvcc and not f.toolkit.version else None


@AREA.rule(
    "error",
    "nvcc {toolkit} at {path} is older than {least}, the oldest that works",
    "{advice}. " + CPU_MEANWHILE,
    facts=("toolkit.nvccs",),
    symptom="nvcc fatal: Value 'c++20' is not defined for option 'std'",
    cause="The distribution's package of the toolkit is often years old; the course needs CUDA "
    "12.4 or newer.",
    cure="Install a toolkit from NVIDIA, or run ./course setup --cuda, which puts one into .venv.",
    sources=("mmartial/ComfyUI-Nvidia-Docker#36", "turboderp/exllama#142"),
)
def nvcc_too_old(f: Facts) -> Values:
    least = toolchain.LEAST_CUDA
    if not f.toolkit.number or f.toolkit.number >= least:
        return None
    advice = "Install a newer toolkit, or run `./course setup --cuda`"
    for nvcc in f.toolkit.nvccs:
        if version(nvcc.version) >= least:
            advice = f'Take the one that is here too: export PATH="{nvcc.folder}:$PATH"'
            break
    return {**named(f), "least": text(least), "advice": advice}


@AREA.rule("ok", "nvcc {toolkit} at {path}", facts=("toolkit.nvccs", "toolkit.architectures"))
def nvcc_works(f: Facts) -> Values:
    return named(f) if f.toolkit.nvcc else None


@AREA.rule(
    "error",
    "CUDA runtime libraries found ({library}), but no compiler (nvcc)",
    "`./course setup --cuda` brings nvcc into .venv; so do the packages cuda-nvcc (conda) and "
    "cuda-toolkit (NVIDIA's for Debian and Ubuntu). The runtime's wheels and conda's cudatoolkit "
    "bring none.",
    facts=("toolkit.runtime", "toolkit.ptxas", "toolkit.wheels"),
    symptom="nvcc: command not found, after CUDA was installed by conda or pip",
    cause="Those packages bring the runtime's libraries, or ptxas alone. The compiler nvcc is in "
    "another package.",
    cure="./course setup --cuda brings nvcc; so do the packages cuda-nvcc (conda) and cuda-toolkit "
    "(Debian and Ubuntu).",
    sources=(
        "ddshan/hand_object_detector#16",
        "conda/conda#7757",
        "JustVugg/colibri#630",
        "LlamaEdge/LlamaEdge#74",
    ),
    log=21,
)
def runtime_without_compiler(f: Facts) -> Values:
    library = f.toolkit.runtime or f.toolkit.ptxas
    return {"library": library} if library and not f.toolkit.nvcc else None


@AREA.rule(
    "error",
    "no compiler (nvcc) found",
    "The GPU cannot be used without it: run `./course setup --cuda`, or install the package "
    "cuda-toolkit.",
    facts=("toolkit.nvccs", "gpus.listed", "gpus.usable"),
    symptom="nvcc: command not found, with a working driver",
    cause="Only the driver is installed. It brings nvidia-smi, and no compiler.",
    cure="./course setup --cuda, or the package cuda-toolkit.",
    log=21,
)
def driver_without_compiler(f: Facts) -> Values:
    return not f.toolkit.nvcc and f.gpus.seen


@AREA.rule(
    "note",
    "no compiler (nvcc) found",
    "GPU programs are not built; `./course setup --cuda` brings nvcc.",
    facts=("toolkit.nvccs",),
    symptom="Program 'nvcc' not found or not executable (at set-up, without a GPU)",
    cause="There is no CUDA toolkit here, and none is needed for the CPU device.",
    cure="Nothing to do. To look at code for a GPU all the same: ./course setup --cuda.",
    log=84,
)
def no_toolkit(f: Facts) -> Values:
    return not f.toolkit.nvcc


# --- Remarks -------------------------------------------------------------------------------------


@AREA.rule(
    "warning",
    "more than one nvcc on PATH: {list}; the build takes the first",
    'Put the folder of the one you want first on PATH: export PATH="{newest}:$PATH"',
    remark=True,
    facts=("toolkit.nvccs",),
    symptom="nvcc --version shows an old release, although a new toolkit was installed",
    cause="Two toolkits are on PATH, and the old one, often /usr/bin/nvcc, comes first.",
    cure="Put the new folder first: export PATH=/usr/local/cuda/bin:$PATH.",
    sources=("mmartial/ComfyUI-Nvidia-Docker#36", "turboderp/exllama#142", "lvaccaro/truecrack#32"),
    log=5,
)
def two_nvccs_on_path(f: Facts) -> Values:
    on_path = [nvcc for nvcc in f.toolkit.nvccs if nvcc.on_path]
    if len({nvcc.version for nvcc in on_path}) < 2:
        return None
    listed = [f"{nvcc.version or 'unknown version'} at {nvcc.path}" for nvcc in on_path]
    newest = max(on_path, key=lambda nvcc: version(nvcc.version))
    return {"list": "; ".join(listed), "newest": newest.folder}


@AREA.rule(
    "warning",
    "{setting} names a folder without bin/nvcc",
    "Correct it, or unset it: other build tools look there first.",
    remark=True,
    facts=("toolkit.empty_home",),
    symptom="Could not find CUDA, although nvcc is on PATH",
    cause="CUDA_HOME or CUDA_PATH still names a toolkit that was removed.",
    cure="Correct or unset the variable.",
)
def cuda_home_empty(f: Facts) -> Values:
    return {"setting": f.toolkit.empty_home} if f.toolkit.empty_home else None


@AREA.rule(
    "warning",
    "LD_LIBRARY_PATH holds {folder}, a folder of stubs for linking only",
    "A program that loads a stub ends with error 34: take the folder out.",
    remark=True,
    facts=("toolkit.stubs",),
    log=42,
)
def stubs_in_library_path(f: Facts) -> Values:
    return {"folder": f.toolkit.stubs} if f.toolkit.stubs else None


@AREA.rule(
    "warning",
    "the toolkit's wheels in .venv are of different releases: {list}",
    "Install them anew together: `./course setup --cuda`.",
    remark=True,
    facts=("toolkit.wheels",),
    symptom="fatal error: crt/host_config.h: No such file or directory (a toolkit from wheels)",
    cause="nvcc, its headers and its libraries are wheels of their own. Another package has "
    "replaced one of them.",
    cure="./course setup --cuda installs those that belong together.",
)
def wheels_of_different_releases(f: Facts) -> Values:
    parts = ("nvidia-cuda-nvcc", "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-nvvm")
    found = {name: number for name, number in f.toolkit.wheels.items() if name in parts}
    if len({version(number)[:2] for number in found.values()}) < 2:
        return None
    return {"list": ", ".join(f"{name} {number}" for name, number in sorted(found.items()))}
