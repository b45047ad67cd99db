"""What happens to toolkits, host compilers and the C library."""

from __future__ import annotations

from tests.doctor.machine import TABLE, Machine
from tests.doctor.situations import situation
from tools.doctor.compatibility import version


@situation("nvcc-works", code=0)
def first_on_path(m: Machine) -> list[str]:
    return [m.toolkit, str(m.bin / "nvcc")]


@situation("nvcc-from-wheels", code=0)
def toolkit_from_wheels(m: Machine) -> list[str]:
    m.tools["nvcc"] = None
    folder = m.folder / "venv" / "lib/python3.11/site-packages/nvidia/cu13/bin"
    m.add_nvcc(folder, m.toolkit)
    m.monkeypatch.setattr("tools.toolchain.venv_folder", lambda: m.folder / "venv")
    m.monkeypatch.setattr("tools.doctor.facts.toolkit.root", lambda: "")
    return [m.toolkit, "from wheels", str(folder)]


@situation("nvcc-not-on-path", code=1, is_next=True, never=("not installed",))
def installed_beside_path(m: Machine) -> list[str]:
    m.tools["nvcc"] = None
    place = m.draw.choice(["usr/local/cuda", f"usr/local/cuda-{m.toolkit}", "opt/cuda"])
    m.add_nvcc(m.root / place / "bin", m.toolkit)
    return [m.toolkit, f"{place}/bin", "not on PATH", 'export PATH="', ':$PATH"']


@situation("nvcc-not-on-path", code=1, is_next=True)
def named_by_cuda_home(m: Machine) -> list[str]:
    m.tools["nvcc"] = None
    home = m.folder / m.draw.word()
    m.add_nvcc(home / "bin", m.toolkit)
    m.environment[m.draw.choice(["CUDA_HOME", "CUDA_PATH"])] = str(home)
    return [str(home / "bin"), "export PATH="]


@situation("nvcc-broken", code=1, is_next=True)
def nvcc_without_a_version(m: Machine) -> list[str]:
    m.tools["nvcc"] = m.draw.choice(["exit 1", "echo hello", "head -c 3000 /dev/urandom"])
    return [str(m.bin / "nvcc"), "does not tell its version"]


@situation("nvcc-too-old", code=1, is_next=True)
def distribution_toolkit(m: Machine) -> list[str]:
    m.toolkit = m.draw.choice(["10.1", "11.5", "11.8", "12.0", "12.3"])
    m.serves, m.gcc = "12.4", 9
    m.architectures = [80, 90]
    m.cards[0].capability = "8.0"
    return [m.toolkit, "12.4", "./course setup --cuda"]


@situation("nvcc-too-old", code=1, is_next=True)
def the_newer_one_comes_second(m: Machine) -> list[str]:
    second = m.folder / m.draw.word()
    m.add_nvcc(second, "12.8")
    m.on_path.append(second)
    distribution_toolkit(m)
    return [m.toolkit, f'export PATH="{second}:$PATH"']


@situation("two-nvccs-on-path", code=0)
def two_releases(m: Machine) -> list[str]:
    second = m.folder / m.draw.word()
    other = m.draw.choice([t for t in ("12.5", "12.9", "13.0") if t != m.toolkit])
    m.add_nvcc(second, other)
    m.on_path.append(second)
    return [m.toolkit, other, str(m.bin / "nvcc"), str(second / "nvcc"), "more than one nvcc"]


@situation("runtime-without-compiler", code=1, is_next=True)
def conda_runtime(m: Machine) -> list[str]:
    m.tools["nvcc"] = None
    library = m.folder / "env/lib" / f"libcudart.so.{m.draw.randint(11, 13)}"
    library.parent.mkdir(parents=True)
    library.write_text("")
    m.environment["CONDA_PREFIX"] = str(m.folder / "env")
    return [str(library), "no compiler (nvcc)", "cuda-nvcc", "cuda-toolkit"]


@situation("runtime-without-compiler", code=1, is_next=True)
def ptxas_alone(m: Machine) -> list[str]:
    m.tools |= {"nvcc": None, "ptxas": "echo ptxas"}
    return ["no compiler (nvcc)", "cuda-nvcc"]


@situation("driver-without-compiler", code=1, is_next=True)
def driver_alone(m: Machine) -> list[str]:
    m.tools["nvcc"] = None
    return ["no compiler (nvcc)", "./course setup --cuda"]


