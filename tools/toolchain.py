#!/usr/bin/env python3
"""Finds the compilers of both devices and asks them what they can do.

The root meson.build runs this file, `./course doctor` imports it. Standard library only.

    toolchain.py nvcc [--arch A] [--ccbin COMPILER]   prints nvcc's flags, one a line
    toolchain.py clang                                prints the path of clang++ for the CPU device

Exit code 0 and the answer on standard output, or exit code 1 and one sentence on standard error.
With exit code 0, standard error may hold one remark: for example, that no GPU was found here and
that the programs are built for the reference device.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))  # Meson runs this file by itself

from tools.ask import SECONDS, Reply, ask  # noqa: E402

REFERENCE_DEVICE = "nvidia-h200"
LEAST_CUDA = (12, 4)
LEAST_CLANG = 16
NEWEST_CLANG_TRIED = 30  # the highest number looked for in names such as clang++-19
COMPILE_TIMEOUT = 120


class ToolchainError(Exception):
    """One sentence that says what is wrong and what to do."""


def run(command: list[str], timeout: float = SECONDS) -> Reply | None:
    """Runs a tool; None when it cannot be started or does not answer in time."""
    reply = ask(command, timeout)
    return None if reply and reply.timed_out else reply


# --- nvcc: where it is and what it knows ---------------------------------------------------------


@dataclass(frozen=True)
class Nvcc:
    path: Path
    on_path: bool  # a plain `meson setup` finds it, through PATH or the variable NVCC

    @property
    def folder(self) -> Path:
        return self.path.parent


def venv_folder() -> Path:
    """The virtual environment of the course; COALESCE_VENV is set for a read-only checkout."""
    return Path(os.environ.get("COALESCE_VENV") or REPO / ".venv")


def newest_first(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder by pattern; none where it may not be entered."""
    try:
        return sorted(folder.glob(pattern), reverse=True)
    except OSError:
        return []


def wheel_nvccs(venv: Path) -> list[Path]:
    """nvcc from the toolkit wheels of `./course setup --cuda`."""
    return newest_first(venv, "lib/python3*/site-packages/nvidia/cu*/bin/nvcc")


def all_nvccs(root: str = "") -> list[Nvcc]:
    """Every nvcc on this machine: in the order in which a build would take them.

    `root` stands before the absolute paths that are looked at (the hook DOCTOR_ROOT)."""
    found: list[Nvcc] = []

    def add(path: Path, on_path: bool) -> None:
        runs = os.access(path, os.X_OK) and path.is_file()
        if runs and not any(path.samefile(known.path) for known in found):
            found.append(Nvcc(path, on_path))

    try:
        named = shlex.split(os.environ.get("NVCC", ""))
    except ValueError:  # a quotation mark without its partner
        named = []
    if named and (path := shutil.which(named[0])):
        add(Path(path), True)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder:
            add(Path(folder) / "nvcc", True)
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            add(Path(os.environ[variable]) / "bin" / "nvcc", False)
    if not root:
        for path in wheel_nvccs(venv_folder()):
            add(path, False)
    add(Path(f"{root}/usr/local/cuda/bin/nvcc"), False)
    for folder in newest_first(Path(f"{root}/usr/local"), "cuda-*"):
        add(folder / "bin" / "nvcc", False)
    add(Path(f"{root}/opt/cuda/bin/nvcc"), False)
    return found


def find_nvcc() -> Nvcc:
    found = all_nvccs()
    if not found:
        raise ToolchainError(
            "nvcc not found: install a CUDA toolkit, or run `./course setup --cuda`, "
            "which puts one into .venv (`./course doctor` tells more)."
        )
    first = found[0]
    if not first.on_path:
        raise ToolchainError(
            f"nvcc is in {first.folder} but not on PATH: run "
            f'`export PATH="{first.folder}:$PATH"` and try again (`./course doctor` tells more).'
        )
    return first


def cuda_version(nvcc: Path) -> tuple[int, int] | None:
    """(13, 0) from the line `Cuda compilation tools, release 13.0, V13.0.88`."""
    answer = run([str(nvcc), "--version"])
    match = re.search(r"release (\d+)\.(\d+)", answer.stdout if answer else "")
    return (int(match[1]), int(match[2])) if match else None


def known_architectures(nvcc: Path) -> list[int]:
    """[75, 80, …, 121]: what `nvcc --list-gpu-arch` lists, as numbers in rising order."""
    answer = run([str(nvcc), "--list-gpu-arch"])
    return sorted({int(n) for n in re.findall(r"compute_(\d+)\b", answer.stdout if answer else "")})


