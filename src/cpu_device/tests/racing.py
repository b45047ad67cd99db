"""Random programs of accesses and synchronisation, and which of their steps race.

The judge knows nothing of the CPU device. It follows each thread of a program and keeps what the
thread knows: its own past, and what barriers of blocks, tiles and warps, and fenced tickets have
told it. Two accesses of the same word race when they are by different threads, not both reads, not
both atomic, and neither is known to the thread of the other.
"""

import dataclasses
import itertools
import pathlib
import random

SOURCE = pathlib.Path(__file__).resolve().parent / "checks" / "racing.cu"
STEPS, PROGRAMS, WARP = 10, 16, 32
NOTHING, BARRIER, WARP_BARRIER, TICKET, ACCESS, TILE_BARRIER = range(6)
LOAD_SHARED, STORE_SHARED, ADD_SHARED, LOAD_GLOBAL, STORE_GLOBAL, ADD_GLOBAL = range(1, 7)
SHARED = {LOAD_SHARED, STORE_SHARED, ADD_SHARED}
LOADS, ADDS = {LOAD_SHARED, LOAD_GLOBAL}, {ADD_SHARED, ADD_GLOBAL}
ORDERS = (BARRIER, WARP_BARRIER, TILE_BARRIER, TICKET)
FULL = 0xFFFFFFFF


@dataclasses.dataclass
class Step:
    kind: int
    mask: int = 0  # of a warp barrier; size of a tile
    fenced: bool = True
    last_only: bool = False
    accesses: dict = dataclasses.field(default_factory=dict)  # thread of the grid -> (op, word)


@dataclasses.dataclass
class Program:
    blocks: int
    threads: int
    steps: list

    def text(self):
        """What racing.cu reads."""
        words = [self.blocks, self.threads]
        for step in self.steps:
            signed = step.mask - (1 << 32) if step.mask >> 31 else step.mask
            words += [step.kind, signed, int(step.fenced), int(step.last_only)]
        count = self.blocks * self.threads
        found = [
            (number * count + thread, op, word)
            for number, step in enumerate(self.steps)
            for thread, (op, word) in step.accesses.items()
        ]
        words.append(len(found))
        words += [value for each in found for value in each]
        return " ".join(map(str, words)) + "\n"


# ---- programs


def make(seed):
    """A program in which much is in order by its making, but not all."""
    rng = random.Random(seed)
    blocks, threads = rng.choice([(1, 64), (1, 96), (1, 128), (2, 64), (3, 32), (4, 32)])
    phases = [phase, phase, warp_phase, last_block, lonely, readers, readers]
    phases += [tile_phase] * 2 * (threads % 64 == 0)
    steps = []
    while len(steps) < STEPS:
        steps += rng.choice(phases)(rng, blocks, threads)
    return Program(blocks, threads, steps[:STEPS])


def access(rng, blocks, threads, op, where, density=1.0, **settings):
    """One step in which some threads make the access `op` of the word that `where` names."""
    chosen = {}
    for block in range(blocks):
        for thread in range(threads):
            if rng.random() < density:
                chosen[block * threads + thread] = (op, where(block, thread))
    return Step(ACCESS, accesses=chosen, **settings)


def phase(rng, blocks, threads):
    """Everyone writes a word of its own; after a barrier it reads another's."""
    shift, bits = rng.choice([1, 5, 31, 32, 33]), rng.choice([1, 2, 16, 31])
    place = rng.choice(
        [
            lambda t: (t + shift) % threads,
            lambda t: threads - 1 - t,
            lambda t: t ^ bits,
            lambda t: 0,
        ]
    )
    store, load = rng.choice([(STORE_SHARED, LOAD_SHARED), (STORE_GLOBAL, LOAD_GLOBAL)])
    base = threads if store == STORE_GLOBAL else 0
    density = rng.choice([0.05, 0.3, 1])
    return [
        access(rng, blocks, threads, store, lambda b, t: b * base + t, density),
        Step(BARRIER),
        access(rng, blocks, threads, load, lambda b, t: b * base + place(t) % threads, density),
        *([Step(BARRIER)] if rng.random() < 0.8 else []),
    ]


