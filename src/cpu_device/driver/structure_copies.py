"""Copies of structures become loads and stores as wide as a GPU's."""

import re

COPY = re.compile(
    r"^  call void @llvm\.memcpy\.p0\.p0\.i64\(ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), "
    r"ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), i64 (\d+), i1 false\)([^\n]*)$",
    re.M,
)
PLACE = re.compile(
    r"^  (%[\w.]+) = (alloca|getelementptr(?: inbounds| nuw| nusw)*) (%[\w.\"]+),", re.M
)
CUDA_VECTOR = re.compile(r"%struct\.u?(?:char|short|int|long|longlong|float|double)[24]$")
WORD, WIDEST = 4, 16  # bytes; of one access at most
MOST_ACCESSES = 32  # a larger copy stays a call


def split(module):
    """Turns copies of structures into loads and stores.

    A float4 is a plain structure here; left as a memcpy, the optimiser would split its copy into
    four loads as soon as a field is used, where a GPU issues one request of 16 bytes. That holds
    also where clang knows better than the program's cast, that the address is less aligned: on a
    GPU the request fails then.

    Of other structures a GPU moves as much at a time as the address is known to be aligned, on each
    side: a float3 in global memory goes as three times 4 bytes. The optimiser would take 12.
    """
    structs = dict(re.findall(r"^(%[\w.\"]+) = type (\{[^\n]*\})$", module, re.M))

    def holds_pointers(struct):
        body = structs.get(struct, "ptr")
        return "ptr" in body or any(map(holds_pointers, re.findall(r"%[\w.\"]+", body)))

    def in_function(function):
        places = {name: (how == "alloca", kind) for name, how, kind in PLACE.findall(function)}
        count = 0

        def rewrite(match):
            nonlocal count
            target, source, size = match[2], match[4], int(match[5])
            kinds = [places[side][1] for side in (target, source) if side in places]
            if any(map(holds_pointers, kinds)):
                return match[0]
            private = [places.get(side, (False,))[0] for side in (target, source)]
            aligned = int(match[1]), int(match[3])
            chosen = widths(size, aligned, private, kinds)
            if not chosen:
                return match[0]
            count += 1
            location = re.search(r", !dbg !\d+|$", match[6])[0]
            both = zip((target, source), chosen, aligned, private, strict=True)
            # A GPU's request fails where it is not aligned; what is private need not be.
            sides = [(a, wide, min(known, wide) if own else wide) for a, wide, known, own in both]
            lines = accesses(f"%copy.{count}", *sides, size)
            return "\n".join(f"  {line}{location}" for line in lines)

        return COPY.sub(rewrite, function)

    return re.sub(r"^define .*?^\}\n", lambda m: in_function(m[0]), module, flags=re.M | re.S)


def widths(size, aligned, private, kinds):
    """Bytes of each store and each load of a copy; None where it stays a call.

    `aligned` and `private` are of the target and the source; `kinds` are the structures that are
    known.
    """
    if all(private):
        return None
    if size <= WIDEST and any(map(CUDA_VECTOR.match, kinds)):
        return size, size
    stored, loaded = (min(alignment, WIDEST, size & -size) for alignment in aligned)
    if private[0]:  # in registers, whose width is the other side's
        stored = loaded
    elif private[1]:
        loaded = stored
    narrowest = min(stored, loaded)
    if narrowest < WORD:
        stored = loaded = narrowest
    if size // narrowest > MOST_ACCESSES:
        return None
    if not kinds and narrowest < size and max(stored, loaded) > WORD:  # perhaps pointers
        return None
    return stored, loaded


def accesses(name, to, source, size):
    """The instructions: all loads, then all stores.

    Each side is (address, bytes of an access, their alignment).
    """
    (to, stored, to_align), (source, loaded, source_align) = to, source
    word = min(WORD, loaded)

    def kind(width):
        return f"<{width // word} x i{8 * word}>"

    for at in range(0, size, loaded):
        yield f"{name}.{at}.from = getelementptr i8, ptr {source}, i64 {at}"
        yield f"{name}.{at} = load {kind(loaded)}, ptr {name}.{at}.from, align {source_align}"
    for at in range(0, size, stored):
        value = f"{name}.{at}"
        if stored != loaded:  # put together anew, word by word
            value = "poison"
            for part in range(at, at + stored, word):
                whole, index = part // loaded * loaded, part % loaded // word
                one, next_value = f"{name}.word.{part}", f"{name}.with.{part}"
                yield f"{one} = extractelement {kind(loaded)} {name}.{whole}, i32 {index}"
                yield (
                    f"{next_value} = insertelement {kind(stored)} {value}, i{8 * word} {one}, "
                    f"i32 {(part - at) // word}"
                )
                value = next_value
        yield f"{name}.{at}.to = getelementptr i8, ptr {to}, i64 {at}"
        yield f"store {kind(stored)} {value}, ptr {name}.{at}.to, align {to_align}"
