"""The compiler driver: options, diagnostics, objects, dependency files."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

import build

pytestmark = pytest.mark.compiler

KERNEL = """\
#include "value.hpp"
__global__ void set(int* p) { *p = VALUE; }
void run(int* p) { set<<<1, 1>>>(p); }
"""
MAIN = """\
#include <cuda_runtime.h>
#include <cstdio>
void run(int*);
int main() {
  int *p, h = 0;
  cudaMalloc(&p, 4);
  run(p);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", h);
}
"""


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "a folder"  # with a space in its name
    (folder / "include").mkdir(parents=True)
    (folder / "include" / "value.hpp").write_text("#define VALUE 41\n")
    (folder / "kernel.cu").write_text(KERNEL)
    (folder / "main.cpp").write_text(MAIN)
    return folder


def output(program):
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


def test_several_sources(project):
    build.cpucc("-Iinclude", "kernel.cu", "main.cpp", "-o", "program", cwd=project)
    assert output(project / "program") == "41\n"


def test_objects_link_with_any_linker(project):
    """Plain and instrumented objects, in an archive, linked by the host's compiler."""
    linker = shutil.which("g++") or shutil.which("c++")
    if not linker:
        pytest.skip("no other compiler here")
    for option in ([], ["--explain"]):
        build.cpucc("-c", *option, "-Iinclude", "kernel.cu", "-o", "kernel.o", cwd=project)
        build.cpucc("-c", "main.cpp", "-o", "main.o", cwd=project)
        subprocess.run(["ar", "rcs", "libkernel.a", "kernel.o"], check=True, cwd=project)
        subprocess.run(
            [
                linker,
                "main.o",
                "libkernel.a",
                runtime(),
                "-lboost_context",
                "-lpthread",
                "-o",
                "linked",
            ],
            check=True,
            cwd=project,
        )
        assert output(project / "linked") == "41\n"


def runtime():
    given = os.environ.get("CPU_DEVICE_RUNTIME")
    if given:
        return given
    from driver import clang, runtime_library

    return runtime_library.path(clang.find())


def test_dependency_file(project):
    (project / "device_only.hpp").write_text("#define EXTRA 1\n")
    (project / "kernel.cu").write_text(
        '#if defined(__CUDA_ARCH__)\n#include "device_only.hpp"\n#endif\n' + KERNEL
    )
    build.cpucc(
        "-c",
        "-Iinclude",
        "kernel.cu",
        "-o",
        "kernel.o",
        "-MD",
        "-MF",
        "kernel.d",
        "-MT",
        "kernel.o",
        cwd=project,
    )
    text = (project / "kernel.d").read_text()
    assert text.startswith("kernel.o: ")
    for name in ("kernel.cu", "include/value.hpp", "device_only.hpp", "cuda_runtime.h"):
        assert name in text
    build.cpucc("-c", "main.cpp", "-o", "main.o", "-MD", "-MF", "main.d", cwd=project)
    assert "main.o: " in (project / "main.d").read_text()


def test_users_error_is_shown_with_its_place(project):
    (project / "wrong.cu").write_text("__global__ void k(int* p) {\n  *p = nowhere_declared;\n}\n")
    result = build.cpucc("-c", "wrong.cu", "-o", "wrong.o", cwd=project, check=False)
    assert result.returncode == 1
    assert "wrong.cu:2:8: error: use of undeclared identifier 'nowhere_declared'" in result.stderr
    assert result.stderr.count("error:") == 1  # both passes see it, one is shown
    assert "cpu_device" not in result.stderr and "Traceback" not in result.stderr
    assert not (project / "wrong.o").exists()


def test_warnings_are_the_users(project):
    (project / "unused.cu").write_text("__global__ void k() {\n  int unused;\n}\n")
    result = build.cpucc(
        "-c", "-Wall", "-Werror", "unused.cu", "-o", "unused.o", cwd=project, check=False
    )
    assert result.returncode == 1 and "unused.cu:2:7: error: unused variable" in result.stderr