def gpu_architectures(nvcc: Path | None) -> list[int]:
    """[90] on a machine with H200s; [] where there is no GPU or no driver."""
    if nvcc:
        answer = run([str(nvcc.resolve().parent / "__nvcc_device_query")])
        if answer and answer.returncode == 0:
            numbers = sorted({int(n) for n in re.findall(r"\b\d{2,3}\b", answer.stdout)})
            if numbers:
                return numbers
    answer = run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
    if answer and answer.returncode == 0:
        pairs = re.findall(r"^\s*(\d+)\.(\d)\s*$", answer.stdout, re.MULTILINE)
        return sorted({int(major + minor) for major, minor in pairs})
    return []


def reference_architecture() -> int | None:
    """The reference device's compute capability, from its recorded facts."""
    path = REPO / "figures" / "results" / REFERENCE_DEVICE / "device.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    match = re.search(r'"compute_capability"\s*:\s*"?(\d+)\.(\d)', json.dumps(facts))
    return int(match[1] + match[2]) if match else None


def as_list(numbers: list[int]) -> str:
    return ", ".join(str(n) for n in numbers)


def dotted(number: int) -> str:
    return f"{number // 10}.{number % 10}"


def parse_architectures(text: str, known: list[int], version: str) -> list[str]:
    """["75", "90a"] from "sm_75, 9.0a": refuses what this nvcc cannot build."""
    chosen: dict[str, None] = {}
    for word in re.split(r"[,;\s]+", text.strip()):
        if not word:
            continue
        match = re.fullmatch(r"(?:sm_|compute_)?(?:(\d{2,3})|(\d{1,2})\.(\d))([af]?)", word.lower())
        number = int(match[1] or match[2] + match[3]) if match else -1
        if number not in known or (match and match[4] and number < 90):
            raise ToolchainError(
                f"gpu_arch={word} is no architecture that nvcc {version} can build: give a GPU's "
                f"compute capability without the point (not a CUDA version), one of "
                f"{as_list(known)}."
            )
        chosen[f"{number}{match[4]}"] = None
    return list(chosen)


def machine_code(architecture: str) -> str:
    return f"-gencode=arch=compute_{architecture},code=sm_{architecture}"


def ptx(architecture: int) -> str:
    return f"-gencode=arch=compute_{architecture},code=compute_{architecture}"


def architecture_flags(
    requested: str, gpus: list[int], reference: int | None, known: list[int], version: str
) -> tuple[list[str], str]:
    """nvcc's -gencode flags, and a remark or "". Pure: the tests call it with made-up machines."""
    if requested.strip() not in ("", "auto"):
        return [machine_code(a) for a in parse_architectures(requested, known, version)], ""
    if gpus:
        flags: dict[str, None] = {}
        for gpu in gpus:
            older = [k for k in known if k <= gpu]
            if not older:
                raise ToolchainError(
                    f"nvcc {version} builds for compute capability {dotted(known[0])} and newer, "
                    f"but the GPU here has {dotted(gpu)}: install an older toolkit "
                    f"(12.9 is the last that knows Maxwell, Pascal and Volta); "
                    f"the CPU device works meanwhile."
                )
            # A GPU newer than the toolkit runs the newest PTX; its driver compiles that.
            flags[machine_code(str(gpu)) if gpu in known else ptx(older[-1])] = None
        return list(flags), ""
    flags = {}
    if reference in known:
        flags[machine_code(str(reference))] = None
    flags[ptx(known[0])] = None
    names = [f"sm_{reference}"] if reference in known else []
    names.append(f"PTX of compute_{known[0]}")
    return list(flags), f"No GPU found here: the programs are built for {' and '.join(names)}."


# --- nvcc: does it compile here? -----------------------------------------------------------------


def header(nvcc: Path, name: str) -> str:
    """The text of one of the toolkit's own headers in crt/; an empty one where it is not found."""
    folders = {nvcc.parent.parent, nvcc.resolve().parent.parent}
    places = ["include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"]
    candidates = [folder / place for folder in sorted(folders) for place in places]
    if Path("/usr") in folders:
        candidates.append(Path("/usr/lib/nvidia-cuda-toolkit/include"))
    for candidate in candidates:
        try:
            return (candidate / "crt" / name).read_text(errors="replace")
        except OSError:
            continue
    return ""


