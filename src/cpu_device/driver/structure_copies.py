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
            here = [places[side] for side in (target, source) if side in places]
            kinds = [kind for _, kind in here]
            stored, loaded = widths(
                size, (int(match[1]), int(match[3])), any(map(CUDA_VECTOR.match, kinds))
            )
            private = [places.get(side, (False,))[0] for side in (target, source)]
            if all(private) or any(map(holds_pointers, kinds)):
                return match[0]
            if private[0]:  # in registers, whose width is the other side's
                stored = loaded
            if private[1]:
                loaded = stored
            narrowest = min(stored, loaded)
            unknown = not kinds and max(stored, loaded) > WORD  # perhaps pointers
            if (unknown and narrowest < size) or size // narrowest > MOST_ACCESSES:
                return match[0]
            count += 1
            location = re.search(r", !dbg !\d+|$", match[6])[0]
            lines = accesses(f"%copy.{count}", (target, stored), (source, loaded), size)
            return "\n".join(f"  {line}{location}" for line in lines)

        return COPY.sub(rewrite, function)

    return re.sub(r"^define .*?^\}\n", lambda m: in_function(m[0]), module, flags=re.M | re.S)


def widths(size, aligned, is_vector):
    """Bytes of each store and each load of a copy whose two sides are so aligned."""
    if is_vector and size <= WIDEST:
        return size, size
    both = [min(alignment, WIDEST, size & -size) for alignment in aligned]
    return both if min(both) >= WORD else (min(both), min(both))


def accesses(name, to, source, size):
    """The instructions: all loads, then all stores, each side (address, bytes of an access)."""
    (to, stored), (source, loaded) = to, source
    word = min(WORD, loaded)

    def kind(width):
        return f"<{width // word} x i{8 * word}>"

    for at in range(0, size, loaded):
        yield f"{name}.{at}.from = getelementptr i8, ptr {source}, i64 {at}"
        yield f"{name}.{at} = load {kind(loaded)}, ptr {name}.{at}.from, align {loaded}"
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
        yield f"store {kind(stored)} {value}, ptr {name}.{at}.to, align {stored}"
