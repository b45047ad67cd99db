"""Marks the branches around barriers, so that the runtime sees who goes past a barrier.

A branch whose ways meet again, with a barrier on one of them, tells the runtime where the ways part
(`cpu_device_fork`) and where they meet (`cpu_device_join`). A thread that comes to the meeting
point without a barrier in between has gone past it. A way that only leaves the kernel never meets
the other: returning before a barrier is legal.
"""

import re

from . import block_order

BARRIERS = (
    "cpu_device_syncthreads",
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
)
FUNCTION = re.compile(
    r"^(define [^\n]*@((?:\"[^\"\n]+\"|[\w.$-]+))\([^\n]*\{)\n(.*?)^\}\n", re.M | re.S
)
CALLED = re.compile(r"call [^@\n]*@((?:\"[^\"\n]+\"|[\w.$-]+))\(")
EXIT = ""  # stands for all ends of the function
HARMLESS = re.compile(
    r"$|;|#dbg_|%[^ ]+ = phi |ret |br label |"
    r"(?:tail )?call void @(?:__sanitizer_cov_trace_pc|__tsan_func_exit|llvm\.)"
)


def mark(module):
    waiting = waiting_functions(module)
    regions = 0

    def rewrite(match):
        nonlocal regions
        if not any(name in waiting for name in CALLED.findall(match[3])):
            return match[0]
        if not block_order.LABEL.match(match[3]):
            return match[0]
        blocks, regions = mark_function(block_order.split(match[3]), waiting, regions)
        return f"{match[1]}\n{''.join(blocks.values())}}}\n"

    module = FUNCTION.sub(rewrite, module)
    if not regions:
        return module
    return module + (
        f"\n@cpu_device_regions = internal global [{regions} x i8] zeroinitializer\n"
        "declare void @cpu_device_fork(ptr)\ndeclare void @cpu_device_join(ptr)\n"
    )


def waiting_functions(module):
    """The functions that may wait at a barrier."""
    calls = {match[2]: set(CALLED.findall(match[3])) for match in FUNCTION.finditer(module)}
    found, before = set(BARRIERS), None
    while found != before:
        before = set(found)
        found |= {name for name, called in calls.items() if called & found}
    return found


def mark_function(blocks, waiting, regions):
    """Inserts the calls; returns the blocks and the number of regions so far."""
    after = {name: block_order.successors(text) for name, text in blocks.items()}
    barriers = {
        name
        for name, text in blocks.items()
        if any(called in waiting for called in CALLED.findall(text))
    }
    meeting = meeting_points(after)
    joins = {}
    for name in list(blocks):
        end = meeting.get(name, EXIT)
        if len(after[name]) < 2 or end == EXIT or only_leaves(end, blocks, after):
            continue
        if barriers & between(name, end, after):
            region = f"ptr getelementptr (i8, ptr @cpu_device_regions, i64 {regions})"
            regions += 1
            blocks[name] = insert_fork(blocks[name], region)
            joins.setdefault(end, []).append(region)
    for name, found in joins.items():
        blocks[name] = insert_joins(blocks[name], found)
    return blocks, regions


def between(start, end, after):
    """The blocks on all ways from `start` to `end`."""
    seen, todo = set(), list(after[start])
    while todo:
        name = todo.pop()
        if name != end and name not in seen:
            seen.add(name)
            todo += after[name]
    return seen


def only_leaves(name, blocks, after):
    """Does nothing happen from this block to the end of the function?"""
    lines = blocks[name].splitlines()[1:]
    if not all(HARMLESS.match(line.strip()) for line in lines):
        return False
    return not after[name] or (len(after[name]) == 1 and only_leaves(after[name][0], blocks, after))


def meeting_points(after):
    """Block -> the nearest block through which all its ways go (its immediate post-dominator)."""
    before = {name: [] for name in after} | {EXIT: []}
    for name, targets in after.items():
        for target in targets or [EXIT]:
            before[target].append(name)
    order, seen, todo = [], {EXIT}, [(EXIT, iter(before[EXIT]))]
    while todo:  # postorder of the reversed graph
        name, rest = todo[-1]
        for each in rest:
            if each not in seen:
                seen.add(each)
                todo.append((each, iter(before[each])))
                break
        else:
            order.append(name)
            todo.pop()
    rank = {name: number for number, name in enumerate(order)}
    nearest = {EXIT: EXIT}

    def common(a, b):
        while a != b:
            while rank[a] < rank[b]:
                a = nearest[a]
            while rank[b] < rank[a]:
                b = nearest[b]
        return a

    changed = True
    while changed:
        changed = False
        for name in reversed(order[:-1]):
            known = [target for target in after[name] or [EXIT] if target in nearest]
            found = known[0]
            for target in known[1:]:
                found = common(found, target)
            if nearest.get(name) != found:
                nearest[name] = found
                changed = True
    return nearest


def insert_fork(text, region):
    last = list(re.finditer(r"^  (?:br|switch|indirectbr) [^\n]*", text, re.M))[-1]
    place = re.search(r", !dbg !\d+", last[0] + text[last.end() :])
    call = f"  call void @cpu_device_fork({region}){place[0] if place else ''}\n"
    return text[: last.start()] + call + text[last.start() :]


def insert_joins(text, regions):
    label, *lines = text.splitlines(keepends=True)
    at = 0
    while " = phi " in lines[at]:
        at += 1
    calls = [f"  call void @cpu_device_join({region})\n" for region in regions]
    return "".join([label, *lines[:at], *calls, *lines[at:]])
