"""Where a machine stands: containers, WSL, other systems, Jetsons."""

from __future__ import annotations

from tests.doctor.machine import Machine
from tests.doctor.situations import situation

KERNEL_2 = "Linux version 5.15.{}-microsoft-standard-WSL2 (gcc 11.2.0)"
KERNEL_1 = "Linux version 4.4.0-{}-Microsoft (Microsoft@Microsoft.com) (gcc 5.4.0)"


@situation("linux", code=0)
def in_a_container(m: Machine) -> list[str]:
    kind, path = m.draw.choice(
        [
            ("Docker", ".dockerenv"),
            ("Podman", "run/.containerenv"),
            ("Apptainer", ".singularity.d/x"),
        ]
    )
    m.files[path] = ""
    return [f"in a {kind} container"]


@situation("linux", code=0)
def in_a_pod(m: Machine) -> list[str]:
    m.files["proc/1/cgroup"] = f"0::/kubepods/besteffort/pod{m.draw.word()}\n"
    return ["Kubernetes"]


@situation("linux", code=0)
def in_wsl(m: Machine) -> list[str]:
    m.files["proc/version"] = KERNEL_2.format(m.draw.randint(1, 200))
    m.files["usr/lib/wsl/lib/libcuda.so.1"] = ""
    return ["in WSL 2"]


@situation("container-without-gpu", code=4, is_next=True)
def started_without_gpus(m: Machine) -> list[str]:
    m.without_gpu()
    m.files[".dockerenv"] = ""
    number = m.draw.driver(m.draw.randint(525, 700))
    m.files["proc/driver/nvidia/version"] = (
        f"NVRM version: NVIDIA UNIX Kernel Module  {number}  x\n"
    )
    m.tools["nvcc"] = None
    return ["Docker", number, "--gpus all"]


@situation("wsl-version-1", code=4, is_next=True)
def first_version_of_wsl(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools["nvcc"] = None
    m.files["proc/version"] = KERNEL_1.format(m.draw.randint(10000, 30000))
    return ["WSL 1", "--set-version"]


@situation("wsl-without-driver", code=4)
def windows_has_no_driver(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools["nvcc"] = None
    m.files["proc/version"] = KERNEL_2.format(m.draw.randint(1, 200))
    return ["WSL 2", "in Windows"]


@situation("linux-driver-inside-wsl", code=1, is_next=True)
def linux_driver_in_wsl(m: Machine) -> list[str]:
    m.error, m.serves = 35, ""
    m.tools["nvidia-smi"] = None
    m.files["proc/version"] = KERNEL_2.format(m.draw.randint(1, 200))
    library = m.draw.choice(["usr/lib/x86_64-linux-gnu/libcuda.so.1", "usr/lib64/libcuda.so.1"])
    m.files |= {library: "", "usr/lib/wsl/lib/libcuda.so.1": ""}
    return [f"/{library}", "Remove the Linux driver"]


@situation("windows-without-wsl", code=1, is_next=True)
def windows(m: Machine) -> list[str]:
    m.monkeypatch.setattr("platform.system", lambda: "Windows")
    return ["WSL"]


@situation("system-without-cuda", code=4)
def another_system(m: Machine) -> list[str]:
    name = m.draw.choice(["Darwin", "FreeBSD"])
    m.monkeypatch.setattr("platform.system", lambda: name)
    m.without_gpu()
    m.tools["nvcc"] = None
    return [name, "no CUDA here"]


@situation("jetson", code=0)
def small_board(m: Machine) -> list[str]:
    model = f"NVIDIA Jetson {m.draw.name()}"
    m.files["proc/device-tree/model"] = f"{model}\0"
    m.cards[0].name = "Orin (nvgpu)"
    return [model, "share one memory"]


@situation("jetson", code=0)
def board_of_an_older_release(m: Machine) -> list[str]:
    m.files["etc/nv_tegra_release"] = "# R35 (release)\n"
    return ["share one memory"]
