"""What happens to drivers."""

from __future__ import annotations

from tests.doctor.machine import TABLE, Machine
from tests.doctor.situations import situation
from tools.doctor.compatibility import version

NO_TALK = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


@situation("driver-works", code=0)
def newer_driver(m: Machine) -> list[str]:
    m.driver, m.serves = m.draw.driver(m.draw.randint(620, 900)), f"{m.draw.randint(14, 19)}.1"
    return [m.driver, m.serves]


@situation("driver-found", code=0)
def driver_of_unknown_age(m: Machine) -> list[str]:
    m.driver = f"9{m.draw.randint(10, 99)}.10"
    m.serves = ""
    m.monkeypatch.setattr("tools.doctor.compatibility.Compatibility.toolkit_served", lambda *_: ())
    return [m.driver]


@situation("no-driver", code=4)
def plain_machine(m: Machine) -> list[str]:
    m.without_gpu()
    return ["no NVIDIA driver on this machine"]


@situation("card-without-driver", code=1, is_next=True, never=("older than",))
def card_and_no_driver(m: Machine) -> list[str]:
    m.without_driver()
    card = m.tools["lspci"].split("NVIDIA ")[1].rstrip("'")
    return ["no NVIDIA driver", card, "Install", "CPU device"]


@situation("card-without-driver", code=1, is_next=True)
def card_that_only_the_kernel_lists(m: Machine) -> list[str]:
    m.without_gpu()
    number = f"0x{m.draw.randint(0x1000, 0xFFFF):x}"
    card = "sys/bus/pci/devices/0000:01:00.0"
    m.files |= {f"{card}/vendor": "0x10de\n", f"{card}/class": "0x030000\n"}
    m.files[f"{card}/device"] = f"{number}\n"
    return ["no NVIDIA driver", number]


@situation("library-without-driver", code=1, is_next=True, never=("is older",))
def library_alone(m: Machine) -> list[str]:
    m.without_gpu()
    m.library = True
    m.error = m.draw.choice([35, 100, 999])
    return ["libcuda.so.1", "no working NVIDIA driver", "--gpus all", "restart"]


@situation("driver-without-library", code=1, is_next=True)
def container_with_utility_only(m: Machine) -> list[str]:
    m.error, m.library, m.serves = 35, False, ""
    m.files["dev/nvidia0"] = m.files["dev/nvidiactl"] = ""
    return [m.driver, "libcuda.so.1", "compute,utility"]


@situation("driver-older-than-toolkit", code=1, is_next=True, never=("no NVIDIA driver",))
def old_driver(m: Machine) -> list[str]:
    old = m.draw.choice(["11.8", "12.0", "12.1", "12.2", "12.3"])
    m.use_toolkit("13.0" if old != "11.8" else m.draw.toolkit())
    m.use_driver_of(old)
    m.error = 35
    least = str(TABLE.least_driver(version(m.toolkit)))
    return [m.driver, m.toolkit, f"{least} or newer", f"older toolkit (CUDA {old})"]


@situation("driver-older-than-toolkit", code=1, is_next=True)
def old_driver_without_probe(m: Machine) -> list[str]:
    m.use_toolkit("13.0")
    m.driver, m.probe = m.own_driver("12.4"), ""
    return [m.driver, "13.0", "580 or newer", "CUDA 12.4"]


@situation("toolkit-newer-than-driver", code=0)
def newer_minor_release(m: Machine) -> list[str]:
    older, newer = sorted(m.draw.sample(["12.4", "12.5", "12.6", "12.8", "12.9"], 2), key=version)
    m.use_toolkit(newer)
    m.use_driver_of(older)
    m.cards[0].capability = "9.0"
    return [m.driver, older, m.toolkit, "PTX", TABLE.own_driver(version(m.toolkit))]


@situation("driver-upgraded-while-loaded", code=1, is_next=True, never=("reinstall",))
def upgraded_under_the_module(m: Machine) -> list[str]:
    branch = m.draw.randint(500, 700)
    loaded, installed = f"{branch}.{m.draw.randint(1, 50)}", m.draw.driver(branch)
    m.smi_fails(
        "Failed to initialize NVML: Driver/library version mismatch\n"
        f"NVML library version: {installed}",
        18,
    )
    m.files["proc/driver/nvidia/version"] = f"NVRM version: NVIDIA Kernel Module  {loaded}  Mon\n"
    m.serves, m.error = "", 803
    return [loaded, installed, "Reboot"]


