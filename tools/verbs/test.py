"""`./course test`."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools import chapters, meson, paths, process
from tools.console import Console, seconds_text
from tools.errors import FAILED, RIGHT, USAGE, Failure
from tools.inputs import files_under
from tools.nearest import nearest
from tools.testresults import Tally, read_junit, read_meson_log

DESCRIPTION = """\
Builds everything and runs every test that this machine can run: the checks of style and spelling,
the tests of the tools, the results and the site, and the programs on each device. What cannot run
here is skipped, with its reason; a test that did not run never counts as passed. The last line is
the sum over all runners.
"""

EXAMPLES = """\
examples:
  ./course test                      everything
  ./course test --fast               without the slow tests and the rendered site
  ./course test --only lint          one part: lint, cpp, site, or a folder of tests/
  ./course test --only 3             the programs of chapter 3, on both devices
  ./course test --only cpu           every program's tests on the CPU device (or gpu)
  ./course test -k warp              tests whose name contains a word
  ./course test --only gpu --none-skipped   on a machine whose GPU must be tested

exit codes:
  0  nothing failed     1  something failed, or did not build     2  wrong use

environment:
  CI  set: plain output, and pytest prints the slowest tests
"""

CPP_SUITES = ("cpp", "cpu", "gpu")
CXX_ENDINGS = {".cpp", ".cu", ".cuh", ".hpp", ".h"}
NOT_OURS = {"recorded", "_static", "fixtures"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        action="append",
        metavar="PART",
        default=[],
        help="lint, cpp, cpu, gpu, site, a folder of tests/, or a chapter; may be given again",
    )
    parser.add_argument(
        "--fast", action="store_true", help="leave out slow tests and the rendered site"
    )
    parser.add_argument("-k", metavar="WORD", help="only tests whose name contains this word")
    parser.add_argument(
        "--none-skipped", action="store_true", help="a skipped test makes the exit code 1"
    )


# --- Runners -------------------------------------------------------------------------------------


@dataclass
class Context:
    options: argparse.Namespace
    console: Console
    environment: dict[str, str]

    @property
    def reports(self) -> Path:
        folder = paths.build_dir() / "reports"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def run_lint(context: Context) -> Tally:
    """Each checker is one test."""
    tally = Tally()
    scripts = paths.venv_dir() / "bin"
    sources = [str(path) for path in cxx_sources()]
    ours = ("course", "src", "tools", "tests", "figures", "docs")
    python = [str(paths.REPO / name) for name in ours]
    python += [str(path) for path in sorted((paths.REPO / "chapters").rglob("*.py"))]
    prose = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "chapters", "src"]
    prose += ["tools", "tests", "figures", "course"]
    existing = [str(paths.REPO / name) for name in prose if (paths.REPO / name).exists()]
    checks = [
        ("ruff check", ["ruff", "check", "--no-cache", "--output-format=concise", *python]),
        ("ruff format", ["ruff", "format", "--no-cache", "--check", "--quiet", *python]),
        ("codespell", ["codespell", *existing]),
        ("clang-format", ["clang-format", "--dry-run", "-Werror", *sources]),
    ]
    fixes = {
        "ruff check": ".venv/bin/ruff check --fix",
        "ruff format": ".venv/bin/ruff format",
        "clang-format": ".venv/bin/clang-format -i FILE …",
    }
    for name, (program, *arguments) in checks:
        if context.options.k and context.options.k not in name:
            continue
        if program == "clang-format" and not sources:
            continue
        with context.console.step(name):
            outcome = process.run([scripts / program, *arguments], cwd=paths.REPO)
        if outcome.code == 127:
            tally.skip(f"{program} is not in .venv: run ./course setup")
        elif outcome.code == 0:
            tally.passed += 1
        else:
            tally.fail(name)
            context.console.print(f"{name}: {len(findings(outcome.output))} findings")
            context.console.print("\n".join(findings(outcome.output)[:40]))
            if name in fixes:
                context.console.print(f"Mend: {fixes[name]}")
    return tally


def findings(output: str) -> list[str]:
    """A checker's findings, one a line; of files that are formatted differently, the names."""
    marks = r"^ *--> (.+?):\d|^(.+?):\d+:\d+: .*clang-formatted"
    unformatted = re.findall(marks, output, re.MULTILINE)
    names = [one or other for one, other in unformatted]
    lines = names or [line for line in output.splitlines() if line.strip()]
    return [line.replace(f"{paths.REPO}/", "") for line in dict.fromkeys(lines)]


