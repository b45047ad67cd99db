"""What goes into a bug report tells nothing of who or where its writer is: by planted secrets."""

from __future__ import annotations

import json
import uuid

import pytest

from tests.doctor.machine import Draw, Machine
from tools.doctor import redact
from tools.doctor.report import document


@pytest.fixture
def person(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    user, host = f"u{draw.word()}", f"h{draw.word()}"
    monkeypatch.setenv("USER", user)
    monkeypatch.setenv("HOME", f"/data/people/{user}")
    monkeypatch.setattr("tools.doctor.redact.socket.gethostname", lambda: f"{host}.example.org")
    return {"user": user, "host": host}


def test_planted_secrets_are_gone(draw: Draw, person: dict[str, str]) -> None:
    user, host = person["user"], person["host"]
    other = f"o{draw.word()}"
    gpu, plain = uuid.UUID(int=draw.getrandbits(128)), uuid.UUID(int=draw.getrandbits(128))
    serial, board = str(draw.randint(10**12, 10**13 - 1)), f"S{draw.word()}{draw.randint(1, 999)}"
    address = f"10.{draw.randint(0, 255)}.3.77"
    short = f"{draw.getrandbits(32):08x}"
    secrets = [user, host, other, str(gpu), str(plain), serial, board, address, short]
    text = [
        f"/data/people/{user}/cuda/bin/nvcc",
        f"/scratch/{user}/x and {user}@{host}",
        f"/home/{other}/bin:/mnt/c/Users/{other}/AppData",
        f"GPU 0: Some GPU (UUID: GPU-{gpu})",
        f"CUDA_VISIBLE_DEVICES=GPU-{short},MIG-GPU-{gpu}/3/0",
        f"MIG 1g.10gb Device 0: (UUID: MIG-{plain})",
        f"Serial Number : {serial}, serial no: {board}, id {serial}",
        f"{host}.example.org, {address}, {plain}",
    ]
    cleaned = json.dumps(redact.redact({"list": text, "deep": {"er": [text]}}))
    for secret in secrets:
        assert secret not in cleaned, secret


def test_what_helps_stays() -> None:
    keep = [
        "driver 580.95.05 is older than toolkit 13.0 needs",
        "/usr/local/cuda-12.4/bin/nvcc",
        "NVIDIA H200 (compute capability 9.0), 143771 MiB",
        "count_error=802, driver_version=13000",
        "01:00.0 3D controller: NVIDIA Corporation Device 2335 (rev a1)",
        "0, Some GPU, 580.65.06, 9.0, 8192 MiB, Default",
    ]
    assert redact.redact(keep) == keep


def test_the_place_of_the_checkout_is_hidden() -> None:
    from tools import paths

    cleaned = redact.redact(f"{paths.REPO}/.venv/bin/meson")
    assert cleaned == "<course>/.venv/bin/meson"


def test_the_whole_document(machine: Machine, person: dict[str, str]) -> None:
    """Secrets in every place that doctor reads: none comes through."""
    user, host = person["user"], person["host"]
    number = uuid.UUID(int=machine.draw.getrandbits(128))
    machine.folder = machine.folder / user / host
    machine.environment["CUDA_VISIBLE_DEVICES"] = f"GPU-{number}"
    machine.environment["CUDA_HOME"] = f"/home/{user}x/cuda"
    machine.environment["LD_LIBRARY_PATH"] = f"/u/{user}/stubs"
    machine.smi_fails(f"login {user} on {host}, serial: {number.hex}", 3)
    examined = machine.examine()
    text = json.dumps(document(examined.facts, examined.findings), ensure_ascii=False)
    assert machine.cards[0].name in text
    for secret in (user, host, str(number), number.hex, f"{user}x"):
        assert secret not in text, secret


def test_a_common_name_mangles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "root")
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setattr("tools.doctor.redact.socket.gethostname", lambda: "localhost")
    monkeypatch.setattr("tools.doctor.redact.user_names", lambda: {"root", ""})
    assert redact.redact("/usr/root/x on localhost") == "/usr/root/x on localhost"


def test_keys_and_numbers_stay() -> None:
    assert redact.redact({"a": 3, "b": None, "c": [True, 1.5]}) == {
        "a": 3,
        "b": None,
        "c": [True, 1.5],
    }
