"""The command line: what cpucc understands of nvcc's and the host compilers' options."""

import dataclasses
import re

from .messages import EXIT_USAGE, Stop, note

USAGE = """\
usage: cpucc [--explain] [--check] [-c] [options] FILE.cu|.cpp|.c|.o|.a ... [-o OUT]

Compiles CUDA C++ so that its kernels run on this machine's CPU.

  -c                    compile only: one ordinary object file per source
  -o OUT                output file (default: a.out, or the source's stem + .o)
  --explain             count memory requests per line; run with CPU_DEVICE_REPORT=report.json
  --check               look for faults while the program runs; it ends with 86 when it has any
  -I -isystem -D -U -include -std= -O -g -W... -f... -w -MD -MMD -MF -MT -MQ -MP
                        as for clang; -std is c++17 unless given
  -l -L -Wl,... -pthread
                        handed to the linker
  -arch=sm_NN           sets __CUDA_ARCH__ to NN0 (default 900)
  -x cu                 all sources are CUDA, whatever their names end in
  -rdc=true, -dc        device functions and variables may be used across files
  --expt-relaxed-constexpr
                        device code may call constexpr functions of the host
  --runtime=FILE        link this runtime library, not the one built into the cache
  --verbose             show the commands
  --help, --version

Other nvcc options are ignored with a note. Environment: CPU_DEVICE_CLANG names the compiler,
CPU_DEVICE_CACHE the folder of the runtime library. Exit code: 0 done, 1 the program is wrong,
2 usage, 3 something must be installed."""

# nvcc's options without meaning here; True: the value may follow as a separate word.
IGNORED = {
    "-gencode": True,
    "--generate-code": True,
    "-code": True,
    "--gpu-code": True,
    "-ccbin": True,
    "--compiler-bindir": True,
    "-Xptxas": True,
    "--ptxas-options": True,
    "-maxrregcount": True,
    "--maxrregcount": True,
    "-cudart": True,
    "--cudart": True,
    "-default-stream": True,
    "--default-stream": True,
    "-diag-suppress": True,
    "--diag-suppress": True,
    "-Xcudafe": True,
    "-Xnvlink": True,
    "-threads": True,
    "--threads": True,
    "-t": True,
    "-split-compile": True,
    "--split-compile": True,
    "-lineinfo": False,
    "--generate-line-info": False,
    "-G": False,
    "--device-debug": False,
    "-use_fast_math": False,
    "--use_fast_math": False,
    "-extended-lambda": False,
    "--extended-lambda": False,
    "-expt-extended-lambda": False,
    "--expt-extended-lambda": False,
    "-m64": False,
    "-m": True,
    "-keep": False,
    "--keep": False,
    "-keep-dir": True,
    "--keep-dir": True,
    "-time": True,
    "--time": True,
    "-forward-unknown-to-host-compiler": False,
    "--forward-unknown-to-host-compiler": False,
    "-fmad": True,
    "--fmad": True,
    "-ftz": True,
    "-prec-div": True,
    "-prec-sqrt": True,
    "-res-usage": False,
    "--resource-usage": False,
    "-restrict": False,
    "--restrict": False,
}
# Ignored without a word: they change nothing that a user could miss here.
SILENT = {
    "-extended-lambda",
    "--extended-lambda",
    "-expt-extended-lambda",
    "-m64",
    "-m",
    "-forward-unknown-to-host-compiler",
    "--forward-unknown-to-host-compiler",
    "--expt-extended-lambda",
    "-lineinfo",
    "--generate-line-info",
}

# nvcc's long names of options that are understood.
LONG = {
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--pre-include": "-include",
    "--library": "-l",
    "--library-path": "-L",
    "--optimize": "-O",
    "--machine": "-m",
    "--x": "-x",
}
# What nvcc makes with these instead of an object or a program.
NOT_MADE = {
    "-E": "preprocessed text",
    "--preprocess": "preprocessed text",
    "-M": "a list of dependencies alone",
    "-MM": "a list of dependencies alone",
    "-ptx": "PTX",
    "--ptx": "PTX",
    "-cubin": "a cubin",
    "--cubin": "a cubin",
    "-fatbin": "a fatbin",
    "--fatbin": "a fatbin",
    "-lib": "an archive",
    "--lib": "an archive",
    "-shared": "a shared library",
    "--shared": "a shared library",
    "-odir": "objects in another folder",
    "--output-directory": "objects in another folder",
}
WARNINGS = {"all-warnings", "cross-execution-space-call", "reorder", "default-stream-launch"}