@pytest.mark.parametrize(
    "body, text",
    [
        (
            "int unused_host(int);\n__global__ void k(int* p) { *p = unused_host(1); }",
            "call to __host__ function from __global__ function",
        ),
        ("__device__ int f() { return 1; }\nint g() { return f(); }", "'f'"),
        (
            "__global__ void k(int) {}\nvoid f() { k<<<1, 1>>>(1, 2); }",
            "too many arguments to function call",
        ),
        (
            "__global__ void k(int) {}\nvoid f() { k(1); }",
            "call to global function 'k' not configured",
        ),
    ],
)
def test_misuse_is_rejected_as_nvcc_does(project, body, text):
    (project / "misuse.cu").write_text(body + "\n")
    result = build.cpucc("-c", "misuse.cu", "-o", "m.o", cwd=project, check=False)
    assert result.returncode == 1 and text in result.stderr and "misuse.cu:2" in result.stderr


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("mov.u32 %0, %%laneid;" : "=r"(*p));',
        'long long x; asm("mov.u64 %0, %%globaltimer;" : "=l"(x)); *p = x;',
    ],
)
def test_inline_ptx_is_refused_in_a_sentence(project, statement):
    (project / "ptx.cu").write_text("__global__ void k(int* p) {\n  " + statement + "\n}\n")
    result = build.cpucc("-c", "ptx.cu", "-o", "ptx.o", cwd=project, check=False)
    assert result.returncode == 1
    assert "ptx.cu:2: inline PTX cannot run on the CPU device" in result.stderr


def test_headers_of_missing_features_say_so(project):
    (project / "mma.cu").write_text("#include <mma.h>\n")
    result = build.cpucc("-c", "mma.cu", "-o", "mma.o", cwd=project, check=False)
    assert result.returncode == 1 and "needs tensor cores" in result.stderr


@pytest.mark.parametrize(
    "text, sentence",
    [
        (
            '__device__ void f() {\n  asm volatile("wgmma.fence.sync.aligned;");\n}',
            "2: inline PTX cannot run on the CPU device",
        ),
        (
            '__device__ unsigned f() {\n  unsigned r;\n  asm("mov.u32 %0, %smid;" : "=r"(r));\n'
            "  return r;\n}",
            "3: inline PTX cannot run on the CPU device",
        ),
        (
            "__global__ void child() {}\n__global__ void k() {\n  child<<<1, 1>>>();\n}",
            "3: a kernel cannot launch another (child) on the CPU device",
        ),
        (
            "#include <cuda/barrier>\n__global__ void k(const float* p) {\n"
            "  __shared__ float s[4];\n"
            "  __shared__ cuda::barrier<cuda::thread_scope_block> b;\n"
            "  cuda::device::memcpy_async_tx(s, p, cuda::aligned_size_t<16>(16), b);\n}",
            "5: memcpy_async_tx cannot be had: the CPU device has no bulk copy engine",
        ),
        (
            "#include <cooperative_groups.h>\n__global__ void k() {\n"
            "  cooperative_groups::this_cluster().sync();\n}",
            "3: this_cluster cannot be had: the CPU device has no clusters of blocks",
        ),
        (
            "\n#include <mma.h>\n",
            "2: <mma.h> needs tensor cores, which the CPU device does not have",
        ),
        ("#include <cuda/ptx>\n", "1: <cuda/ptx> needs the GPU's own instructions"),
        ("#include <cub/cub.cuh>\n", "1: <cub/cub.cuh> is not part of the CPU device"),
        (
            "#include <cuda.h>\nint main() { return cuInit(0); }\n",
            "2: cuInit belongs to the driver",
        ),
        ("#include <cuda.h>\nCUmodule module;\n", "2: CUmodule belongs to the driver API"),
        (
            "void f() { cudaGraphicsMapResources(1, 0); }\n",
            "1: cudaGraphicsMapResources shares memory",
        ),
        ("cudaIpcMemHandle_t handle;\n", "1: cudaIpcMemHandle_t is not part of the CPU device"),
        (
            "__global__ void k(int** p) {\n  cudaMalloc(p, 4);\n}",
            "2: a kernel cannot call cudaMalloc on the CPU device",
        ),
        (
            "__global__ void k() {\n  cudaDeviceSynchronize();\n}",
            "2: a kernel cannot call cudaDeviceSynchronize on the CPU device",
        ),
    ],
)
def test_what_a_cpu_cannot_have_is_named(project, text, sentence):
    (project / "missing.cu").write_text(text)
    result = build.cpucc("-c", "missing.cu", "-o", "m.o", cwd=project, check=False)
    assert result.returncode == 1
    assert f"\ncpucc: missing.cu:{sentence}" in f"\n{result.stderr}"


