"""Names of results and of devices."""

from __future__ import annotations

import pytest

from tools.keys import Key, device_slug

NAME = "05-advanced-optimization/sum_of_squares_i32/warp_shuffle/n:1024/cache:cold/launch:stream"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("NVIDIA H200", "nvidia-h200"),
        ("NVIDIA GeForce RTX 4090", "geforce-rtx-4090"),
        ("GeForce G 103M", "geforce-g-103m"),
        ("Tesla M2070", "tesla-m2070"),
        ("NVIDIA Tesla T4", "tesla-t4"),
        ("NVIDIA Quadro RTX 6000", "quadro-rtx-6000"),
        ("Quadro K2000", "quadro-k2000"),
        ("NVIDIA RTX 6000 Ada Generation", "nvidia-rtx-6000-ada-generation"),
        ("NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"),
        ("Test GPU 9000", "test-gpu-9000"),
        ("NVIDIA GeForce GTX 1650 with Max-Q Design", "geforce-gtx-1650-with-max-q-design"),
    ],
)
def test_device_slugs(name, slug):
    assert device_slug(name) == slug


def test_a_device_without_letters_has_no_slug():
    with pytest.raises(ValueError):
        device_slug(" / ")


def test_a_key_comes_apart_and_together():
    key = Key.parse(NAME)
    assert (key.slug, key.family, key.step, key.n) == (
        "05-advanced-optimization", "sum_of_squares_i32", "warp_shuffle", 1024,
    )  # fmt: skip
    assert key.parts == {"cache": "cold", "launch": "stream"}
    assert str(key) == NAME


@pytest.mark.parametrize(
    "bad",
    ["", "x", "05-a/f/s", "05-a/f/s/n:", "05-a/f/s/n:-1", "05-a/f/s/n:1/cache", "5-a/f/s/n:1",
     "05-a/f/s/n:1/", "05-a/f/s/n:1/a:1/a:2", "05-a/f/s/n:1/n:2", "05-a/f/s/n:1 "],
)  # fmt: skip
def test_other_names_are_refused(bad):
    with pytest.raises(ValueError):
        Key.parse(bad)


def test_rivals_did_the_same_work():
    ours = Key.parse(NAME)

    def rival(name: str) -> bool:
        return Key.parse(name).is_rival_of(ours)

    head = "05-advanced-optimization/sum_of_squares_i32"
    assert rival(f"{head}/cub/n:1024/cache:cold/launch:stream")
    assert rival(f"{head}/cpu_one_thread/n:1024")
    assert rival(f"{head}/cub/n:1024/cache:cold/launch:stream/algorithm:2")
    assert not rival(f"{head}/cub/n:1024/cache:hot/launch:stream")
    assert not rival(f"{head}/cub/n:1024/cache:cold/launch:graph")
    assert not rival(f"{head}/cub/n:2048/cache:cold/launch:stream")
    assert not rival("05-advanced-optimization/sum_f32/cub/n:1024/cache:cold/launch:stream")
    assert not rival(NAME)
    bare = Key.parse(f"{head}/warp_shuffle/n:1024")
    assert not Key.parse(f"{head}/cub/n:1024/cache:hot").is_rival_of(bare)
