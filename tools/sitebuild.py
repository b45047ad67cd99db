"""Builds the site: reference XML, captured commands, pages. Only what changed is made again.

`build` is what `./course site` and `./course serve` call once the examples are built; `zip_site`
packs the result. Each of the three parts is skipped when nothing it reads has changed.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

from tools import capture, paths
from tools.console import Console
from tools.errors import FAILED, SETUP_NEEDED, Failure

DOXYFILE = """\
PROJECT_NAME           = Coalesce
INPUT                  = {inputs}
OUTPUT_DIRECTORY       = {output}
FILE_PATTERNS          = *.hpp *.cuh *.cu
EXTENSION_MAPPING      = cu=C++ cuh=C++ hpp=C++
RECURSIVE              = NO
GENERATE_XML           = YES
GENERATE_HTML          = NO
GENERATE_LATEX         = NO
XML_PROGRAMLISTING     = NO
EXTRACT_ALL            = NO
HIDE_UNDOC_MEMBERS     = NO
JAVADOC_AUTOBRIEF      = YES
MARKDOWN_SUPPORT       = YES
AUTOLINK_SUPPORT       = YES
STRIP_FROM_PATH        = {root}
STRIP_FROM_INC_PATH    = {root}/src
ENABLE_PREPROCESSING   = YES
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
PREDEFINED             = __launch_bounds__(...)= __align__(n)= __CUDACC__=1 DOXYGEN=1
SHOW_INCLUDE_FILES     = NO
EXCLUDE_SYMBOLS        = detail detail::* *::detail *::detail::*
QUIET                  = YES
WARNINGS               = YES
WARN_IF_UNDOCUMENTED   = NO
WARN_IF_DOC_ERROR      = YES
WARN_NO_PARAMDOC       = NO
WARN_AS_ERROR          = FAIL_ON_WARNINGS
WARN_LOGFILE           = {log}
CASE_SENSE_NAMES       = YES
"""


def build(
    repo: Path, build_dir: Path, console: Console, *, draft: bool = False, commands: bool = True
) -> Path:
    """Makes the site and returns its folder. Raises Failure with the first lines that help.

    In a draft, missing results and captures are shown on the page instead of ending the build.
    """
    repo, build_dir = repo.resolve(), build_dir.resolve()
    site = build_dir / "site"
    with console.step("Reading the headers of the support library"):
        doxygen(repo, build_dir)
    if commands:
        run_commands(repo, build_dir, console, draft=draft)
    with console.step("Rendering the pages") as step:
        sphinx(repo, build_dir, site, draft=draft, progress=step.update)
    if not draft:
        check_numbers(site)
    return site


def run_commands(repo: Path, build_dir: Path, console: Console, *, draft: bool) -> None:
    """Runs the pages' commands that are not captured yet; names what is not run, and why."""
    with console.step("Running the commands that the pages show") as step:
        report = capture.capture_all(repo, build_dir, progress=step.update)
    skipped = report.skipped if report.ran else []
    if skipped:
        console.line("Nothing to repair: these commands are shown on the pages and not run here.")
    for place, command, reason in skipped:
        console.line(f"  not run: {command} ({place}: {reason})")
    if report.failed and not draft:
        lines = "\n".join(f"{place}: {problem}" for place, problem in report.failed)
        raise Failure(
            f"{len(report.failed)} command(s) on the pages did not end as the page says.",
            "No page was written. Run them by hand from the repository's root; "
            "`.venv/bin/python -m tools.capture` repeats them.",
            FAILED,
            tail=lines,
        )


def zip_site(site_dir: Path, out: Path) -> Path:
    """Packs the site so that it opens from wherever it is unpacked. The same site gives the same
    bytes."""
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_suffix(out.suffix + ".part")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(site_dir.rglob("*")):
            name = path.relative_to(site_dir).as_posix()
            if path.is_dir() or name in (".buildinfo", "objects.inv") or name.startswith("."):
                continue
            entry = zipfile.ZipInfo(f"coalesce-site/{name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    temporary.replace(out)
    return out


# The reference pages' XML -----------------------------------------------------------------------


def doxygen(repo: Path, build_dir: Path) -> Path:
    """Runs Doxygen over src/coalesce where a header changed. Returns the folder of the XML."""
    output = build_dir / "doxygen"
    xml = output / "xml"
    headers = sorted((repo / "src" / "coalesce").glob("*.[hc][pu]*"))
    headers = [path for path in headers if path.suffix in (".hpp", ".cuh", ".cu")]
    text = DOXYFILE.format(
        inputs=" ".join(f'"{path}"' for path in headers),
        output=f'"{output}"',
        root=f'"{repo}"' if " " in str(repo) else repo,
        log=f'"{output / "warnings.log"}"',
    )
    digest = hashlib.sha256(text.encode())
    for path in headers:
        digest.update(path.read_bytes())
    stamp = output / "stamp"
    if stamp.is_file() and stamp.read_text() == digest.hexdigest() and (xml / "index.xml").exists():
        return xml
    program = shutil.which("doxygen")
    if program is None:
        raise Failure(
            "doxygen is missing, so the reference pages cannot be made.",
            "Run ./course setup, or install the package doxygen.",
            SETUP_NEEDED,
        )
    output.mkdir(parents=True, exist_ok=True)
    fresh = output / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    (output / "Doxyfile").write_text(text.replace(f'"{output}"', f'"{fresh}"'))
    fresh.mkdir()
    outcome = subprocess.run(
        [program, str(output / "Doxyfile")], cwd=repo, capture_output=True, text=True, check=False
    )
    log = output / "warnings.log"
    warnings = log.read_text() if log.is_file() else ""
    if outcome.returncode != 0 or warnings.strip():
        raise Failure(
            "Doxygen finds fault with a comment in src/coalesce.",
            "Put the comment right; the line above names file and line.",
            FAILED,
            tail=(warnings or outcome.stderr).replace(f"{repo}/", ""),
        )
    split_exceptions(fresh / "xml")
    _take_changed(fresh / "xml", xml)
    shutil.rmtree(fresh)
    stamp.write_text(digest.hexdigest())
    return xml


def split_exceptions(xml: Path) -> None:
    """Gives each exception an item of its own: `\\throws a, b` is one item with two names, which
    Breathe refuses. A word that is no type (`\\throws a, for instance …`) goes back to the text."""
    for path in xml.glob("*.xml"):
        text = path.read_text(encoding="utf-8")
        if 'parameterlist kind="exception"' not in text:
            continue
        tree = ElementTree.ElementTree(ElementTree.fromstring(text))
        changed = False
        for parameters in tree.iterfind(".//parameterlist[@kind='exception']"):
            for at, item in reversed(list(enumerate(parameters))):
                names = item.find("parameternamelist")
                found = [name for name in names if name.tag == "parametername"]
                for name in reversed(found[1:]):
                    changed = True
                    names.remove(name)
                    word = "".join(name.itertext())
                    paragraph = item.find("parameterdescription/para")
                    if "::" in word or "_" in word:
                        twin = copy.deepcopy(item)
                        twin_names = twin.find("parameternamelist")
                        for other in list(twin_names):
                            twin_names.remove(other)
                        twin_names.append(name)
                        parameters.insert(at + 1, twin)
                    elif paragraph is not None:
                        paragraph.text = f"{word} {paragraph.text or ''}"
        if changed:
            tree.write(path, encoding="utf-8", xml_declaration=True)


def _take_changed(fresh: Path, xml: Path) -> None:
    """Replaces only files with other contents, so that pages of unchanged headers are kept."""
    xml.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in fresh.iterdir()}
    for path in xml.iterdir():
        if path.name not in names:
            path.unlink()
    for path in fresh.iterdir():
        old = xml / path.name
        if not old.is_file() or old.read_bytes() != path.read_bytes():
            path.replace(old)