def cxx_sources() -> list[Path]:
    places = [paths.REPO / name for name in ("src", "chapters", "tests")]
    return [
        path
        for path in files_under(places)
        if path.suffix in CXX_ENDINGS and not NOT_OURS & set(path.relative_to(paths.REPO).parts)
    ]


def run_pytest(name: str, folder: str = "") -> Callable[[Context], Tally]:
    """The Python tests of `folder`, tests/`name` where none is given."""
    folder = folder or f"tests/{name}"

    def runner(context: Context) -> Tally:
        report = context.reports / f"pytest-{name}.xml"
        report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", folder, "-q", "--no-header"]
        command += ["--tb=short", "--color=no", f"--junitxml={report}"]
        command += ["-o", "junit_family=xunit2", "-o", "faulthandler_timeout=300"]
        command += ["-o", f"cache_dir={paths.build_dir() / 'pytest_cache'}"]
        if os.environ.get("CI"):
            command += ["--durations=5", "--durations-min=5"]
        if context.options.fast:
            command += ["-m", "not slow"]
        if context.options.k:
            command += ["-k", context.options.k]
        with context.console.step(folder) as step:

            def on_line(line: str) -> None:
                if match := re.search(r"\[ *(\d+%)\]$", line):
                    step.update(match[1])

            outcome = process.run(
                command,
                cwd=paths.REPO,
                env=context.environment,
                on_line=on_line,
                log=context.reports / f"pytest-{name}.log",
            )
        tally = read_junit(report) or Tally()
        broken = outcome.code not in (0, 1, 5) or (outcome.code == 1 and not tally.failed)
        if broken:
            tally.fail(f"{folder} (pytest ended with {outcome.code})")
        if tally.failed:
            context.console.print(outcome.tail(120))
        return tally

    return runner


def run_cpp(suites: list[str]) -> Callable[[Context], Tally]:
    """The programs' tests by Meson. No suite: all of them."""

    def runner(context: Context) -> Tally:
        console, build = context.console, paths.build_dir()
        with meson.lock(console):
            meson.configure(console)
        meson.compile(console, test_targets(suites), "Building the tests")
        command = [meson.find_meson(), "test", "-C", build, "--no-rebuild", "--no-stdsplit"]
        for suite in suites:
            command += ["--suite", suite]
        if context.options.fast:
            command += ["--no-suite", "slow"]
        environment = context.environment | {"GTEST_COLOR": "no"}
        if context.options.k:
            environment["GTEST_FILTER"] = f"*{context.options.k}*"
        log = build / "meson-logs" / "testlog.json"
        log.unlink(missing_ok=True)
        with console.step("Running the programs' tests") as step:

            def on_line(line: str) -> None:
                if match := re.match(r"\s*(\d+)/(\d+) (\S.*?)  ", line):
                    step.update(f"{match[1]} of {match[2]}: {match[3]}")

            outcome = process.run(command, cwd=paths.REPO, env=environment, on_line=on_line)
        tally, bad = read_meson_log(log, build)
        for entry in bad:
            words = entry.get("stdout", "") + entry.get("stderr", "")
            console.print(f"--- {entry['name']}: {entry['result']}")
            console.print("\n".join(interesting(words)))
        if outcome.code != 0 and not tally.failed:
            tally.fail(f"meson test (exit code {outcome.code})")
            console.print(outcome.tail(20))
        return tally

    return runner


def interesting(output: str) -> list[str]:
    """Of a failed program's output: the failures, without the tests that passed."""
    lines = [
        line
        for line in output.splitlines()
        if not re.match(r"\[(       OK|      RUN|  PASSED|---)", line.replace(" ]", ""))
        and not re.match(r"\[( RUN      |       OK |-+)\]", line)
    ]
    return lines[:60] + (["…"] if len(lines) > 60 else [])


