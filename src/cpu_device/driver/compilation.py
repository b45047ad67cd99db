"""Compiles one source file into one object file.

A .cpp file is an ordinary compile. A .cu file takes two passes over the same text:

    FILE.cu --host pass----> host IR   --+            +--> host object   --+
                                         +-- ir_glue -+                    +-- ld -r --> FILE.o
    FILE.cu --device pass--> device IR --+            +--> device object --+

The host pass is clang's CUDA front end for the host. The device pass is the same command with
"CUDA is device" switched on, but with this machine as its target, so that kernel bodies come out
as ordinary functions. Only the device object is instrumented.
"""

import concurrent.futures
import hashlib
import pathlib
import re
import shlex
import subprocess
import sys

from . import barrier_regions, block_order, depfile, ir_glue, local_arrays
from .diagnostics import Diagnostics
from .messages import Stop
from .runtime_library import ISLAND
from .syntax_tree import SyntaxTree

INCLUDE = ISLAND / "include"

# One level for instrumented device code: -O0 counts the source's loads instead of the compiler's,
# -O2 vectorises; see README.md, "How the counts are made".
INSTRUMENTED = [
    "-O1",
    "-fno-unroll-loops",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fsanitize=thread",
    "-fsanitize-coverage=bb,no-prune,trace-pc",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",  # d[t] += 5 loads as well as stores
    "-mllvm",
    "-tsan-distinguish-volatile=1",  # a volatile poll is no race
    "-mllvm",
    "-disable-loop-idiom-all",  # a fill loop stays stores, no call of memset
    "-mllvm",
    "-sink-common-insts=false",  # accesses of two branches stay two
    "-mllvm",
    "-hoist-common-insts=false",
    "-mllvm",
    "-disable-vector-combine",  # a float4 is loaded whole, also when its parts are used
]
# Code generation for it: every block stays where it is, and none is copied or merged.
IN_ORDER = [
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    *(
        word
        for option in (
            "-disable-block-placement",
            "-disable-branch-fold",
            "-disable-early-taildup",
            "-disable-tail-duplicate",
            "-disable-cgp",
        )
        for word in ("-mllvm", option)
    ),
]


