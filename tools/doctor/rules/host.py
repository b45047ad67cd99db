"""What nvcc hands host code to: the host compiler, and the C library under both."""

from __future__ import annotations

from tools.doctor.compatibility import Version, text, version
from tools.doctor.facts import Facts
from tools.doctor.rules.rule import Area, Values

COMPILER = Area("Host compiler")
LIBRARY = Area("C library")


def newest(f: Facts, kind: str) -> int:
    """The newest host compiler of a kind that nvcc takes: as its header says, else the table."""
    own = f.toolkit.newest_clang if kind == "clang" else f.toolkit.newest_gcc
    return own or f.table.newest_compiler(f.toolkit.number, "clang" if kind == "clang" else "gcc")


@COMPILER.rule(
    "error",
    "{wanted} not found",
    "nvcc hands host code to it: run `./course setup`, or correct NVCC_CCBIN.",
    facts=("build.host_wanted",),
    symptom="gcc: No such file or directory (from nvcc)",
    cause="nvcc compiles only the device's half itself; the host's half needs g++.",
    cure="Install g++ (./course setup does), or correct NVCC_CCBIN.",
)
def host_compiler_missing(f: Facts) -> Values:
    return {"wanted": f.build.host_wanted or "g++"} if not f.build.host else None


@COMPILER.rule(
    "error",
    "{kind} {version} is too new for nvcc {toolkit}, whose newest is {kind} {newest}",
    "{advice}",
    facts=("build.host", "build.host_version", "toolkit.newest_gcc", "toolkit.newest_clang"),
    symptom="unsupported GNU version! gcc versions later than … are not supported!",
    cause="Each toolkit checks the version of the host compiler; the distribution's is newer.",
    cure="Install the older compiler beside yours and name it: export NVCC_CCBIN=g++-13 (doctor "
    "says which), or -Dcuda_ccbindir= at set-up. Do not silence the check.",
    sources=(
        "ComputationalRadiationPhysics/cuda_memtest#26",
        "NVlabs/instant-ngp#1562",
        "NVIDIA/cccl#10",
    ),
    log=7,
)
def host_compiler_too_new(f: Facts) -> Values:
    limit = newest(f, f.build.host_kind)
    found = version(f.build.host_version)
    if not limit or not found or found[0] <= limit:
        return None
    return {
        "kind": f.build.host_kind,
        "version": f.build.host_version,
        "toolkit": f.toolkit.version,
        "newest": limit,
        "advice": host_advice(f),
    }


def host_advice(f: Facts) -> str:
    gcc = newest(f, "gcc")
    for number in f.build.other_gcc:
        if number <= gcc:
            return f"Take the older one that is here: export NVCC_CCBIN=g++-{number}"
    return f"Install g++-{gcc} beside it, then: export NVCC_CCBIN=g++-{gcc}"


@COMPILER.rule(
    "warning",
    "{path} does not tell its version",
    "Where programs do not build, take g++: unset NVCC_CCBIN.",
    facts=("build.host",),
)
def host_compiler_unknown(f: Facts) -> Values:
    return {"path": f.build.host} if not f.build.host_version else None


@COMPILER.rule("ok", "{kind} {version} at {path}", facts=("build.host",))
def host_compiler_works(f: Facts) -> Values:
    return {
        "kind": f.build.host_kind,
        "version": f.build.host_version,
        "path": f.build.host,
    }


def newest_glibc(f: Facts) -> Version:
    """The newest glibc that the toolkit's headers allow for; () where no limit is known."""
    if f.toolkit.header_read:
        return version(f.toolkit.newest_glibc)
    return f.table.newest_glibc(f.toolkit.number)


@LIBRARY.rule(
    "error",
    "glibc {glibc} is newer than the headers of CUDA {toolkit} allow for, which is {newest}",
    "Take a newer toolkit{fitting}, or build in a container with an older distribution.",
    facts=("system.glibc", "toolkit.newest_glibc", "toolkit.version"),
    symptom="error: exception specification is incompatible with that of previous function "
    '"cospi" (or "sinpi", "rsqrt")',
    cause="glibc 2.41 declares sinpi and cospi, 2.42 rsqrt. The toolkit's own declarations differ "
    "from them, unless its headers allow for that.",
    cure="Take a toolkit whose headers do: 13.0 for glibc 2.41, 13.2 for 2.42. Do not edit the "
    "toolkit's headers.",
    sources=(
        "NVIDIA/cuda-samples#378",
        "opencv/opencv#27111",
        "ggml-org/llama.cpp#19100",
        "llvm/llvm-project#185701",
    ),
    log=8,
)
def glibc_too_new(f: Facts) -> Values:
    limit, found = newest_glibc(f), version(f.system.glibc)
    if not limit or not found or found <= limit or not f.toolkit.nvcc:
        return None
    return {
        "glibc": f.system.glibc,
        "toolkit": f.toolkit.version,
        "newest": text(limit),
        "fitting": fitting(f, found),
    }


def fitting(f: Facts, glibc: Version) -> str:
    for toolkit, entry in f.table.group("glibc", "of").items():
        if version(entry.get("newest", "99")) >= glibc:
            return f": {toolkit} is the first that fits"
    return ""


@LIBRARY.rule(
    "error",
    "this system has musl; the CUDA toolkit and the driver need glibc",
    "Use a container with Debian or Ubuntu.",
    facts=("system.musl", "system.glibc"),
    symptom="nvcc: not found, although the file is there (Alpine)",
    cause="The toolkit's programs are linked with glibc, and Alpine has musl.",
    cure="Use an image with glibc, such as Debian's or Ubuntu's.",
    sources=("NVIDIA/nvidia-container-toolkit#270", "NVIDIA/libnvidia-container#21"),
)
def musl(f: Facts) -> Values:
    return f.system.musl and not f.system.glibc and (f.toolkit.nvcc is not None or f.gpus.seen)


@LIBRARY.rule("ok", "glibc {glibc}", facts=("system.glibc",))
def glibc_fits(f: Facts) -> Values:
    return {"glibc": f.system.glibc} if f.system.glibc else None


@LIBRARY.rule("note", "not known", facts=("system.glibc", "system.musl"))
def library_unknown(f: Facts) -> Values:
    return True