# Pages ------------------------------------------------------------------------------------------


def _python(repo: Path) -> str:
    """A Python that has Sphinx: this one, or the virtual environment's."""
    if importlib.util.find_spec("sphinx"):
        return sys.executable
    candidate = paths.venv_dir() / "bin" / "python"
    if candidate.is_file():
        return str(candidate)
    raise Failure("Sphinx is not installed.", "Run ./course setup.", SETUP_NEEDED)


_PROGRESS = re.compile(r"^(reading sources|writing output)\.\.\. \[\s*(\d+)%\] (\S+)")


def sphinx(repo: Path, build_dir: Path, site: Path, *, draft: bool = False, progress=None) -> None:
    """Runs Sphinx with warnings as errors. Its own state lies in build/doctrees."""
    environment = os.environ | {
        "COALESCE_BUILD": str(build_dir),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("COALESCE_DRAFT", None)
    if draft:
        environment["COALESCE_DRAFT"] = "1"
    doctrees = build_dir / ("doctrees-draft" if draft else "doctrees")
    command = [_python(repo), "-m", "sphinx", "-b", "html", "-n", "--color", "-d", str(doctrees)]
    command[command.index("--color")] = "--no-color"
    if not draft:
        command += ["-W"]
    command += [str(repo / "docs"), str(site)]
    process = subprocess.Popen(
        command, cwd=repo, env=environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    kept: list[str] = []
    try:
        for line in process.stdout:
            for part in line.rstrip("\n").split("\r"):
                match = _PROGRESS.match(part)
                if match:
                    if progress:
                        verb = "reading" if match[1].startswith("reading") else "writing"
                        progress(f"{verb} {match[3]}")
                elif re.search(r"(WARNING|ERROR|Error|Exception|Traceback)", part) or (
                    kept and part.startswith((" ", "\t"))
                ):
                    kept.append(part)
        code = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    shown = "\n".join(dict.fromkeys(kept)).replace(f"{repo}/docs/chapters/", "chapters/")
    shown = shown.replace(f"{repo}/", "")
    if code != 0:
        raise Failure("The pages could not be rendered.", "", FAILED, tail=shown)
    if draft and shown:
        print(shown)


def check_numbers(site: Path) -> None:
    """Ends the build when a page types a number that looks measured. Pages that were found clean
    before and have not changed are passed over."""
    from tools import numbers_check

    stamp = site.parent / "numbers-checked.json"
    try:
        known = json.loads(stamp.read_text())
    except (OSError, ValueError):
        known = {}
    findings, clean = numbers_check.check_changed(site, known)
    stamp.write_text(json.dumps(clean))
    if findings:
        raise Failure(
            f"{len(findings)} number(s) on the pages come from no result.",
            "Use a role (docs/guide/writing.md), or allow them with a reason in "
            "docs/data/allowed_numbers.toml.",
            FAILED,
            tail="\n".join(map(str, findings)),
        )


def main() -> int:
    """Builds the pages without building the examples; `--no-commands` runs no commands either."""
    parser = argparse.ArgumentParser(prog="python -m tools.sitebuild", description=main.__doc__)
    parser.add_argument("--draft", action="store_true", help="show what is missing on the pages")
    parser.add_argument("--no-commands", action="store_true", help="do not run the pages' commands")
    options = parser.parse_args()
    console = Console()
    capture.use_built_programs()
    try:
        site = build(
            paths.REPO,
            paths.build_dir(),
            console,
            draft=options.draft,
            commands=not options.no_commands,
        )
    except Failure as failure:
        console.failure(failure)
        return failure.exit_code
    console.print(f"{site}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
