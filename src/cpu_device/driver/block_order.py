"""Puts the basic blocks of optimised device code into an order in which lanes meet again.

The replay of a warp always lets the lanes with the lowest program counter go on. That is right
when code lies as in a structured source text: each loop in one piece, and every block behind all
that lead to it (but for the jump back to a loop's head). Optimisers keep no such order.
"""

import re

LABEL = re.compile(r"^([-\w.$]+|\"[^\"]*\"):")
TARGET = re.compile(r"label %([-\w.$]+|\"[^\"]*\")")


def reorder(module):
    if re.search(r"^%\d+ = type ", module, re.M):
        return module  # numbered types look like numbered values
    return re.sub(
        r"^(define [^\n]*\{)\n(.*?)^\}\n",
        lambda match: function(match[1], match[2]),
        module,
        flags=re.M | re.S,
    )


def function(head, body):
    head, body = name_values(head, body)
    blocks = split(body)
    if len(blocks) > 2:
        body = "".join(blocks[name] for name in order(blocks))
    return f"{head}\n{body}}}\n"


def name_values(head, body):
    """Numbered values must be numbered in the order of the text: give them names instead."""
    numbers = [int(number) for number in re.findall(r"%(\d+)\b", head[head.index("(") :])]
    entry = max(numbers, default=-1) + 1  # the entry block has a number, but no label
    if not LABEL.match(body):
        body = f"{entry}:\n{body}"
    body = re.sub(r"%(\d+)\b", r"%v\1", body)
    body = re.sub(r"^(\d+):", r"v\1:", body, flags=re.M)
    return re.sub(r"%(\d+)\b", r"%v\1", head), body


def split(body):
    """Label -> text of the block, in order."""
    blocks, name = {}, None
    for line in body.splitlines(keepends=True):
        label = LABEL.match(line)
        if label:
            name = label[1]
            blocks[name] = ""
        blocks[name] += line
    return blocks


def successors(text):
    """Where a block may go: its last instruction names labels (a switch over several lines)."""
    found = []
    for match in TARGET.finditer(text):
        if match[1] not in found:
            found.append(match[1])
    return found


def order(blocks):
    graph = {name: successors(text) for name, text in blocks.items()}
    first = next(iter(blocks))
    result = arrange(first, set(blocks), graph)
    known = set(result)
    return result + [name for name in blocks if name not in known]  # unreachable ones


def arrange(entry, nodes, graph):
    """The blocks of `nodes` that can be reached from `entry`, each loop in one piece."""
    result = []
    for component in reversed(components(entry, nodes, graph)):
        if len(component) == 1:
            result += component
            continue
        # A loop: its head is the block that is reached first. What remains without the jumps back
        # to the head is arranged in the same way.
        inside = set(component)
        head = component[-1]
        inner = {name: [target for target in graph[name] if target != head] for name in inside}
        result += arrange(head, inside, {**graph, **inner})
    return result


def components(entry, nodes, graph):
    """Strongly connected components, every one before those that lead to it (Tarjan's algorithm,
    without recursion). The last block of a component is the one that was reached first."""
    index, low, stack, on_stack, result = {}, {}, [], set(), []
    work = [(entry, iter(graph[entry]))]
    index[entry] = low[entry] = 0
    stack.append(entry)
    on_stack.add(entry)
    while work:
        name, targets = work[-1]
        descended = False
        for target in targets:
            if target not in nodes:
                continue
            if target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(graph[target])))
                descended = True
                break
            if target in on_stack:
                low[name] = min(low[name], index[target])
        if descended:
            continue
        work.pop()
        if work:
            low[work[-1][0]] = min(low[work[-1][0]], low[name])
        if low[name] == index[name]:
            component = []
            while True:
                member = stack.pop()
                on_stack.discard(member)
                component.append(member)
                if member == name:
                    break
            result.append(component)
    return result
