"""What can be changed by one token, in which order, and what is made of the survivors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tools.labs import mutate, mutation_record, mutations
from tools.labs.catalog import Lab
from tools.labs.judging import Finding
from tools.labs.mutate import Mutant
from tools.labs.mutations import Mutation
from tools.labs.tokens import tokens_of
from tools.labs.variables import variables


def changes(answer: str, before: str = "") -> set[str]:
    """The lines that come of changing one token of `answer`."""
    text = f"{before}\nvoid f(int n, int m, float* a, float* b) {{\n// [answer]\n{answer}\n"
    text += "// [/answer]\n}\n"
    return {one.after for one in mutations.mutations_of("a.cu", text)}


@pytest.mark.parametrize(
    ("answer", "some"),
    [
        ("if (i < 5) g(n);", ["if (i <= 5) g(n);", "if (i > 5) g(n);", "if (i < 4) g(n);"]),
        ("if (i < 5) g(n);", ["if (i < 6) g(n);", "if (i < 0) g(n);", "if (i < 5) ;"]),
        ("if (i < 5) g(n);", ["if (i < 5) g(m);"]),
        ("x = i == 0 || !y;", ["x = i != 0 || !y;", "x = i == 0 && !y;", "x = i == 1 || !y;"]),
        ("x = 2 * -y;", ["x = 2 + -y;", "x = 2 / -y;"]),
        ("x = -y;", ["x = y;", ";"]),
        ("for (;; ++i) s += 1.5f;", ["for (;; --i) s += 1.5f;", "for (;; ++i) s = 1.5f;"]),
        ("for (;; ++i) s += 1.5f;", ["for (;; ++i) s -= 1.5f;", "for (;; ++i) s += 2.5f;"]),
        ("i = blockIdx.x;", ["i = threadIdx.x;", "i = blockIdx.y;"]),
        ("i = gridDim.y;", ["i = blockDim.y;", "i = gridDim.x;"]),
        ("__syncthreads();", [";"]),
        ("COALESCE_CHECK(cudaFree(p));", [";"]),
        ("a[i] = b[j];", [";", "b[i] = b[j];", "a[i] = a[j];"]),
        ("while (x) break;", ["while (x) ;"]),
        ("return;", [";"]),
        ("std::int64_t i{0};", ["int i{0};", "std::int64_t i{1};"]),
        ("double s;", ["float s;"]),
        ("bytes = n * sizeof(float);", ["bytes = n * 1;", "bytes = m * sizeof(float);"]),
        ("k = std::min(n, 3);", ["k = std::max(n, 3);"]),
        ("g(x + 1, h(y, z));", ["g(h(y, z), x + 1);", "g(x + 1, h(z, y));"]),
        ("k<<<grid, block, 4>>>(n);", ["k<<<block, grid, 4>>>(n);", "k<<<grid, 4, block>>>(n);"]),
        ("dim3 block(16, 8);", ["dim3 block(8, 16);", "dim3 block(17, 8);"]),
        ("__shared__ float t[2];", ["float t[2];", "__shared__ float t[3];"]),
        ("cp(cudaMemcpyHostToDevice);", ["cp(cudaMemcpyDeviceToHost);"]),
        ("m = 1'000u << 0x10;", ["m = 1001u << 0x10;", "m = 1'000u << 15;", "m = 1'000u >> 0x10;"]),
        ("f(true);", ["f(false);"]),
        ("g(a,\n  b);", ["g(b, a);"]),
    ],
)
def test_changes(answer: str, some: list[str]) -> None:
    assert set(some) <= changes(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "// i < 5",
        "/* i < 5\n i + 1 */",
        'puts("i < 5");',
        "#include <x>",
        "#define twice(x) 2 * x",
        "std::vector<int> v;",
        "float* p;",
        "auto& r;",
        "k.launch();",  # but the statement may go
        "min(n, n);",
    ],
)
def test_what_is_left_alone(answer: str) -> None:
    assert changes(answer) - {";", "max(n, n);", "min(m, n);", "min(n, m);"} == set()


def test_only_the_answer_is_changed() -> None:
    text = (
        "int a = 1;\n// [kernel]\n// [answer]\nint b = 1;\n// [/answer]\n// [/kernel]\nint c = 1;\n"
    )
    assert {one.line for one in mutations.mutations_of("a.cu", text)} == {4}


def test_a_mutation_is_one_change_of_the_text(twice: Lab) -> None:
    text = (twice.folder / "twice.cu").read_text(encoding="utf-8")
    for one in mutations.mutations(twice):
        mutated = one.of(text)
        assert mutated != text
        assert mutated[: one.start] == text[: one.start]
        assert mutated[one.start + len(one.replacement) :] == text[one.end :]
        assert one.before != one.after
        touched = mutated.splitlines()[one.line - 1]
        assert one.after.startswith(mutations.one_line(touched))


FUNCTIONS = """
namespace x {
constexpr int tile = 16, width = 3;
struct pair { float first; };
__global__ void k(const float* __restrict__ a, float *b, std::int64_t n, unsigned int u) {
  const std::int64_t row = n * 2, col{3};
  for (int i = 0, j(1); i < 3; ++i) a[i] = g(n, u);
  coalesce::device_buffer<float> d_a(n), d_b(n);
  extern __shared__ float row_of_a[];
}
void h(dim3 n, const pair& p, auto q) { return f(n); }
}
"""


def test_variables_and_their_types() -> None:
    found = {(one.name, one.type) for one in variables(tokens_of(FUNCTIONS))}
    assert found >= {
        ("tile", "int"), ("width", "int"), ("a", "float*"), ("n", "int64_t"), ("u", "int"),
        ("row", "int64_t"), ("col", "int64_t"), ("i", "int"), ("j", "int"),
        ("d_a", "device_buffer<float>"), ("d_b", "device_buffer<float>"), ("row_of_a", "float"),
        ("n", "dim3"), ("p", "pair&"), ("q", "auto"),
    }  # fmt: skip
    assert not {"return", "g", "float"} & {name for name, _ in found}


def test_a_variable_is_replaced_only_where_the_other_is_known() -> None:
    before = "constexpr int tile = 16;\nvoid other(int far) { far = 1; }"
    found = changes("int late = n;\nuse(n);", before)
    assert {"int late = m;", "use(late);", "use(tile);", "int late = tile;"} <= found
    assert not {"use(far);", "int late = late;", "use(a);"} & found


# Drawing -----------------------------------------------------------------------------------------


def test_the_order_is_random_and_the_same_for_a_seed(twice: Lab) -> None:
    possible = mutations.mutations(twice)
    first, again, other = (mutate.drawn(possible, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert sorted(first, key=possible.index) == possible


def test_every_token_has_the_same_chance() -> None:
    many = [Mutation("a.cu", 1, 2, f"{i}", 1, "", f"{i}", "") for i in range(99)]
    one = Mutation("a.cu", 9, 10, "x", 1, "", "x", "")
    first = [mutate.drawn([*many, one], seed)[0] for seed in range(200)]
    assert 60 < first.count(one) < 140


# Grading -----------------------------------------------------------------------------------------


def mutation(lab: Lab, after: str) -> Mutation:
    return next(one for one in mutations.mutations(lab) if one.after == after)


LAUNCH = "twice_kernel<<<static_cast<unsigned>((n + block - 1) / block), block>>>(d_in.data(), n,"
SPARE = LAUNCH.replace("- 1", "+ 1")  # one block more, at most, which finds nothing to do
GUARD = "if (i <= n) out[i] = 2 * in[i];"
TYPE = "int bytes = static_cast<std::size_t>(n) * sizeof(float);"
DROPPED = "const std::size_t bytes = static_cast<std::size_t>(n) * 1;"
ENDLESS = "const std::int64_t i = int{blockIdx.x} * blockDim.x + threadIdx.x;"


@pytest.fixture(scope="module")
def mutants(twice: Lab) -> dict[str, Mutant]:
    order = [mutation(twice, after) for after in (SPARE, ENDLESS, GUARD, DROPPED)]
    return {one.mutation.after: one for one in mutate.graded(twice, order)}


def test_mutants_are_built_and_judged(mutants: dict[str, Mutant]) -> None:
    fates = {
        after: (one.compiled, one.finding.reason if one.finding else "")
        for after, one in mutants.items()
    }
    # Which case is the cheapest, and so the first, is a matter of chance; each sees one of these.
    assert fates.pop(DROPPED) in ((True, "uninitialised_read"), (True, "wrong_value"))
    assert fates == {
        SPARE: (True, ""),
        ENDLESS: (False, ""),
        GUARD: (True, "out_of_bounds"),
    }


def test_it_ends_when_enough_have_compiled(twice: Lab) -> None:
    order = [mutation(twice, after) for after in (ENDLESS, GUARD, DROPPED)]
    found = [one.mutation.after for one in mutate.graded(twice, order, count=1, jobs=1)]
    assert found == [ENDLESS, GUARD]


def test_a_solution_that_fails_is_refused(twice: Lab, tmp_path: Path) -> None:
    text = (twice.folder / "twice.cu").read_text(encoding="utf-8")
    for name in ("lab.hpp", "check.cpp"):
        (tmp_path / name).write_bytes((twice.folder / name).read_bytes())
    (tmp_path / "twice.cu").write_text(text.replace("2 * in", "3 * in"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"the solution of lab 0\.0 fails: .*wrong_value"):
        mutate.Grader(replace(twice, folder=tmp_path), 1)


def with_survivors(lab: Lab, folder: Path, *pairs: tuple[str, str]) -> Lab:
    """The lab in another folder, with these lines and mutated lines in survivors.toml."""
    for name in (*lab.files, "lab.hpp", "check.cpp"):
        (folder / name).write_bytes((lab.folder / name).read_bytes())
    entries = [
        f'[[equivalent]]\nfile = "twice.cu"\nline = "{line}"\nmutated = "{mutated}"\nwhy = "so"\n'
        for line, mutated in pairs
    ]
    (folder / "survivors.toml").write_text("".join(entries), encoding="utf-8")
    return replace(lab, folder=folder)


def test_a_survivor_is_a_problem(twice: Lab, mutants: dict[str, Mutant]) -> None:
    (said,) = mutate.problems(twice, mutants.values())
    assert said.startswith("survived: twice.cu:22  twice_kernel<<<")
    assert "block [- → +] 1)" in said and f'mutated = "{SPARE}"' in said


def test_a_justified_survivor_is_none(
    twice: Lab, mutants: dict[str, Mutant], tmp_path: Path
) -> None:
    lab = with_survivors(twice, tmp_path, (LAUNCH, SPARE))
    assert mutate.problems(lab, mutants.values()) == []


def test_an_entry_that_fits_nothing_is_a_problem(twice: Lab, tmp_path: Path) -> None:
    lab = with_survivors(twice, tmp_path, (LAUNCH.replace("n,", "m,"), SPARE))
    (said,) = mutate.problems(lab, [])
    assert said.startswith(f"survivors.toml: no change makes '{SPARE}' of")


def test_an_entry_for_what_is_rejected_is_a_problem(
    twice: Lab, mutants: dict[str, Mutant], tmp_path: Path
) -> None:
    lab = with_survivors(twice, tmp_path, ("if (i < n) out[i] = 2 * in[i];", GUARD))
    (said,) = mutate.problems(lab, [mutants[GUARD]])
    assert "calls equivalent what is rejected" in said and "out_of_bounds" in said


def test_an_entry_is_printed_as_it_is_read(twice: Lab, tmp_path: Path) -> None:
    quoted = replace(mutation(twice, SPARE), before='puts("\\n");', after='puts("");')
    (tmp_path / "survivors.toml").write_text(mutate.entry(quoted), encoding="utf-8")
    lab = replace(twice, folder=tmp_path)
    assert list(mutate.equivalents(lab)) == [("twice.cu", 'puts("\\n");', 'puts("");')]


# The record --------------------------------------------------------------------------------------


def test_the_record_counts_and_is_read_back(
    twice: Lab, mutants: dict[str, Mutant], tmp_path: Path
) -> None:
    lab = with_survivors(twice, tmp_path, (LAUNCH, SPARE))
    record = mutation_record.Record.of(lab, 1, mutants.values(), mutate.equivalents(lab))
    assert (record.compiled, record.rejected) == (3, 2)
    assert (record.equivalent, record.not_compiled) == (1, 1)
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Notes\n\n{mutation_record.HEAD}\nThe end.\n", encoding="utf-8")
    replace(record, lab="9.9").write(notes)
    record.write(notes)
    replace(record, seed=7).write(notes)
    assert mutation_record.recorded(notes) == {
        "0.0": replace(record, seed=7), "9.9": replace(record, lab="9.9"),
    }  # fmt: skip
    text = notes.read_text(encoding="utf-8")
    assert text.index("| 0.0") < text.index("| 9.9") < text.index("\n\nThe end.\n")


def test_the_digest_changes_with_what_decides(twice: Lab, tmp_path: Path) -> None:
    lab = with_survivors(twice, tmp_path)
    before = mutation_record.digest(lab)
    assert mutation_record.digest(lab) == before
    for name in ("twice.cu", "check.cpp", "lab.hpp", "survivors.toml"):
        path = tmp_path / name
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert mutation_record.digest(lab) != before, name
        before = mutation_record.digest(lab)


def test_a_finding_is_said_in_one_line_without_its_seed(twice: Lab) -> None:
    found = Finding("values", "n = 17 (seed 3)", "wrong_value", "…")
    said = mutate.said(Mutant(mutation(twice, GUARD), True, found))
    assert said.endswith("values wrong_value, n = 17")