def host_limits(nvcc: Path) -> tuple[int | None, int | None]:
    """(newest GCC, newest clang) that nvcc takes as host compiler, read from its host_config.h."""
    text = header(nvcc, "host_config.h")
    gcc = re.search(r"#if\s+__GNUC__\s*>\s*(\d+)", text)
    clang = re.findall(r"__clang_major__\s*>=\s*(\d+)", text)
    return (int(gcc[1]) if gcc else None, int(clang[-1]) - 1 if clang else None)


def host_compiler(ccbin: str = "") -> str:
    """The compiler that nvcc hands host code to."""
    return ccbin or os.environ.get("NVCC_CCBIN") or "g++"


def compiler_version(compiler: str) -> tuple[str, int, str] | None:
    """("GCC", 16, "16.1.0") or ("clang", 19, "19.1.7")."""
    answer = run([compiler, "--version"])
    if not answer or answer.returncode != 0:
        return None
    first = answer.stdout.splitlines()[0] if answer.stdout else ""
    match = re.search(
        r"(\d+)\.(\d+)(?:\.(\d+))?(?!.*\d+\.\d+\.\d+)", re.sub(r"\([^)]*\)", "", first)
    )
    if not match:
        return None
    kind = "clang" if "clang" in first.lower() else "GCC"
    return kind, int(match[1]), match[0]


def usable_host_compiler(gcc: int | None, clang: int | None) -> str:
    """A compiler on PATH that nvcc takes, else a name to install."""
    for number in range(gcc or 0, 8, -1):
        if shutil.which(f"g++-{number}"):
            return shutil.which(f"g++-{number}") or ""
    for number in range(clang or 0, 8, -1):
        if shutil.which(f"clang++-{number}"):
            return shutil.which(f"clang++-{number}") or ""
    return f"g++-{gcc}" if gcc else "an older g++"


def check_compiles(nvcc: Path, ccbin: str, flags: list[str], version: str) -> None:
    """Compiles an empty .cu file: a toolkit that cannot do that is broken."""
    compiler = host_compiler(ccbin)
    if not shutil.which(compiler) and not Path(compiler).is_dir():
        raise ToolchainError(
            f"nvcc {version} needs a host compiler, but {compiler} is not found: "
            "install g++ (`./course setup` does), or name one with -Dcuda_ccbindir= or NVCC_CCBIN."
        )
    with tempfile.TemporaryDirectory(prefix="coalesce-") as folder:
        source = Path(folder) / "empty.cu"
        source.write_text("__global__ void nothing() {}\n", encoding="utf-8")
        command = [str(nvcc), "-c", "-std=c++20", *flags, str(source), "-o", f"{folder}/empty.o"]
        if ccbin:
            command.append(f"-ccbin={ccbin}")
        answer = run(command, timeout=COMPILE_TIMEOUT)
    if answer and answer.returncode == 0:
        return
    told = (answer.stdout + answer.stderr) if answer else "no answer"
    found = compiler_version(compiler)
    gcc, clang = host_limits(nvcc)
    if re.search(r"unsupported (GNU|clang|Microsoft|HOS|Intel)[^!]*version", told):
        limit = clang if found and found[0] == "clang" else gcc
        name = f"{found[0]} {found[2]} ({compiler})" if found else compiler
        use = usable_host_compiler(gcc, clang)
        raise ToolchainError(
            f"The host compiler {name} is too new for nvcc {version}, whose newest is "
            f"{found[0] if found else 'GCC'} {limit or 'older'}: configure with "
            f"`-Dcuda_ccbindir={use}`, or set `NVCC_CCBIN={use}`."
        )
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    reason = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    raise ToolchainError(
        f"nvcc {version} at {nvcc} does not compile an empty .cu file ({reason[:200]}): "
        "repair the toolkit, or put a working one first on PATH (`./course doctor` tells more)."
    )