@situation("no-toolkit", code=4)
def neither_toolkit_nor_gpu(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools["nvcc"] = None
    return ["no compiler (nvcc)"]


@situation("cuda-home-empty", code=0)
def removed_toolkit(m: Machine) -> list[str]:
    setting = f"{m.draw.choice(['CUDA_HOME', 'CUDA_PATH'])}=/usr/local/{m.draw.word()}"
    name, _, value = setting.partition("=")
    m.environment[name] = value
    return [setting]


@situation("stubs-in-library-path", code=0)
def stubs_left_over(m: Machine) -> list[str]:
    folder = f"/usr/{m.draw.word()}/stubs"
    m.environment["LD_LIBRARY_PATH"] = folder
    return [folder, "34"]


@situation("wheels-of-different-releases", code=0)
def wheel_replaced(m: Machine) -> list[str]:
    packages = ".venv/lib/python3.11/site-packages"
    number = f"12.9.{m.draw.randint(10, 99)}"
    m.files[f"{packages}/nvidia_cuda_nvcc-13.0.88.dist-info/METADATA"] = ""
    m.files[f"{packages}/nvidia_cuda_runtime-{number}.dist-info/METADATA"] = ""
    return [f"nvidia-cuda-runtime {number}", "nvidia-cuda-nvcc 13.0.88", "setup --cuda"]


# --- Host compilers ------------------------------------------------------------------------------


@situation("host-compiler-works", code=0)
def the_newest_allowed(m: Machine) -> list[str]:
    newest = m.draw.randint(10, 20)
    m.gcc = newest
    m.header("host_config.h", f"#if __GNUC__ > {newest}\n#error\n#endif\n")
    return [f"GCC {newest}.2.0", str(m.bin / "g++")]


@situation("host-compiler-missing", code=1, is_next=True)
def no_compiler(m: Machine) -> list[str]:
    m.tools["g++"] = None
    return ["g++ not found", "./course setup"]


@situation("host-compiler-missing", code=1, is_next=True)
def compiler_named_that_is_gone(m: Machine) -> list[str]:
    m.environment["NVCC_CCBIN"] = f"g++-{m.draw.word()}"
    return [m.environment["NVCC_CCBIN"], "NVCC_CCBIN"]


@situation("host-compiler-too-new", code=1, is_next=True)
def newer_than_the_header_allows(m: Machine) -> list[str]:
    newest = m.draw.randint(9, 15)
    m.gcc = newest + m.draw.randint(1, 3)
    m.header("host_config.h", f"#if __GNUC__ > {newest}\n#error\n#endif\n")
    return [f"GCC {m.gcc}.2.0", m.toolkit, f"GCC {newest}", f"NVCC_CCBIN=g++-{newest}", "Install"]


@situation("host-compiler-too-new", code=1, is_next=True)
def an_older_one_is_here(m: Machine) -> list[str]:
    m.gcc, older = 18, m.draw.randint(10, 12)
    m.tools[f"g++-{older}"] = f"echo 'g++ {older}.1.0'"
    return [f"Take the older one that is here: export NVCC_CCBIN=g++-{older}"]


@situation("host-compiler-too-new", code=1, is_next=True)
def newer_than_the_table_allows(m: Machine) -> list[str]:
    newest = TABLE.newest_compiler(version(m.toolkit), "gcc")
    m.gcc = newest + 1
    return [f"GCC {newest + 1}.2.0", f"GCC {newest}"]


@situation("host-compiler-too-new", code=1, is_next=True)
def clang_too_new(m: Machine) -> list[str]:
    newest = m.draw.randint(15, 20)
    m.environment["NVCC_CCBIN"] = "clang++-host"
    m.tools["clang++-host"] = f"echo 'clang version {newest + 1}.1.0'"
    m.header("host_config.h", f"#if __GNUC__ > 13\n#if (__clang_major__ >= {newest + 1})\n")
    return [f"clang {newest + 1}.1.0", f"clang {newest}", "NVCC_CCBIN=g++-13"]


@situation("host-compiler-unknown", code=0)
def silent_compiler(m: Machine) -> list[str]:
    m.tools["g++"] = m.draw.choice(["exit 1", "true"])
    return [str(m.bin / "g++"), "does not tell"]


# --- The C library -------------------------------------------------------------------------------

PREPARED = "#if __GNUC_PREREQ(2,41) && __GLIBC_USE_ISOC23\n"


@situation("glibc-fits", code=0)
def older_glibc(m: Machine) -> list[str]:
    m.glibc = f"2.{m.draw.randint(28, 40)}"
    return [m.glibc]


@situation("glibc-fits", code=0)
def header_prepares_for_all(m: Machine) -> list[str]:
    m.glibc = f"2.{m.draw.randint(42, 50)}"
    m.header("math_functions.h", PREPARED + "#define _NV_RSQRT_SPECIFIER noexcept(true)\n")
    return [m.glibc]


@situation("glibc-too-new", code=1, is_next=True)
def header_prepares_for_sinpi_only(m: Machine) -> list[str]:
    m.glibc = f"2.{m.draw.randint(42, 50)}"
    m.header("math_functions.h", PREPARED)
    return [m.glibc, m.toolkit, "2.41", "13.2 is the first that fits"]


@situation("glibc-too-new", code=1, is_next=True)
def header_prepares_for_nothing(m: Machine) -> list[str]:
    m.glibc = "2.41"
    m.header("math_functions.h", f"double {m.draw.word()}(double x);\n")
    return ["2.41", m.toolkit, "2.40", "13.0 is the first that fits"]


@situation("glibc-too-new", code=1, is_next=True)
def by_the_table(m: Machine) -> list[str]:
    m.use_toolkit(m.draw.choice(["12.4", "12.6", "12.8", "12.9"]))
    m.use_driver_of("12.9")
    m.cards[0].capability = "8.0"
    m.glibc = f"2.{m.draw.randint(41, 45)}"
    return [m.glibc, m.toolkit, "2.40"]


@situation("musl", code=1, is_next=True)
def alpine(m: Machine) -> list[str]:
    m.glibc = ""
    m.files["lib/ld-musl-x86_64.so.1"] = ""
    return ["musl", "glibc", "container"]


@situation("library-unknown")
def no_headers(m: Machine) -> list[str]:
    m.glibc = ""
    return ["not known"]