@situation("driver-upgraded-while-loaded", code=1, is_next=True)
def only_cuda_notices_the_upgrade(m: Machine) -> list[str]:
    m.tools["nvidia-smi"] = None
    m.error, m.serves = 803, ""
    return ["Reboot"]


@situation("kernel-module-not-loaded", code=1, is_next=True, never=("no nvidia gpu",))
def no_module_for_this_kernel(m: Machine) -> list[str]:
    m.without_driver()
    m.smi_fails(NO_TALK, 9)
    m.files["proc/modules"] = f"{m.draw.word()} 16384 0\n"
    return ["Likely first: there is no module for the running kernel", "Secure Boot", "nouveau"]


@situation("kernel-module-not-loaded", code=1, is_next=True)
def secure_boot_refuses(m: Machine) -> list[str]:
    m.without_driver()
    m.smi_fails(NO_TALK, 9)
    if m.draw.random() < 0.5:
        m.tools["mokutil"] = "echo SecureBoot enabled"
    else:
        m.files[f"sys/firmware/efi/efivars/SecureBoot-{m.draw.word()}"] = "\6\0\0\0\1"
    return ["Likely first: Secure Boot", "kernel", "nouveau"]


@situation("kernel-module-not-loaded", code=1, is_next=True)
def nouveau_holds_the_card(m: Machine) -> list[str]:
    m.without_driver()
    m.smi_fails(NO_TALK, 9)
    if m.draw.random() < 0.5:
        m.files["proc/modules"] = "nouveau 2400256 1 - Live 0x0\n"
    else:
        m.tools["lsmod"] = "echo 'Module Size Used by'; echo 'nouveau 2400256 1'"
    return ["Likely first: the free driver nouveau", "Secure Boot", "kernel"]


@situation("driver-does-not-answer", code=1, is_next=True)
def smi_hangs(m: Machine) -> list[str]:
    m.seconds = 0.6
    m.tools["nvidia-smi"] = "sleep 60"
    m.probe = ""
    return ["nvidia-smi", "--wait"]


@situation("smi-does-not-answer", code=0)
def smi_hangs_and_cuda_works(m: Machine) -> list[str]:
    m.seconds = 0.6
    m.tools["nvidia-smi"] = "sleep 60"
    return ["nvidia-smi did not answer", "--wait"]


@situation("stub-in-place-of-driver", code=1, is_next=True)
def stub_library(m: Machine) -> list[str]:
    folder = f"/opt/{m.draw.word()}/lib64/stubs"
    m.environment["LD_LIBRARY_PATH"] = f"/{m.draw.word()}:{folder}"
    m.error, m.serves = 34, ""
    m.tools["nvidia-smi"] = None
    return ["34", folder, "LD_LIBRARY_PATH"]


@situation("fabric-not-ready", code=1, is_next=True)
def linked_gpus(m: Machine) -> list[str]:
    m.error = 802
    m.cards *= m.draw.choice([2, 4, 8])
    return ["802", "nvidia-fabricmanager", "administrator"]


@situation("compatibility-library-refused", code=1, is_next=True)
def image_for_a_newer_cuda(m: Machine) -> list[str]:
    m.error = 804
    return ["804", "cuda-compat", f"CUDA {m.serves}"]


@situation("device-files-closed", code=1, is_next=True)
def not_in_the_group(m: Machine) -> list[str]:
    m.error = 100
    node = f"nvidia{m.draw.randint(0, 7)}"
    m.files[f"dev/{node}"] = ""
    m.monkeypatch.setattr("tools.doctor.facts.driver.writable", lambda path: path.name != node)
    return [f"/dev/{node}", "group"]


@situation("gpu-switched-off", code=1, is_next=True, never=("no nvidia gpu", "no nvidia driver"))
def laptop_in_integrated_mode(m: Machine) -> list[str]:
    m.without_driver()
    m.smi_fails(NO_TALK, 9)
    m.tools["lspci"] += "; echo '00:02.0 VGA compatible controller: Intel Corporation Device'"
    tool, mode = m.draw.choice([
        ("prime-select", "intel"),
        ("envycontrol", "integrated"),
        ("supergfxctl", "Integrated"),
        ("optimus-manager", "integrated"),
    ])  # fmt: skip
    m.tools[tool] = f"echo {mode}"
    return ["switched off", tool, mode, f"sudo {tool}", "timings vary"]