@pytest.mark.parametrize("name", ["thrust/sort.h", "cublas_v2.h", "cuda_gl_interop.h"])
@pytest.mark.parametrize("ending", [".cu", ".cpp"])
def test_what_a_header_of_the_program_includes_is_named(project, ending, name):
    (project / "include" / "value.hpp").write_text(f"\n#include <{name}>\n")
    (project / "toolkit" / name).parent.mkdir(parents=True)
    (project / "toolkit" / name).write_text("#error not for this compiler\n")
    source = "main" + ending
    (project / source).write_text('#include "value.hpp"\n')
    result = build.cpucc("-c", "-Iinclude", "-Itoolkit", source, cwd=project, check=False)
    assert result.returncode == 1
    assert f"cpucc: include/value.hpp:2: <{name}> " in result.stderr


def test_states_of_random_numbers_are_known_to_host_files(project):
    """A structure that holds them is as large in a .cpp as in a .cu."""
    (project / "plan.hpp").write_text(
        "#include <curand_kernel.h>\n"
        "struct Plan { curandState one; curandStatePhilox4_32_10_t* many; };\n"
    )
    (project / "part.cpp").write_text('#include "plan.hpp"\nint part = sizeof(Plan);\n')
    (project / "main.cu").write_text(
        '#include "plan.hpp"\nextern int part;\n'
        "int main() { return part == sizeof(Plan) ? 0 : 1; }\n"
    )
    build.cpucc("part.cpp", "main.cu", "-o", "program", cwd=project)
    assert subprocess.run([project / "program"], check=False).returncode == 0


def test_old_c_and_c_plus_plus(project):
    """Files of C are C, and the keyword `register` is accepted, as nvcc does both."""
    (project / "part.c").write_text("int part(void) { int new = 41; return new; }\n")
    (project / "main.cu").write_text(
        '#include <cstdio>\nextern "C" int part(void);\n'
        'int main() { register int x = part(); std::printf("%d\\n", x); }\n'
    )
    build.cpucc("part.c", "main.cu", "-lcuda", "-o", "program", cwd=project)
    assert output(project / "program") == "41\n"
    (project / "part.c").write_text("#include <cuda_runtime.h>\n")
    result = build.cpucc("-c", "part.c", cwd=project, check=False)
    assert "end the file's name in .cpp" in result.stderr


def test_openmp_of_the_host_is_linked():
    from driver import options

    for words in (["-Xcompiler", "-fopenmp,-Wall"], ["-Xcompiler=-fopenmp"], ["-fopenmp"]):
        parsed = options.parse([*words, "a.cu"])
        assert "-fopenmp" in parsed.preprocess and parsed.link == ["-fopenmp"]


def test_clusters_are_refused_in_a_sentence(project):
    (project / "cluster.cu").write_text(
        "template <int N>\n__global__ void __cluster_dims__(N, 1, 1) k(int* p) { *p = N; }\n"
        "void f(int* p) { k<2><<<2, 1>>>(p); }\n"
    )
    result = build.cpucc("-c", "cluster.cu", cwd=project, check=False)
    assert result.returncode == 1
    assert "cluster.cu:2: __cluster_dims__ cannot be had on the CPU device" in result.stderr


def test_options_without_meaning_are_noted(project):
    result = build.cpucc(
        "-c",
        "-Iinclude",
        "-maxrregcount=32",
        "--use_fast_math",
        "-gencode",
        "arch=compute_90,code=sm_90",
        "-lineinfo",
        "kernel.cu",
        "-o",
        "k.o",
        cwd=project,
    )
    for option in ("-maxrregcount=32", "--use_fast_math", "-gencode arch=compute_90,code=sm_90"):
        assert f"option {option} means nothing to the CPU device" in result.stderr
    assert "-lineinfo" not in result.stderr


