"""Streams and graphs beyond what the checks' tests hold."""

import pytest
from running import run


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_host_that_waits_without_a_call(programs, threads):
    lines, _ = run(programs["silent_host"], CPU_DEVICE_THREADS=threads)
    assert lines == ["host function 5", "callback 6", "queries 10", "mapped memory 11"]


# What the graphs' programs say, besides "cudaSuccess".
GRAPHS = """\
cudaGraphAddDependencies(graph, from, to, nullptr, 1): cudaErrorInvalidValue
6 nodes, 2 roots, 5 edges, 2 before, 1 after, type 2
graph: 36 36 36 6, 1 calls
again: 36 36 36 6, 2 calls
its argument 10, block 3
four threads: 36 36 36 36, 3 calls
without scaling: 12 12 12 12, 4 calls
updated: 45 45 45 15, 5 calls
cudaGraphExecUpdate(exec, clone, &info): cudaErrorGraphExecUpdateFailure
result 2
child: 36 36 36 6, 6 calls
time 1
cudaGraphInstantiate(&never, outer): cudaErrorInvalidValue
unordered fills""".splitlines()


def test_graphs_made_of_nodes(programs):
    lines, _ = run(programs["graphs"])
    assert len(lines) == 46
    assert [line for line in lines if not line.endswith(": cudaSuccess")] == GRAPHS


def test_of_nodes_that_nothing_orders_the_newest_goes_first(programs):
    lines, _ = run(programs["graphs"], "show")
    assert lines[-1] == "1"
