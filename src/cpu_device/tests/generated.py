"""Random kernels, and a replay of their addresses that owes nothing to the runtime.

A kernel is a small tree: loads, stores, branches, loops with break and continue, calls of helper
functions that are not inlined. `source()` writes it as CUDA C++, one access a line. `Replay`
executes the tree for whole warps with masks of active lanes, as the text says, and counts what
each line asks of memory. Both know nothing of each other but the tree.
"""

import dataclasses
import random

WORD = 0xFFFFFFFF
GLOBAL_BYTES, SHARED_BYTES = 1 << 16, 1 << 12
TYPES = {
    1: "unsigned char",
    2: "unsigned short",
    4: "unsigned int",
    8: "uint2",
    16: "uint4",
}


@dataclasses.dataclass
class Linear:
    """a * t + b * i + c * acc + d, i being the innermost loop's variable."""

    t: int
    i: int
    acc: int
    constant: int

    def text(self):
        return f"{self.t}u * t + {self.i}u * i + {self.acc}u * acc + {self.constant}u"

    def value(self, lane):
        sum_of_terms = self.t * lane.t + self.i * lane.i + self.acc * lane.acc + self.constant
        return sum_of_terms & WORD


@dataclasses.dataclass
class Condition:
    index: Linear
    modulus: int
    below: int

    def text(self):
        return f"({self.index.text()}) % {self.modulus}u < {self.below}u"

    def value(self, lane):
        return self.index.value(lane) % self.modulus < self.below


@dataclasses.dataclass
class Access:
    op: str  # load, store
    space: str  # global, shared
    bytes: int
    index: Linear
    line: int = 0


@dataclasses.dataclass
class If:
    condition: Condition
    then: list
    otherwise: list


@dataclasses.dataclass
class Loop:
    trips: Linear
    most: int
    body: list


@dataclasses.dataclass
class Leave:  # break or continue, under a condition
    word: str
    condition: Condition


@dataclasses.dataclass
class Call:
    helper: int


@dataclasses.dataclass
class Kernel:
    threads: int
    body: list
    helpers: list


# ---- making one


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.serial = 0

    def linear(self, in_loop, data=0.25):
        choose = self.random.choice
        self.serial += 1
        return Linear(
            choose([0, 1, 1, 1, 2, 3, 4, 8, 17, 32, 33]),
            choose([1, 2, 5, 64]) if in_loop else 0,
            choose([1, 3]) if self.random.random() < data else 0,
            self.serial * 67 + self.random.randrange(64),  # no two accesses are the same
        )

    def condition(self, in_loop):
        modulus = self.random.choice([2, 3, 4, 7, 16, 32, 33])
        return Condition(self.linear(in_loop), modulus, self.random.randrange(0, modulus + 1))

    def access(self, in_loop):
        return Access(
            self.random.choice(["load", "load", "store"]),
            self.random.choice(["global", "global", "shared"]),
            self.random.choice([1, 2, 4, 4, 4, 8, 16]),
            self.linear(in_loop),
        )

    def statements(self, depth, in_loop, helpers):
        return [self.statement(depth, in_loop, helpers) for _ in range(self.random.randrange(1, 4))]

    def statement(self, depth, in_loop, helpers):
        kind = self.random.random()
        if depth == 0 or kind < 0.45:
            return self.access(in_loop)
        if kind < 0.65:
            then = self.statements(depth - 1, in_loop, helpers)
            otherwise = self.random.random() < 0.5
            return If(
                self.condition(in_loop),
                then,
                self.statements(depth - 1, in_loop, helpers) if otherwise else [],
            )
        if kind < 0.85 and not in_loop:  # the loop variable is one
            body = self.statements(depth - 1, True, helpers)
            if self.random.random() < 0.5:
                word = self.random.choice(["break", "continue"])
                place = self.random.randrange(len(body) + 1)
                body.insert(place, Leave(word, self.condition(True)))
                body.append(self.access(True))
            trips = self.linear(False)
            trips.t = self.random.choice([1, 2, 4])  # with an odd modulus: never constant
            return Loop(trips, self.random.choice([3, 5, 7]), body)
        if helpers:
            return Call(self.random.randrange(helpers))
        return self.access(in_loop)

    def kernel(self):
        helpers = [self.statements(2, False, 0) for _ in range(self.random.randrange(0, 3))]
        return Kernel(
            self.random.choice([32, 32, 64, 48, 33]),
            [stmt for _ in range(2) for stmt in self.statements(3, False, len(helpers))],
            helpers,
        )


# ---- as text


