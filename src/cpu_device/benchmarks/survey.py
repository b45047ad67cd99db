"""Builds and runs programs as they are, plain and with --check, and prints what passed.

    python3 src/cpu_device/benchmarks/survey.py [--seconds N] [OPTIONS] PLACE ...

A place is a .cu file, the folder of one program (all its sources become one program, which runs in
that folder), or a folder of such folders. OPTIONS are cpucc's, say -I/a/folder. "passed" is
exit code 0; what a program says of its own result stands in the logs. Exit code 1 when a program
was not built or did not pass.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

CPUCC = pathlib.Path(__file__).resolve().parent.parent / "cpucc"
ENDINGS = (".cu", ".cpp", ".cc", ".c")


def sources(place):
    """The source files of one program, less those that another one includes."""
    files = [file for file in [place, *sorted(place.rglob("*"))] if file.suffix in ENDINGS]
    text = "\n".join(file.read_text(errors="replace") for file in files)
    included = {name.rpartition("/")[2] for name in re.findall(r'#\s*include\s*"([^"]+)"', text)}
    return [file for file in files if file.name not in included]


def programs(place):
    """The programs of a place: itself when it has a source of its own, else its folders'."""
    inside = sorted(place.iterdir()) if place.is_dir() else [place]
    if any(file.suffix in ENDINGS or file.name == "src" for file in inside):
        return [place]
    return [program for folder in inside if folder.is_dir() for program in programs(folder)]


def run(words, folder, log, limit):
    """Runs a command with its output in a log; returns its exit code, or "time" past the limit."""
    try:
        with log.open("w") as out:
            result = subprocess.run(words, cwd=folder, stdout=out, stderr=out, timeout=limit)
            return result.returncode
    except subprocess.TimeoutExpired:
        return "time"


def reason(text):
    """cpucc's own sentence, else the first error."""
    own = re.search(r"^cpucc: (?!note|building).*", text, re.M)
    return (own or re.search(r"^.*(?:error|undefined).*", text, re.M) or "?")[0]


def survey(place, options, mode):
    """Returns what to say of one program, built with `mode`."""
    folder = place.parent if place.is_file() else place
    include = [f"-I{folder / name}" for name in (".", "inc", "include")]
    target = options.logs / f"{place.name}{''.join(mode)}"
    build, log = pathlib.Path(f"{target}.build"), pathlib.Path(f"{target}.run")
    words = [CPUCC, *mode, *include, *options.cpucc, *sources(place), "-o", target]
    if run(words, folder, build, 600):
        return reason(build.read_text(errors="replace"))
    begin = time.monotonic()
    code = run([target], folder, log, options.seconds)
    return f"{'passed' if code == 0 else f'exit {code}'} {time.monotonic() - begin:.1f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("places", nargs="+")
    options, options.cpucc = parser.parse_known_args()
    options.logs = pathlib.Path(tempfile.mkdtemp(prefix="survey-"))
    passed = []
    for program in [p for place in options.places for p in programs(pathlib.Path(place).resolve())]:
        said = [survey(program, options, mode) for mode in ([], ["--check"])]
        passed.append(all(word.startswith("passed") for word in said))
        print(f"{program.name:30} {'; '.join(dict.fromkeys(said))}", flush=True)
    print(f"{sum(passed)} of {len(passed)} programs passed; logs in {options.logs}")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