# Libraries of a toolkit: what these do, our runtime does; the others need a GPU.
REPLACED = {"cuda", "cudart", "cudart_static", "cudadevrt", "nvToolsExt", "culibos"}
NEED_A_GPU = re.compile(
    r"cublas(Lt)?|cufft(w)?|curand|cusolver(Mg)?|cusparse|cudnn|nvrtc|nvJitLink|nccl|npp\w+|cupti"
    r"|nvjpeg|cufile"
)

SOURCE_ENDINGS = (".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c")
LINK_ENDINGS = (".o", ".obj", ".a", ".so")


@dataclasses.dataclass
class Options:
    """A parsed command line."""

    explain: bool = False
    check: bool = False
    compile_only: bool = False
    relocatable: bool = False  # device functions and variables of other files may be used
    all_cuda: bool = False  # every source is CUDA, whatever its name ends in
    relaxed_constexpr: bool = False  # device code may call constexpr functions of the host
    verbose: bool = False
    output: str | None = None
    runtime: str | None = None
    standard: str = "-std=c++17"
    optimise: str = "-O2"
    debug: bool = False
    arch: int = 900  # the value of __CUDA_ARCH__
    inputs: list[str] = dataclasses.field(default_factory=list)  # in order, -l among them
    preprocess: list[str] = dataclasses.field(default_factory=list)  # -I -D -W -f ...
    link: list[str] = dataclasses.field(default_factory=list)  # -L -Wl, -pthread
    depend: list[str] = dataclasses.field(default_factory=list)  # -MD -MF ...

    @property
    def instrumented(self):
        return self.explain or self.check

    def add_library(self, name, word):
        if name in REPLACED:
            return
        if NEED_A_GPU.fullmatch(name.removesuffix("_static")):
            raise Stop(f"the library {name} needs a GPU: the CPU device has only the runtime's API")
        self.inputs.append(word)

    def set_language(self, name):
        if name not in ("cu", "c++", "c"):
            raise Stop(f"-x {name}: expected cu, c++ or c", EXIT_USAGE)
        self.all_cuda = name == "cu"

    def add_compiler_words(self, words):
        self.preprocess += words
        self.link += [word for word in words if word == "-fopenmp"]

    def sources(self):
        return [i for i in self.inputs if i.endswith(SOURCE_ENDINGS)]