def test_options_as_build_systems_write_them(project):
    """Values as words of their own, long names, CUDA in a file of another name."""
    (project / "kernel.cpp").write_text(KERNEL)
    words = "-x cu -O 3 -m 64 --include-path include --define-macro SOME=1 -Werror all-warnings"
    result = build.cpucc(
        *words.split(), "-forward-unknown-to-host-compiler", "-c", "kernel.cpp", cwd=project
    )
    assert result.stderr == ""
    build.cpucc("kernel.o", "main.cpp", "--library", "m", "-o", "program", cwd=project)
    assert output(project / "program") == "41\n"


def test_architecture_can_be_chosen(project):
    (project / "arch.cu").write_text(
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 750\n#error wrong\n#endif\n"
    )
    build.cpucc("-c", "-arch=sm_75", "arch.cu", "-o", "arch.o", cwd=project)
    result = build.cpucc("-c", "arch.cu", "-o", "arch.o", cwd=project, check=False)
    assert result.returncode == 1


@pytest.mark.parametrize(
    "arguments, code, saying",
    [
        (["-c"], 2, "no input file"),
        (["notes.txt"], 2, "neither an option nor a .cu"),
        (["absent.cu"], 1, "no such file: absent.cu"),
        (["-arch=fast", "kernel.cu"], 2, "expected sm_NN"),
        (["-o"], 2, "needs a value"),
        (["-ptx", "kernel.cu"], 2, "option -ptx: cpucc makes objects (-c) and programs, not PTX"),
        (["-shared", "kernel.cu"], 2, "not a shared library"),
        (["--output-directory", ".", "kernel.cu"], 2, "not objects in another folder"),
        (["-x", "fortran", "kernel.cu"], 2, "-x fortran: expected cu, c++ or c"),
    ],
)
def test_wrong_command_lines(project, arguments, code, saying):
    result = build.cpucc(*arguments, cwd=project, check=False)
    assert result.returncode == code and saying in result.stderr
    assert "Traceback" not in result.stderr


def test_help():
    assert "usage: cpucc" in build.cpucc("--help").stdout


def test_missing_or_old_clang_is_one_sentence(project):
    def attempt(**env):
        result = build.cpucc("-c", "kernel.cu", "-o", "k.o", cwd=project, check=False, env=env)
        assert result.returncode == 3
        assert len(result.stderr.splitlines()) == 1
        assert "install clang 16 or newer" in result.stderr
        return result.stderr

    assert "is not a clang++ that runs" in attempt(CPU_DEVICE_CLANG="/nowhere/clang++")
    empty = project / "bin"
    empty.mkdir()
    assert "no clang++ found" in attempt(PATH=str(empty), CPU_DEVICE_CLANG="")
    old = empty / "clang++"
    old.write_text("#!/bin/sh\necho 'Debian clang version 14.0.6'\n")
    old.chmod(0o755)
    (empty / "sh").symlink_to("/bin/sh")
    assert "version 14, too old" in attempt(PATH=str(empty), CPU_DEVICE_CLANG="")


def test_a_compiler_named_without_its_folder_has_one_runtime(tmp_path, monkeypatch):
    """Whatever the working directory is: else each new one would cost a build of the runtime."""
    from driver import clang, runtime_library

    known = pathlib.Path(clang.find())
    monkeypatch.setenv("PATH", str(known.parent), prepend=":")
    monkeypatch.setenv("CPU_DEVICE_CLANG", known.name)
    here = runtime_library.fingerprint(clang.find())
    monkeypatch.chdir(tmp_path)
    assert runtime_library.fingerprint(clang.find()) == here


CALLER = """\
#include <cstdio>
struct Pair { float x; };
extern __device__ int counter;
extern __constant__ float table[4];
__device__ float twice(float x);
__device__ Pair moved(Pair p, int by);
__host__ __device__ int both(int);
namespace inner { extern __device__ int hidden; __device__ int read(int*); }
static __device__ int helper(int x) { return x + 1; }
__global__ void run(float* out) {
  out[0] = twice(table[2]);
  out[1] = moved({1}, 3).x;
  out[2] = both(2) + inner::read(&inner::hidden) + helper(0);
  atomicAdd(&counter, 5);
}
void set();
int main() {
  float* out;
  cudaMallocManaged(&out, 64);
  set();
  run<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  std::printf("%g %g %g %d %d\\n", out[0], out[1], out[2], count, both(3));
}
"""
CALLED = """\
struct Pair { float x; };
__device__ int counter = 1;
__constant__ float table[4];
static __device__ int helper(int x) { return x + 1000; }
__device__ float twice(float x) { return 2 * x; }
__device__ Pair moved(Pair p, int by) { return {p.x + by + helper(-1000)}; }
__host__ __device__ int both(int x) {
#ifdef __CUDA_ARCH__
  return x + 100;
#else
  return x;
#endif
}
namespace inner { __device__ int hidden = 7; __device__ int read(int* p) { return *p; } }
void set() {
  float values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, values, sizeof values);
}
"""


