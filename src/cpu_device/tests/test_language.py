"""The language as a compiler sees it: launches, templates, symbols, the standard library."""

import pytest
from running import run

pytestmark = pytest.mark.compiler

LANGUAGE = """\
template 1.5
deduced, macro 6
member template 18
overloads 1 2
null 7 7 7
by value 5 31
functor 48
lambda 102
empty lambda 3
copied 21
linkage 11 12 13
default arguments 5 -2
function pointer 1
kinds of arguments 124
arch 900 0
shared 499
dynamic shared 34
library 19
launched by name 13
launched with a configuration 4
no error""".splitlines()


@pytest.mark.parametrize("name", ["language", "language-explain"])
def test_language(programs, name):
    assert run(programs[name])[0] == LANGUAGE


@pytest.mark.parametrize("name", ["library", "library-explain"])
def test_standard_library_in_kernels(programs, name):
    assert run(programs[name])[0] == ["use 150", "unpack 126.5", "call 107.0"]


SYMBOLS = """\
cudaSuccess
counter 16
table 9
managed 6
static 3
template 77
in a namespace 6
after a host write 16
cudaSuccess
size 8
through its address 0
cudaErrorInvalidValue
cudaErrorInvalidSymbol
cudaErrorInvalidValue
other file 41""".splitlines()


def test_symbols(programs):
    assert run(programs["symbols"])[0] == SYMBOLS