class Compiler:
    """One source, one target; `work` is an empty folder for the intermediate files."""

    def __init__(self, opts, clang, source, target, work):
        self.opts = opts
        self.clang = clang
        self.source = source
        self.target = target
        self.work = work

    def compile(self):
        if self.opts.all_cuda or self.source.endswith(".cu"):
            self.compile_cuda()
        else:
            self.compile_host()

    # ---- helpers

    def run(self, command):
        if self.opts.verbose:
            print(shlex.join(str(word) for word in command), file=sys.stderr)
        return subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, check=False
        )

    def must_run(self, command, what):
        result = self.run(command)
        if result.returncode:
            raise Stop(f"{what} failed for {self.source}:\n{result.stderr}")

    def common(self, optimise):
        """Options of every front-end pass; the user's come after them and win."""
        flags = [
            self.opts.standard,
            optimise,
            "-fwrapv",
            "-Wno-register",  # nvcc accepts the old keyword
            "-D__CPU_DEVICE__=1",
            f"-I{INCLUDE}",  # before all others: a toolkit's headers of the same names lose
            f"-fdebug-prefix-map={INCLUDE}=/cpu_device_headers",
            "-g",  # the driver reads from it, too, where and as what things are declared
            "-gdwarf-4",  # addr2line takes the first file of a version 5 table for another
        ]
        if not self.opts.debug:
            flags.append("-fdebug-compilation-dir=.")  # file names as in the command line
        if sys.stderr.isatty():
            flags.append("-fcolor-diagnostics")
        return flags

    def dependencies(self, file):
        """Make-style dependency options that write to `file` and name our target."""
        if not self.opts.depend:
            return []
        wanted = [word for word in self.opts.depend if word in ("-MMD", "-MP")] or ["-MD"]
        if "-MMD" not in wanted and "-MD" not in wanted:
            wanted.insert(0, "-MD")
        return [*wanted, "-MF", file, *self.dependency_target()]

    def dependency_target(self):
        words = self.opts.depend
        for index, word in enumerate(words):
            if word in ("-MT", "-MQ"):
                return [word, words[index + 1]]
            if re.match(r"-M[TQ].", word):
                return [word[:3], word[3:]]
        return ["-MT", self.opts.output or self.target]

    def dependency_file(self):
        words = self.opts.depend
        for index, word in enumerate(words):
            if word == "-MF":
                return words[index + 1]
            if word.startswith("-MF"):
                return word[3:]
        return str(pathlib.Path(self.opts.output or self.target).with_suffix(".d"))

    # ---- .cpp, .c

    def compile_host(self):
        depend = self.dependencies(self.dependency_file())
        language = ["-x", "c", "-std=gnu17"] if self.source.endswith(".c") else []
        result = self.run(
            [
                self.clang,
                *self.common(self.opts.optimise),
                *language,
                *self.opts.preprocess,
                *depend,
                "-c",
                self.source,
                "-o",
                self.target,
            ]
        )
        report = Diagnostics(self.source)
        report.show(result.stderr)
        if result.returncode:
            raise Stop(report.reason())

    # ---- .cu

    def compile_cuda(self):
        host_ir, device_ir = self.work / "host.ll", self.work / "device.ll"
        self.front_end(host_ir, device_ir)
        host, device = ir_glue.join(
            host_ir.read_text(),
            device_ir.read_text(),
            self.unique(),
            self.opts,
            self.source,
            SyntaxTree(lambda: self.device_command(device_ir)),
        )
        host_ir.write_text(host)
        device_ir.write_text(local_arrays.watch(device) if self.opts.check else device)
        self.back_end(host_ir, device_ir)

    def unique(self):
        """A name for this object's device side; two objects of one source must differ."""
        words = [str(pathlib.Path(name).resolve()) for name in (self.source, self.target)]
        words += self.opts.preprocess
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:12]

    def front_end_command(self, output, depend, optimise, *extra):
        return [
            self.clang,
            "-x",
            "cuda",
            "--cuda-host-only",
            "-nocudainc",
            "-nocudalib",
            "-Wno-unknown-cuda-version",
            "-Wno-undefined-internal",  # extern __shared__ arrays in an unnamed namespace
            *self.common(optimise),
            "-include",
            INCLUDE / "cuda_runtime.h",
            *self.opts.preprocess,
            *depend,
            *extra,
            "-Xclang",
            "-disable-llvm-passes",
            "-Xclang",
            "-fcuda-allow-variadic-functions",
            "-S",
            "-emit-llvm",
            self.source,
            "-o",
            output,
        ]

    def device_command(self, output, depend=()):
        """The front-end command that the driver would run, turned into a device pass."""
        # -O0 would mark every function as not to be optimised, and then counts would be wrong.
        level = "-O1" if self.opts.optimise == "-O0" else self.opts.optimise
        listing = self.run([*self.front_end_command(output, depend, level), "-###"]).stderr
        lines = [line for line in listing.splitlines() if line.startswith(' "')]
        if not lines:
            raise Stop(listing.strip() or "the compiler driver shows no command")
        words = shlex.split(lines[-1])
        triple = words[words.index("-triple") + 1]
        words[words.index("-aux-triple") + 1] = triple
        at = words.index("-aux-triple") + 2
        words[at:at] = ["-fcuda-is-device", f"-DCPU_DEVICE_ARCH={self.opts.arch}"]
        return words

    def front_end(self, host_ir, device_ir):
        """Runs both passes at once and shows their diagnostics, each once."""
        host_deps, device_deps = self.work / "host.d", self.work / "device.d"
        # Host shadows of device variables become visible to other files.
        relocatable = ["-fgpu-rdc"] if self.opts.relocatable else []
        host_command = self.front_end_command(
            host_ir, self.dependencies(host_deps), self.opts.optimise, *relocatable
        )
        device_command = self.device_command(device_ir, self.dependencies(device_deps))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            host, device = pool.map(self.run, [host_command, device_command])
        report = Diagnostics(self.source)
        report.show(host.stderr)
        if host.returncode == 0:
            report.show(device.stderr)
        if host.returncode or device.returncode:
            raise Stop(report.reason())
        if self.opts.depend:
            depfile.merge([host_deps, device_deps], self.dependency_file())

    def back_end(self, host_ir, device_ir):
        keep = [word for word in self.opts.preprocess if re.match(r"-[fm](?!sanitize)", word)]
        common = [
            self.clang,
            "-Wno-override-module",
            "-Wno-unused-command-line-argument",
            "-w",
            "-fwrapv",
            *keep,
        ]
        host_object, device_object = self.work / "host.o", self.work / "device.o"

        def host():
            command = [*common, self.opts.optimise, "-c", host_ir, "-o", host_object]
            self.must_run(command, "code generation")

        def device():
            source, level = (
                device_ir,
                ["-O1" if self.opts.optimise == "-O0" else self.opts.optimise],
            )
            if self.opts.instrumented:
                source, level = self.work / "ordered.ll", IN_ORDER
                if self.opts.check:  # every local array has a place of its own
                    level = [*level, "-mllvm", "-no-stack-coloring"]
                command = [*common, *INSTRUMENTED, "-S", "-emit-llvm", device_ir, "-o", source]
                self.must_run(command, "instrumentation")
                ordered = block_order.reorder(source.read_text())
                source.write_text(barrier_regions.mark(ordered))
            command = [*common, *level, "-c", source, "-o", device_object]
            self.must_run(command, "code generation")

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(host), pool.submit(device)]:
                done.result()
        self.must_run(
            ["ld", "-r", host_object, device_object, "-o", self.target],
            "joining the host and device objects",
        )
