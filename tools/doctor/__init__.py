"""What `./course doctor` is made of.

facts/           what this machine has: one file and one dataclass a group, gathered first
rules/           what that means: a table of rules, each of them words and a predicate over facts
report.py        the findings as lines, with the one next step; as evidence; as JSON
redact.py        takes names, paths and numbers that belong to a person out of the JSON
fix.py           the few repairs that are safe and can be taken back
compatibility.py reads docs/data/compatibility.toml: which driver, GPU and compiler fit a toolkit

Three hooks make it testable: it finds every tool through PATH; DOCTOR_ROOT stands before every
absolute path that it reads; DOCTOR_PROBE names a file that stands for the answer of the CUDA driver
(see tools/probe.py). It runs on the system's Python alone and starts no set-up.
"""