def test_targets(suites: list[str]) -> list[str]:
    """What has to be built: everything, or the tests of the chapters that are named."""
    slugs = [suite for suite in suites if suite in chapters.slugs()]
    if not suites or len(slugs) != len(suites):
        return []
    wanted = re.compile(rf"chapters/({'|'.join(map(re.escape, slugs))})(-test)?(-cpu)?$")
    return sorted(target for target in meson.targets() if wanted.match(target))


def run_site(context: Context) -> Tally:
    """Rendering the site with warnings as errors is one test, its links another."""
    from tools import links
    from tools.verbs import site

    tally = Tally()
    if context.options.k and context.options.k not in "site builds, links":
        return tally
    try:
        site.build_site(context.console, measure=False)
        tally.passed += 1
    except Failure as failure:
        context.console.failure(failure)
        tally.fail("the site builds")
        return tally
    broken = links.broken_links(site.site_dir())
    if broken:
        context.console.print("\n".join(broken[:40]))
        tally.fail("links between the pages")
    else:
        tally.passed += 1
    return tally


# --- What is run ---------------------------------------------------------------------------------


AFTER_THE_BUILD = (
    "chapters",
    "labs",
    "troubles",
    "site",
)  # these need built programs, or rendered pages


def pytest_folders() -> list[str]:
    """Folders of tests/ that hold Python tests."""
    return sorted({path.parent.name for path in (paths.REPO / "tests").glob("*/test_*.py")})


def plan(options: argparse.Namespace) -> dict[str, Callable[[Context], Tally]]:
    """Runners by name, in the order in which they run."""
    folders = pytest_folders()
    everything = {"lint": run_lint}
    everything |= {name: run_pytest(name) for name in folders if name not in AFTER_THE_BUILD}
    everything["cpp"] = run_cpp([])
    everything["cpu_device"] = run_pytest("cpu_device", "src/cpu_device/tests")
    for name in ("chapters", "labs", "troubles"):
        if name in folders:
            everything[name] = run_pytest(name)
    if not options.fast or "site" in options.only:
        everything["site"] = run_site
        if "site" in folders:
            everything["pages"] = run_pytest("site")
    if not options.only:
        return everything
    chosen: dict[str, Callable[[Context], Tally]] = {}
    suites: list[str] = []
    for word in options.only:
        if word in everything:
            chosen[word] = everything[word]
            if word == "site" and "pages" in everything:
                chosen["pages"] = everything["pages"]
        elif word in CPP_SUITES:
            suites.append(word)
        else:
            suites.append(chapter_suite(word, list(everything)))
    if suites:
        chosen["cpp"] = run_cpp(suites)
    return {name: chosen[name] for name in [*everything, "cpp"] if name in chosen}


def chapter_suite(word: str, parts: list[str]) -> str:
    try:
        return chapters.find(word)
    except Failure:
        known = [*parts, *CPP_SUITES[1:], *chapters.slugs()]
        near = nearest(word, known)
        raise Failure(
            f"There is no part of the tests called '{word}'.",
            f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(known)}.",
            USAGE,
        ) from None


def run(options: argparse.Namespace, console: Console) -> int:
    runners = plan(options)
    context = Context(options, console, meson.environment())
    total = Tally()
    for name, runner in runners.items():
        began = time.monotonic()
        try:
            tally = runner(context)
        except Failure as failure:
            console.failure(failure)
            tally = Tally()
            tally.fail(f"{name} could not run")
        took = seconds_text(time.monotonic() - began)
        console.print(f"{name}: {tally.text()} ({took})")
        total.add(tally)
    print_summary(total, console)
    if options.none_skipped and total.skipped:
        console.error("Tests were skipped, and --none-skipped allows none.")
        return FAILED
    return FAILED if total.failed or not total.total else RIGHT


def print_summary(total: Tally, console: Console) -> None:
    if total.reasons:
        console.print("\nSkipped, and why:")
        for reason, count in total.reasons.most_common():
            console.print(f"{count:6}  {reason}")
    if total.failures:
        console.print("\nFailed:")
        for name in total.failures:
            console.print(f"  {name}")
    if not total.total:
        console.error("No test ran: nothing matches what was asked for.")
    console.print(f"\n{total.text()}")
