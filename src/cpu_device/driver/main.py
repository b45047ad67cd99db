"""Entry point: parse, compile each source, link."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from . import clang, options, runtime_library
from .compilation import Compiler
from .messages import Stop


def main(arguments):
    """Returns the exit code of a cpucc command line."""
    try:
        run(options.parse(arguments))
    except Stop as stop:
        if stop.sentence:
            print(f"cpucc: {stop.sentence}", file=sys.stderr)
        return stop.exit_code
    return 0


def run(opts):
    compiler = clang.find()
    for name in opts.inputs:
        if not name.startswith("-l") and not pathlib.Path(name).exists():
            raise Stop(f"no such file: {name}")
    with tempfile.TemporaryDirectory(prefix="cpucc-") as scratch:
        objects = compile_sources(opts, compiler, pathlib.Path(scratch))
        if not opts.compile_only:
            link(opts, compiler, objects)


def compile_sources(opts, compiler, scratch):
    """Compiles every source; returns source -> object file."""
    objects = {}
    for number, source in enumerate(opts.sources()):
        if opts.compile_only:
            target = opts.output or pathlib.Path(source).stem + ".o"
        else:
            target = str(scratch / f"{number}-{pathlib.Path(source).stem}.o")
        work = scratch / str(number)
        work.mkdir()
        Compiler(opts, compiler, source, target, work).compile()
        objects[source] = target
    return objects


def link(opts, compiler, objects):
    """Links as any other linker driver would: objects, runtime, Boost.Context, threads."""
    runtime = opts.runtime or runtime_library.path(compiler, opts.verbose)
    inputs = [objects.get(name, name) for name in opts.inputs]
    command = [
        compiler,
        *inputs,
        *opts.link,
        runtime,
        "-lboost_context",
        "-lpthread",
        "-o",
        opts.output or "a.out",
    ]
    if opts.verbose:
        print(" ".join(command), file=sys.stderr)
    if not shutil.which("ld"):
        raise Stop("no linker found (Debian, Ubuntu: apt install binutils)", 3)
    if subprocess.run(command, check=False).returncode:
        raise Stop("")