def warp_phase(rng, blocks, threads):
    """The same within the warp, in whole or in halves."""
    mask = rng.choice([FULL, FULL, 0xFFFF, 0x00FF00FF])
    distance = 16 if mask == FULL else 8
    return [
        access(rng, blocks, threads, STORE_SHARED, lambda b, t: t, 1),
        Step(WARP_BARRIER, mask=mask),
        access(rng, blocks, threads, LOAD_SHARED, lambda b, t: t ^ (rng.random() < 0.5) * distance),
        Step(rng.choice([WARP_BARRIER, BARRIER]), mask=FULL),
    ]


def tile_phase(rng, blocks, threads):
    """The same within tiles of two or four warps."""
    size = rng.choice([64, threads])
    distance = rng.choice([1, 32, 33, size // 2])
    store, load = rng.choice([(STORE_SHARED, LOAD_SHARED), (STORE_GLOBAL, LOAD_GLOBAL)])
    base = threads if store == STORE_GLOBAL else 0
    return [
        access(rng, blocks, threads, store, lambda b, t: b * base + t, 0.5),
        Step(TILE_BARRIER, mask=size),
        access(rng, blocks, threads, load, lambda b, t: b * base + (t ^ distance), 0.5),
        Step(rng.choice([TILE_BARRIER, BARRIER]), mask=size),
    ]


def last_block(rng, blocks, threads):
    """Partial results, a ticket, and the last block that reads all of them."""
    return [
        access(rng, blocks, threads, STORE_GLOBAL, lambda b, t: b * threads + t, 0.3),
        Step(BARRIER),
        Step(TICKET, fenced=rng.random() < 0.9),
        Step(BARRIER),
        access(
            rng, blocks, threads, LOAD_GLOBAL, lambda b, t: rng.randrange(blocks * threads), 0.3,
            last_only=True,
        ),
        Step(BARRIER),
    ]  # fmt: skip


def lonely(rng, blocks, threads):
    """Counters, and words of which only some threads know."""
    word = 250 + rng.randrange(4)
    op = rng.choice([ADD_SHARED, ADD_GLOBAL, LOAD_SHARED, LOAD_GLOBAL, STORE_SHARED])
    few = {rng.randrange(threads) for _ in range(rng.choice([1, 2, 5]))}
    steps = [access(rng, blocks, threads, op, lambda b, t: word)]
    if op not in ADDS:
        steps[0].accesses = {
            thread: each for thread, each in steps[0].accesses.items() if thread % threads in few
        }
    return steps + ([Step(BARRIER)] if rng.random() < 0.5 else [])


def readers(rng, blocks, threads):
    """Some lanes of a warp read one word, which another lane then changes."""
    mask = rng.choice([FULL, FULL, 0xFFFF, 0xF0F0F0F0])
    lanes = [i for i in range(WARP) if mask >> i & 1]
    warp, word = rng.randrange(threads // WARP) * WARP, 240 + rng.randrange(4)
    few = {warp + lane for lane in rng.sample(lanes, rng.choice([2, 3, 5, 12]))}
    writer = warp + rng.choice(lanes)
    load, store = rng.choice([(LOAD_SHARED, STORE_SHARED), (LOAD_GLOBAL, STORE_GLOBAL)])

    def only(op, chosen):
        accesses = {
            block * threads + t: (op, word + 4 * (0 if op in SHARED else block - 10))
            for block in range(blocks)
            for t in chosen
        }
        return Step(ACCESS, accesses=accesses)

    return [only(load, few), Step(WARP_BARRIER, mask=mask), only(store, {writer}), Step(BARRIER)]


def without_one_order(program, seed):
    """The program with one barrier or fence less, or a smaller mask or tile."""
    rng = random.Random(seed)
    steps = [dataclasses.replace(step) for step in program.steps]
    where = [i for i, step in enumerate(steps) if step.kind in ORDERS]
    step = steps[rng.choice(where)] if where else Step(NOTHING)
    if step.kind == TICKET:
        step.fenced = False
    elif step.kind == WARP_BARRIER and rng.random() < 0.5:
        step.mask &= rng.choice([0xFFFF, 0xFF00FF00, 0x7FFFFFFF, rng.getrandbits(32)])
    elif step.kind == TILE_BARRIER and step.mask > 64 and rng.random() < 0.5:
        step.mask = 64
    else:
        step.kind = NOTHING
    return Program(program.blocks, program.threads, steps)


# ---- the judge


class Judge:
    """`tickets[step][block]` is what the run gave out: it decides who knows of whom."""

    def __init__(self, program, tickets):
        self.program, self.tickets = program, tickets
        count = program.blocks * program.threads
        self.next = [0] * count  # step of each thread
        self.segment = [1 << thread for thread in range(count)]  # a bit: a piece of a thread's past
        self.segments = count
        self.knows = [0] * count
        self.last = [False] * count
        self.released = {}  # ticket step -> what its takers so far have told
        self.taken = [0] * STEPS
        self.events = {}  # place -> [(thread, step, op, segment, known)]
        self.run()

    def end_segment(self, thread):
        self.knows[thread] |= self.segment[thread]
        self.segment[thread] = 1 << self.segments
        self.segments += 1

    def meet(self, threads):
        for thread in threads:
            self.end_segment(thread)
        together = 0
        for thread in threads:
            together |= self.knows[thread]
        for thread in threads:
            self.knows[thread] = together
            self.next[thread] += 1

    def run(self):
        moved = True
        while moved:
            moved = False
            for thread in range(len(self.next)):
                while self.next[thread] < STEPS and self.advance(thread):
                    moved = True
        assert all(step == STEPS for step in self.next), "the program cannot end"

    def advance(self, thread):
        """Makes the thread's next step, if it can be made."""
        number = self.next[thread]
        step = self.program.steps[number]
        block, t = divmod(thread, self.program.threads)
        first = block * self.program.threads
        if step.kind == BARRIER:
            threads = range(first, first + self.program.threads)
            if not self.wait(threads, number):
                return False
            if any(self.last[each] for each in threads):
                for each in threads:
                    self.last[each] = True
            return True
        if step.kind == WARP_BARRIER and step.mask >> t % WARP & 1:
            warp = thread - t % WARP
            return self.wait([warp + i for i in range(WARP) if step.mask >> i & 1], number)
        if step.kind == TILE_BARRIER:
            tile = thread - t % step.mask
            return self.wait(range(tile, tile + step.mask), number)
        if step.kind == TICKET and t == 0:
            if self.tickets[number][block] != self.taken[number]:
                return False
            self.taken[number] += 1
            self.last[thread] = self.tickets[number][block] == self.program.blocks - 1
            if step.fenced:
                self.knows[thread] |= self.released.get(number, 0)
                self.end_segment(thread)
                self.released[number] = self.released.get(number, 0) | self.knows[thread]
        elif step.kind == ACCESS and (self.last[thread] or not step.last_only):
            self.note(thread, number, *step.accesses.get(thread, (0, 0)))
        self.next[thread] += 1
        return True

    def wait(self, threads, number):
        if any(self.next[thread] != number for thread in threads):
            return False
        self.meet(threads)
        return True

    def note(self, thread, number, op, word):
        if not op:
            return
        space = thread // self.program.threads if op in SHARED else "global"
        place = self.events.setdefault((space, word), [])
        place.append((thread, number, op, self.segment[thread], self.knows[thread]))

    def races(self):
        """Pairs of steps, the smaller number first."""
        found = set()
        for events in self.events.values():
            for i, (thread, number, op, segment, knows) in enumerate(events):
                for other, other_number, other_op, other_segment, other_knows in events[:i]:
                    if thread == other or (op in LOADS and other_op in LOADS):
                        continue
                    if op in ADDS and other_op in ADDS:
                        continue
                    if not (knows & other_segment or other_knows & segment):
                        found.add((min(number, other_number), max(number, other_number)))
        return found


def ever_races(program):
    """Does it race in some order in which the blocks take their tickets?"""
    orders = list(itertools.permutations(range(program.blocks)))
    if all(step.kind != TICKET for step in program.steps):
        orders = orders[:1]
    return any(Judge(program, [order] * STEPS).races() for order in orders)