class Writer:
    """Writes kernels into one file and notes the line of each access."""

    def __init__(self):
        self.lines = ["// Made by tests/generated.py.", "#include <cstdio>", ""]

    def add(self, text, depth):
        self.lines.append("  " * depth + text)
        return len(self.lines)

    def statement(self, node, depth, name):
        if isinstance(node, Access):
            kind, size = TYPES[node.bytes], GLOBAL_BYTES
            if node.space == "shared":
                size = SHARED_BYTES
            base = {
                ("load", "global"): "in",
                ("store", "global"): "out",
                ("load", "shared"): "filled",
                ("store", "shared"): "scratch",
            }[node.op, node.space]
            const = "const " if node.op == "load" else ""
            place = (
                f"reinterpret_cast<{const}{kind}*>({base})"
                f"[({node.index.text()}) % {size // node.bytes}u]"
            )
            if node.op == "load":
                node.line = self.add(f"acc = acc * 5u + folded({place});", depth)
            else:
                node.line = self.add(f"{place} = unfolded<{kind}>(acc + {depth}u);", depth)
        elif isinstance(node, If):
            self.add(f"if ({node.condition.text()}) {{", depth)
            self.block(node.then, depth + 1, name)
            if node.otherwise:
                self.add("} else {", depth)
                self.block(node.otherwise, depth + 1, name)
            self.add("}", depth)
        elif isinstance(node, Loop):
            self.add(
                f"for (unsigned i = 0, n = ({node.trips.text()}) % {node.most}u; i < n; ++i) {{",
                depth,
            )
            self.block(node.body, depth + 1, name)
            self.add("}", depth)
        elif isinstance(node, Leave):
            self.add(f"if ({node.condition.text()}) {node.word};", depth)
        else:
            self.add(f"acc = {name}_helper{node.helper}(in, out, filled, scratch, t, acc);", depth)

    def block(self, nodes, depth, name):
        for node in nodes:
            self.statement(node, depth, name)

    def kernel(self, kernel, name):
        for number, body in enumerate(kernel.helpers):
            self.add(
                f"__device__ __noinline__ unsigned {name}_helper{number}(const unsigned char* in, "
                "unsigned char* out, const unsigned char* filled, unsigned char* scratch, "
                "unsigned t, unsigned acc) {",
                0,
            )
            self.add("const unsigned i = 0;", 1)
            self.block(body, 1, name)
            self.add("return acc + i;", 1)
            self.add("}", 0)
        self.add(
            f"__global__ void {name}(const unsigned char* in, unsigned char* out, "
            "unsigned* result) {",
            0,
        )
        self.add(f"__shared__ __align__(128) unsigned char filled[{SHARED_BYTES}];", 1)
        self.add(f"__shared__ __align__(128) unsigned char scratch[{SHARED_BYTES}];", 1)
        self.add("const unsigned t = threadIdx.x, i = 0;", 1)
        self.add("unsigned acc = t;", 1)
        self.add(f"for (unsigned k = t; k < {SHARED_BYTES}u; k += blockDim.x) {{", 1)
        self.add("filled[k] = static_cast<unsigned char>(k * 7u + k / 256u);", 2)
        self.add("}", 1)
        self.add("__syncthreads();", 1)
        self.block(kernel.body, 1, name)
        self.add("result[t] = acc + i;", 1)
        self.add("}", 0)


PRELUDE = """\
__device__ __forceinline__ unsigned folded(unsigned v) { return v; }
__device__ __forceinline__ unsigned folded(uint2 v) { return v.x ^ v.y * 3u; }
__device__ __forceinline__ unsigned folded(uint4 v) {
  return v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u;
}
template <class T>
__device__ __forceinline__ T unfolded(unsigned v) { return static_cast<T>(v); }
template <>
__device__ __forceinline__ uint2 unfolded<uint2>(unsigned v) { return make_uint2(v, v); }
template <>
__device__ __forceinline__ uint4 unfolded<uint4>(unsigned v) { return make_uint4(v, v, v, v); }
"""


def source(kernels):
    """The program: runs every kernel and prints the threads' results."""
    writer = Writer()
    writer.lines += PRELUDE.splitlines()
    for number, kernel in enumerate(kernels):
        writer.kernel(kernel, f"k{number}")
    writer.lines += [
        "int main() {",
        "  unsigned char *in, *out;",
        "  unsigned* result;",
        f"  cudaMallocManaged(&in, {GLOBAL_BYTES});",
        f"  cudaMallocManaged(&out, {GLOBAL_BYTES});",
        "  cudaMallocManaged(&result, 256);",
        f"  for (unsigned k = 0; k < {GLOBAL_BYTES}u; ++k) {{",
        "    in[k] = static_cast<unsigned char>(k * 13u + k / 256u);",
        "  }",
    ]
    for number, kernel in enumerate(kernels):
        writer.lines += [
            f"  k{number}<<<1, {kernel.threads}>>>(in, out, result);",
            "  cudaDeviceSynchronize();",
            f'  for (int k = 0; k < {kernel.threads}; ++k) printf("%u ", result[k]);',
            '  puts("");',
        ]
    writer.lines += ["}", ""]
    return "\n".join(writer.lines)