@pytest.mark.parametrize("option", [[], ["--explain"]])
def test_device_functions_across_files(project, option):
    (project / "caller.cu").write_text(CALLER)
    (project / "called.cu").write_text(CALLED)
    build.cpucc(*option, "-rdc=true", "caller.cu", "called.cu", "-o", "rdc", cwd=project)
    assert output(project / "rdc") == "6 4 110 11 3\n"
    build.cpucc(*option, "-dc", "caller.cu", "called.cu", cwd=project)
    build.cpucc("caller.o", "called.o", "-o", "rdc", cwd=project)
    assert output(project / "rdc") == "6 4 110 11 3\n"


def test_device_functions_of_other_files_need_an_option(project):
    (project / "caller.cu").write_text(CALLER)
    result = build.cpucc("-c", "caller.cu", cwd=project, check=False)
    assert result.returncode == 1
    assert "caller.cu:11: the device function twice(float) is not defined" in result.stderr
    assert "-rdc=true" in result.stderr


# ---- a toolkit on the same machine


@pytest.fixture
def toolkit(project):
    """A folder as a toolkit installs it: with headers that must lose against ours."""
    folder = project / "toolkit"
    (folder / "thrust").mkdir(parents=True)
    for name in ("cuda_runtime.h", "vector_types.h", "device_launch_parameters.h"):
        (folder / name).write_text("#error the toolkit's header was taken\n")
    (folder / "thrust" / "sort.h").write_text("struct int4 { double w; };\n")
    (project / "kernel.cu").write_text("#include <vector_types.h>\n" + KERNEL)
    return folder


@pytest.mark.parametrize("way", ["-I", "-isystem", "CPATH", "CPLUS_INCLUDE_PATH"])
def test_our_headers_come_before_a_toolkits(project, toolkit, way):
    environment = {} if way.startswith("-") else {way: str(toolkit)}
    options = [way, toolkit] if way.startswith("-") else []
    words = [*options, "-Iinclude", "kernel.cu", "main.cpp", "-o", "program"]
    build.cpucc(*words, cwd=project, env=environment)
    assert output(project / "program") == "41\n"


def test_a_toolkits_other_headers_are_refused_in_a_sentence(project, toolkit):
    (project / "sort.cu").write_text("\n#include <thrust/sort.h>\n")
    result = build.cpucc("-c", "-Itoolkit", "sort.cu", cwd=project, check=False)
    assert result.returncode == 1
    assert "cpucc: sort.cu:2: <thrust/sort.h> belongs to a CUDA toolkit" in result.stderr


def test_a_toolkits_libraries(project):
    """The runtime's own are replaced by ours; the others are refused."""
    (project / "libcudart.so.13").write_text("not ours")
    words = ["-Iinclude", "kernel.cu", "main.cpp", "-L/nowhere", "-lcudart", "-l", "cudadevrt"]
    build.cpucc(*words, "libcudart.so.13", "-o", "program", cwd=project)
    assert output(project / "program") == "41\n"
    result = build.cpucc(*words, "-lcublas", "-o", "p", cwd=project, check=False)
    assert result.returncode == 1
    assert "cpucc: the library cublas needs a GPU" in result.stderr


def test_meson_builds_every_source_of_the_runtime():
    """cpucc finds them by itself; Meson has a list."""
    island = build.CPUCC.parent
    listed = re.findall(r"'(runtime/\w+\.cpp)'", (island / "meson.build").read_text())
    assert listed == sorted(f"runtime/{file.name}" for file in island.glob("runtime/*.cpp"))