def ask_nvcc(requested: str, ccbin: str = "") -> tuple[list[str], str]:
    """The flags for nvcc and a remark, or ToolchainError."""
    nvcc = find_nvcc().path
    version = cuda_version(nvcc)
    if version is None:
        raise ToolchainError(
            f"{nvcc} does not tell its version, so it is no working nvcc: "
            "repair the toolkit, or put a working one first on PATH."
        )
    text = f"{version[0]}.{version[1]}"
    if version < LEAST_CUDA:
        least = ".".join(str(n) for n in LEAST_CUDA)
        raise ToolchainError(
            f"nvcc {text} at {nvcc} is older than CUDA {least}, the oldest that this course "
            f"builds with: install a newer toolkit, or run `./course setup --cuda`."
        )
    known = known_architectures(nvcc)
    if not known:
        raise ToolchainError(
            f"{nvcc} does not list the architectures that it knows (--list-gpu-arch): "
            "repair the toolkit, or put a working one first on PATH."
        )
    explicit = requested.strip() not in ("", "auto")
    gpus = [] if explicit else gpu_architectures(nvcc)
    flags, remark = architecture_flags(requested, gpus, reference_architecture(), known, text)
    check_compiles(nvcc, ccbin, flags[:1], text)
    return flags, remark


# --- clang, for the CPU device -------------------------------------------------------------------


def clang_candidates() -> list[str]:
    """Names to try: CPU_DEVICE_CLANG alone where it is set, else the newest version first."""
    if os.environ.get("CPU_DEVICE_CLANG"):
        return [os.environ["CPU_DEVICE_CLANG"]]
    numbered = [f"clang++-{n}" for n in range(NEWEST_CLANG_TRIED, LEAST_CLANG - 1, -1)]
    return [*numbered, "clang++"]


def require_boost_context(clang: str) -> None:
    """The CPU device's fibers are Boost.Context's: it must be there to include and to link."""
    with tempfile.TemporaryDirectory(prefix="coalesce-") as folder:
        source = Path(folder) / "fibers.cpp"
        source.write_text(
            "#include <boost/context/detail/fcontext.hpp>\nint main() {}\n", encoding="utf-8"
        )
        program = str(Path(folder) / "fibers")
        command = [clang, "-std=c++20", str(source), "-lboost_context", "-o", program]
        answer = run(command, COMPILE_TIMEOUT)
    if not answer or answer.returncode != 0:
        raise ToolchainError(
            f"The CPU device needs Boost.Context, which {clang} does not find: "
            "run `./course setup`, or install it (Debian and Ubuntu: "
            "apt-get install libboost-context-dev)."
        )


def find_clang() -> Path:
    too_old = ""
    broken = ""
    for name in clang_candidates():
        path = shutil.which(name)
        if not path:
            continue
        found = compiler_version(path)
        if not found or found[1] < LEAST_CLANG:
            too_old = too_old or f"{path} is version {found[2] if found else 'unknown'}"
            continue
        with tempfile.TemporaryDirectory(prefix="coalesce-") as folder:
            source = Path(folder) / "empty.cpp"
            source.write_text("#include <vector>\nint main() {}\n", encoding="utf-8")
            answer = run([path, "-std=c++20", "-fsyntax-only", str(source)], COMPILE_TIMEOUT)
        if answer and answer.returncode == 0:
            require_boost_context(path)
            return Path(path)
        told = (answer.stderr if answer else "").splitlines()
        broken = broken or f"{path} does not compile ({told[0].strip() if told else 'no answer'})"
    if broken:
        raise ToolchainError(
            f"The CPU device has no working clang: {broken}; run `./course setup`."
        )
    if os.environ.get("CPU_DEVICE_CLANG") and not too_old:
        named = os.environ["CPU_DEVICE_CLANG"]
        raise ToolchainError(
            f"CPU_DEVICE_CLANG names {named}, which is not found: correct or unset it."
        )
    raise ToolchainError(
        f"The CPU device needs clang {LEAST_CLANG} or newer, "
        + (f"but {too_old}: " if too_old else "and none is found: ")
        + "run `./course setup`, or install it (Debian and Ubuntu: apt-get install clang-19)."
    )


# --- The program ---------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tools = parser.add_subparsers(dest="tool", required=True)
    nvcc = tools.add_parser("nvcc", help="print the flags for nvcc, one a line")
    nvcc.add_argument("--arch", default="", help="architectures, for example 90 or 75,90")
    nvcc.add_argument("--ccbin", default="", help="host compiler for nvcc (-Dcuda_ccbindir)")
    tools.add_parser("clang", help="print the path of clang++ for the CPU device")
    options = parser.parse_args(arguments)
    try:
        if options.tool == "nvcc":
            flags, remark = ask_nvcc(options.arch, options.ccbin)
            print("\n".join(flags))
            if remark:
                print(remark, file=sys.stderr)
        else:
            print(find_clang())
    except ToolchainError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