# ---- as a replay


class Lane:
    def __init__(self, t):
        self.t, self.acc, self.i = t, t, 0


def byte_of(space, address):
    return (
        address * 13 + address // 256 if space == "global" else address * 7 + address // 256
    ) & 255


class Replay:
    """Executes a kernel warp by warp; counts[line] is what that access came to."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.counts = {}
        lanes = [Lane(t) for t in range(kernel.threads)]
        for first in range(0, kernel.threads, 32):
            self.block(kernel.body, lanes[first : first + 32])
        self.results = [lane.acc for lane in lanes]

    def block(self, nodes, active):
        """Returns the lanes that left by break and those that left by continue."""
        broke, continued = [], []
        for node in nodes:
            if not active:
                break
            if isinstance(node, Access):
                self.access(node, active)
            elif isinstance(node, If):
                yes = [lane for lane in active if node.condition.value(lane)]
                no = [lane for lane in active if lane not in yes]
                for side, chosen in ((node.then, yes), (node.otherwise, no)):
                    left, skipped = self.block(side, chosen) if chosen else ([], [])
                    broke += left
                    continued += skipped
            elif isinstance(node, Loop):
                self.loop(node, active)
            elif isinstance(node, Leave):
                going = [lane for lane in active if node.condition.value(lane)]
                (broke if node.word == "break" else continued).extend(going)
            else:
                held = [lane.i for lane in active]
                for lane in active:
                    lane.i = 0
                self.block(self.kernel.helpers[node.helper], active)
                for lane, i in zip(active, held, strict=True):
                    lane.i = i
            gone = {id(lane) for lane in broke + continued}
            active = [lane for lane in active if id(lane) not in gone]
        return broke, continued

    def loop(self, node, active):
        trips = {id(lane): node.trips.value(lane) % node.most for lane in active}
        inside = [lane for lane in active if trips[id(lane)] > 0]
        for lane in inside:
            lane.i = 0
        while inside:
            broke, _ = self.block(node.body, inside)
            gone = {id(lane) for lane in broke}
            inside = [lane for lane in inside if id(lane) not in gone]
            for lane in inside:
                lane.i += 1
            inside = [lane for lane in inside if lane.i < trips[id(lane)]]
        for lane in active:
            lane.i = 0

    def access(self, node, active):
        size = GLOBAL_BYTES if node.space == "global" else SHARED_BYTES
        places = {}
        for lane in active:
            address = node.index.value(lane) % (size // node.bytes) * node.bytes
            places[lane.t % 32] = address
            if node.op == "load":
                lane.acc = (lane.acc * 5 + self.folded(node, address)) & WORD
        count = self.counts.setdefault(
            node.line, {"requests": 0, "active_lanes": 0, "sectors": 0, "wavefronts": 0}
        )
        count["requests"] += 1
        count["active_lanes"] += len(active)
        if node.space == "global":
            count["sectors"] += len(
                {(a + b) // 32 for a in places.values() for b in range(node.bytes)}
            )
        else:
            count["wavefronts"] += wavefronts(places, node.bytes)

    def folded(self, node, address):
        words = []
        for start in range(0, node.bytes, 4):
            some = range(start, min(start + 4, node.bytes))
            words.append(sum(byte_of(node.space, address + k) << 8 * (k - start) for k in some))
        result = 0
        for word, factor in zip(words, (1, 3, 5, 7)):  # noqa: B905 (fewer words than factors)
            result ^= word * factor & WORD
        return result


def wavefronts(places, width):
    """Passes of one request through 32 banks of 4 bytes; places: lane -> address."""
    if width <= 4:
        groups = [list(range(32))]
    else:
        part = 16 if width == 8 else 8
        groups = []
        for start in range(0, 32, 2 * part):
            both = range(start, start + 2 * part)
            if any(agree(places, both, distance) for distance in (1, 2)):
                groups.append(both)
            else:
                groups += [both[:part], both[part:]]
    total = 0
    for group in groups:
        banks = {}
        for lane in group:
            if lane in places:
                for byte in range(width):
                    word = (places[lane] + byte) // 4
                    banks.setdefault(word % 32, set()).add(word)
        total += max((len(words) for words in banks.values()), default=0)
    return total


def agree(places, lanes, distance):
    return all(
        places[lane] == places[lane ^ distance]
        for lane in lanes
        if lane in places and lane ^ distance in places
    )
