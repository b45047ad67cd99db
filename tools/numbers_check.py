"""Checks that the built pages type no measured number: `python -m tools.numbers_check [SITE]`.

Prints each number that no role, table, chart or captured output has produced, and ends with 1 if
there is one. Numbers that a page may type stand with a reason in docs/data/allowed_numbers.toml.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def checker():
    """The module of the site's extension that knows numbers."""
    folder = str(ROOT / "docs" / "extension")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    from coalesce_docs import rendered_numbers

    return rendered_numbers


def check(site: Path) -> list:
    """The findings of a built site."""
    return checker().check_site(site, ROOT / "docs" / "data" / "allowed_numbers.toml")


def check_changed(site: Path, known: dict[str, str]) -> tuple[list, dict[str, str]]:
    """Findings of pages whose digest is not in `known`, and the digests of the clean pages."""
    module = checker()
    allowed_file = ROOT / "docs" / "data" / "allowed_numbers.toml"
    rules = allowed_file.read_bytes() if allowed_file.is_file() else b""
    rules += Path(module.__file__).read_bytes()
    allowed = module.load_allowed(allowed_file)
    findings, clean = [], {}
    for name, path in module.prose_pages(site):
        text = path.read_bytes()
        digest = hashlib.sha256(rules + text).hexdigest()
        found = []
        if known.get(name) != digest:
            found = module.check_page(name, text.decode(), allowed)
        if found:
            findings += found
        else:
            clean[name] = digest
    return findings, clean


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    site = Path(words[0]) if words else ROOT / "build" / "site"
    if not (site / "index.html").is_file():
        print(f"{site} holds no site: run ./course site first", file=sys.stderr)
        return 3
    findings = check(site)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
