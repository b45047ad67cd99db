"""Keeps copies of vector types whole, as a GPU makes them."""

import re

VECTOR_COPY = re.compile(
    r"^  call void @llvm\.memcpy\.p0\.p0\.i64\(ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), "
    r"ptr [^%@\n]*align (\d+) ([%@][\w.\"$-]+), i64 (4|8|16), i1 false\)([^\n]*)$",
    re.M,
)
CUDA_VECTOR = re.compile(r"%struct\.u?(?:char|short|int|long|longlong|float|double)[24]$")


def whole_vector_copies(module):
    """Turns copies of 4-, 8- and 16-byte vector types into one vector load and one store.

    A float4 is a plain structure here; left as a memcpy, the optimiser would split its copy into
    four loads as soon as a field is used, where a GPU issues one 16-byte request. That holds also
    where clang knows better than the program's cast, that the address is less aligned: on a GPU
    the request fails then.
    """
    structs = dict(re.findall(r"^(%[\w.\"]+) = type (\{[^\n]*\})$", module, re.M))

    def is_vector(struct):
        body = structs.get(struct, "")
        return "ptr" not in body and "i64" not in body

    def one_function(function):
        types = dict(
            re.findall(
                r"^  (%[\w.]+) = (?:alloca|getelementptr inbounds) "
                r"(%[\w.\"]+),",
                function,
                re.M,
            )
        )
        count = 0

        def rewrite(match):
            nonlocal count
            size = int(match[5])
            low, high = sorted((int(match[1]), int(match[3])))
            kinds = [types[side] for side in (match[2], match[4]) if side in types]
            if high < size or (low < size and not any(map(CUDA_VECTOR.match, kinds))):
                return match[0]
            if not all(map(is_vector, kinds)):
                return match[0]
            count += 1
            vector = f"<{size // 4} x i32>"
            return (
                f"  %whole.{count} = load {vector}, ptr {match[4]}, align {size}{match[6]}\n"
                f"  store {vector} %whole.{count}, ptr {match[2]}, align {size}{match[6]}"
            )

        return VECTOR_COPY.sub(rewrite, function)

    return re.sub(r"^define .*?^\}\n", lambda m: one_function(m[0]), module, flags=re.M | re.S)