def parse(arguments):
    """Returns Options; raises Stop with a sentence for a wrong command line."""
    options = Options()
    words = list(arguments)

    def value(option, joined=""):
        if joined:
            return joined
        if not words:
            raise Stop(f"option {option} needs a value", EXIT_USAGE)
        return words.pop(0)

    while words:
        word = words.pop(0)
        name, equals, rest = word.partition("=")
        if name in LONG:
            words[:0] = [LONG[name], value(name, rest)]
            continue
        if word == "-O" and words and re.fullmatch(r"[0-3]", words[0]):
            word += words.pop(0)
        if name in NOT_MADE:
            raise Stop(
                f"option {name}: cpucc makes objects (-c) and programs, not {NOT_MADE[name]}",
                EXIT_USAGE,
            )
        if word in ("--help", "-h", "-help"):
            print(USAGE)
            raise Stop("", 0)
        if word == "--version":
            print("cpucc (CPU device of the CUDA course) 1.0")
            raise Stop("", 0)
        if word == "--explain":
            options.explain = True
        elif word == "--check":
            options.check = True
        elif name in ("-rdc", "--relocatable-device-code"):
            options.relocatable = value(name, rest) == "true"
        elif word in ("-dc", "--device-c"):
            options.compile_only = options.relocatable = True
        elif word in ("-c", "--compile"):
            options.compile_only = True
        elif name == "-x":
            options.set_language(value(name, rest))
        elif word == "-Werror" and words and words[0] in WARNINGS:
            words.pop(0)
            options.add_compiler_words([word])
        elif word in ("-expt-relaxed-constexpr", "--expt-relaxed-constexpr"):
            options.relaxed_constexpr = True
        elif word in ("--verbose", "-v"):
            options.verbose = True
        elif word == "-o" or word == "--output-file":
            options.output = value(word)
        elif word.startswith("-o") and len(word) > 2:
            options.output = word[2:]
        elif name == "--runtime":
            options.runtime = value(name, rest)
        elif name in ("-std", "--std"):
            options.standard = "-std=" + value(name, rest)
        elif re.fullmatch(r"-O[0-3sg]?", word):
            options.optimise = word
        elif re.fullmatch(r"-g[0-3]?|-ggdb|--debug", word):
            options.debug = word != "-g0"
        elif name in ("-arch", "--gpu-architecture"):
            options.arch = architecture(value(name, rest))
        elif word in ("-I", "-D", "-U", "-isystem", "-include", "-iquote", "-idirafter"):
            options.preprocess += [word, value(word)]
        elif re.match(r"-[IDU].", word) or word.startswith(("-isystem", "-include")):
            options.preprocess.append(word)
        elif word in ("-MF", "-MT", "-MQ"):
            options.depend += [word, value(word)]
        elif word in ("-MD", "-MMD", "-MP") or re.match(r"-M[FTQ].", word):
            options.depend.append(word)
        elif word in ("-Xcompiler", "--compiler-options"):
            options.add_compiler_words(value(word).split(","))
        elif name in ("-Xcompiler", "--compiler-options") and equals:
            options.add_compiler_words(rest.split(","))
        elif word in ("-L", "-Xlinker"):
            options.link += [word, value(word)]
        elif word == "-l":
            name = value(word)
            options.add_library(name, "-l" + name)
        elif word.startswith("-l") and name not in IGNORED:
            options.add_library(word[2:], word)
        elif word.startswith(("-L", "-Wl,", "-fuse-ld")) or word in ("-pthread", "-static", "-s"):
            options.link.append(word)
        elif name in IGNORED:
            shown = word
            if IGNORED[name] and not equals and words and not words[0].endswith(".cu"):
                shown += " " + words.pop(0)
            if name not in SILENT:
                note(f"option {shown} means nothing to the CPU device and is ignored")
        elif re.match(r"-[Wfm].", word) or word in ("-w", "-pedantic"):
            options.add_compiler_words([word])
        elif word.startswith("-"):
            note(f"option {word} means nothing to the CPU device and is ignored")
        elif library := re.search(r"(?:^|/)lib(\w+)\.(?:a|so)[.\d]*$", word):
            options.add_library(library[1], word)
        elif word.endswith(SOURCE_ENDINGS + LINK_ENDINGS):
            options.inputs.append(word)
        else:
            raise Stop(
                f"'{word}' is neither an option nor a .cu, .cpp, .c, .o or .a file", EXIT_USAGE
            )
    check_shape(options)
    return options


def architecture(text):
    """The __CUDA_ARCH__ of -arch=sm_90, compute_90 or native."""
    match = re.fullmatch(r"(?:sm|compute|lto)_(\d+)[af]?", text)
    if match:
        return int(match[1]) * 10
    if text in ("native", "all", "all-major"):
        return 900
    raise Stop(f"-arch={text}: expected sm_NN, for example -arch=sm_90", EXIT_USAGE)


def check_shape(options):
    if not options.inputs:
        raise Stop("no input file (cpucc --help shows the usage)", EXIT_USAGE)
    if options.compile_only and not options.sources():
        raise Stop("-c needs a .cu or .cpp file", EXIT_USAGE)
    if options.compile_only and options.output and len(options.sources()) > 1:
        raise Stop("-c with -o takes one source file", EXIT_USAGE)
