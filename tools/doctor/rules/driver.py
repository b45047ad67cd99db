"""The NVIDIA driver: there or not, loaded or not, new enough or not."""

from __future__ import annotations

from tools.doctor.facts import Facts
from tools.doctor.facts.gpus import SWITCHES
from tools.doctor.rules.rule import Area, Values
from tools.doctor.rules.words import CPU_MEANWHILE, branch, card, served

AREA = Area("NVIDIA driver")

STUB, INSUFFICIENT, NO_DEVICE = 34, 35, 100
NOT_READY, MISMATCH, COMPATIBILITY = 802, 803, 804


@AREA.rule(
    "error",
    "the NVIDIA GPU is present but switched off ({switch}: {mode})",
    "Switch it on: sudo {command}, then restart. On such laptops timings vary with heat and power.",
    facts=("gpus.pci", "gpus.switch", "gpus.switch_mode"),
    symptom="NVIDIA-SMI has failed (on a laptop with two graphics chips)",
    cause="The NVIDIA chip is powered off to save energy; lspci still shows it.",
    cure="prime-select query tells the mode; sudo prime-select on-demand and a restart switch the "
    "chip on.",
    sources=("bayasdev/envycontrol#147", "bayasdev/envycontrol#22", "NVIDIA/nvidia-docker#1235"),
    log=23,
)
def gpu_switched_off(f: Facts) -> Values:
    if f.usable or not f.gpus.switched_off:
        return None
    command = f"{f.gpus.switch} {SWITCHES[f.gpus.switch][2]}"
    return {"switch": f.gpus.switch, "mode": f.gpus.switch_mode, "command": command}


@AREA.rule(
    "error",
    "the driver was upgraded while it was loaded (loaded {loaded}, installed {installed})",
    "Reboot: then the new kernel module is loaded. Nothing has to be installed.",
    facts=("driver.loaded", "driver.library", "driver.smi_says", "driver.answer"),
    symptom="Failed to initialize NVML: Driver/library version mismatch",
    cause="An upgrade replaced the driver's libraries while the old kernel module stays loaded.",
    cure="Reboot. Nothing has to be installed.",
    sources=(
        "oddmario/NVIDIA-Ubuntu-Driver-Guide#4",
        "lyulyul/shine-cluster#30",
        "NVIDIA/nvidia-container-toolkit#394",
    ),
    log=9,
)
def driver_upgraded_while_loaded(f: Facts) -> Values:
    if "version mismatch" in f.driver.smi_says.lower() or f.driver.error == MISMATCH:
        installed = f.driver.library or "unknown"
        return {"loaded": f.driver.loaded or "unknown", "installed": installed}
    return None


@AREA.rule(
    "error",
    "nvidia-smi cannot talk to the driver: its kernel module is not loaded",
    "Likely first: {reasons}.",
    facts=("driver.smi_says", "driver.module", "driver.nouveau", "driver.secure_boot"),
    symptom="NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver",
    cause="No kernel module of the driver is loaded: there is none for the running kernel (after a "
    "kernel update), Secure Boot refuses an unsigned one, or nouveau holds the card.",
    cure="Doctor says which of the three is likely. Rebuild the module for this kernel (dkms) and "
    "restart; or enroll the module's key; or keep nouveau from loading and restart.",
    sources=(
        "qixuema/envs#4",
        "gridhead/nvidia-auto-installer-for-fedora-linux#75",
        "mattshma/bigdata#133",
        "GoogleCloudPlatform/compute-gpu-installation#18",
        "CachyOS/linux-cachyos#118",
    ),
    log=10,
)
def kernel_module_not_loaded(f: Facts) -> Values:
    says = f.driver.smi_says.lower()
    if (
        f.usable
        or f.driver.smi_code in (0, 127)
        or "communicate with the nvidia driver" not in says
    ):
        return None
    return {"reasons": "; ".join(module_reasons(f))}


def module_reasons(f: Facts) -> list[str]:
    """All three, the likely one first."""
    reasons = {
        "nouveau": "the free driver nouveau holds the card (blacklist nouveau, then restart)",
        "signature": "Secure Boot refuses an unsigned module (enroll its key with mokutil, or "
        "switch Secure Boot off)",
        "kernel": "there is no module for the running kernel, as after a kernel update (install "
        "its headers, run dkms autoinstall, restart)",
    }
    likely = "nouveau" if f.driver.nouveau else "signature" if f.driver.secure_boot else "kernel"
    return [reasons.pop(likely), *reasons.values()]


@AREA.rule(
    "error",
    "the driver did not answer in time ({who})",
    "Give it longer: ./course doctor --wait 30. If it still hangs, the driver is stuck: restart.",
    facts=("driver.smi_code", "driver.answer"),
    symptom="nvidia-smi prints nothing and does not return",
    cause="A driver that is stuck, or one that sets up many GPUs anew for every program.",
    cure="Wait for half a minute once (./course doctor --wait 30). If it hangs, restart. If it is "
    "merely slow, ask the administrator for persistence mode (nvidia-smi -pm 1).",
)
def driver_does_not_answer(f: Facts) -> Values:
    signs = f.driver.smi or f.driver.module or f.driver.nodes or f.gpus.pci
    late_probe = bool(signs and f.driver.answer and f.driver.answer.late)
    late = [name for name, is_late in (("nvidia-smi", f.driver.smi_late), ("CUDA", late_probe))
            if is_late]  # fmt: skip
    return {"who": " and ".join(late)} if late and not f.usable else None


@AREA.rule(
    "warning",
    "nvidia-smi did not answer in time, although CUDA works",
    "Give it longer: ./course doctor --wait 30. It is slow without persistence mode.",
    remark=True,
    facts=("driver.smi_code",),
)
def smi_does_not_answer(f: Facts) -> Values:
    return f.driver.smi_late and f.usable


@AREA.rule(
    "error",
    "a stub library answers in place of the driver (error 34)",
    "Take the toolkit's `stubs` folder out of LD_LIBRARY_PATH{where}: it is for linking only.",
    facts=("driver.answer", "toolkit.stubs"),
    symptom="CUDA driver is a stub library (cudaErrorStubLibrary, 34)",
    cause="The toolkit has a libcuda without content, so that programs can be linked on a machine "
    "without a driver. A program has loaded it in place of the driver's.",
    cure="Take the folder that ends in stubs out of LD_LIBRARY_PATH.",
    sources=(
        "xmake-io/xmake#4686",
        "HiPerCoRe/KTT#55",
        "chainer/chainer#2797",
        "apache/arrow#46166",
    ),
    log=42,
)
def stub_in_place_of_driver(f: Facts) -> Values:
    if f.driver.error != STUB:
        return None
    return {"where": f" ({f.toolkit.stubs})" if f.toolkit.stubs else ""}


@AREA.rule(
    "error",
    "the GPUs are not ready yet (error 802)",
    "The service nvidia-fabricmanager does not run, or is of another version than the driver: ask "
    "the administrator (systemctl status nvidia-fabricmanager).",
    facts=("driver.answer", "driver.version"),
    symptom="system not yet initialized (cudaErrorSystemNotReady, 802)",
    cause="On servers with linked GPUs a service sets up the links; it does not run, or is of "
    "another version than the driver.",
    cure="Ask the administrator to start nvidia-fabricmanager in the driver's version.",
    sources=("jax-ml/jax#21299", "gpustack/gpustack#1254"),
    log=24,
)
def fabric_not_ready(f: Facts) -> Values:
    return f.driver.error == NOT_READY


@AREA.rule(
    "error",
    "a library from the package cuda-compat stands before the driver's, and this GPU cannot use it "
    "(error 804)",
    "Take the folder `compat` out of LD_LIBRARY_PATH, or use an image for CUDA {served}.",
    facts=("driver.answer", "driver.version"),
    symptom="forward compatibility was attempted on non supported HW (804)",
    cause="Images for a newer CUDA bring libcuda from the package cuda-compat. It works with GPUs "
    "for data centres only.",
    cure="Update the host's driver, use an image for the CUDA version that the driver serves, or "
    "take the folder compat out of LD_LIBRARY_PATH.",
    sources=("NVIDIA/nvidia-docker#1294", "oobabooga/textgen#4407"),
)
def compatibility_library_refused(f: Facts) -> Values:
    return {"served": served(f) or "an older version"} if f.driver.error == COMPATIBILITY else None


@AREA.rule(
    "error",
    "this user may not open the GPU's device files ({files})",
    "ls -l /dev/nvidia* names the group that may; the administrator adds you: "
    "sudo usermod -aG GROUP $USER, then log in again.",
    facts=("driver.nodes", "driver.closed", "driver.answer"),
    symptom="no CUDA-capable device is detected (as this user; root can use it)",
    cause="The files /dev/nvidia* belong to a group that this user is not in.",
    cure="ls -l /dev/nvidia* names the group. The administrator adds you to it; log in again.",
    sources=("openSUSE/nvidia-driver-G06#52",),
)
def device_files_closed(f: Facts) -> Values:
    if f.driver.closed and not f.usable:
        return {"files": ", ".join(f"/dev/{name}" for name in f.driver.closed)}
    return None


@AREA.rule(
    "error",
    "driver {driver} is older than toolkit {toolkit} needs: {least} or newer",
    "Two ways out: a driver {least} or newer, or an older toolkit{older}. " + CPU_MEANWHILE,
    facts=("driver.version", "driver.answer", "toolkit.version"),
    symptom="CUDA driver version is insufficient for CUDA runtime version (35)",
    cause="Each major release of the toolkit has a least driver. CUDA gives the same error where "
    "there is no driver at all: doctor tells the two apart.",
    cure="Install a newer driver, or build with a toolkit that the driver serves; the table of "
    "versions shows which.",
    sources=("uzh-rpg/rpg_open_remode#9", "Chia-Network/bladebit#431", "NVlabs/PWC-Net#138"),
    log=2,
)
def driver_older_than_toolkit(f: Facts) -> Values:
    least = f.table.least_driver(f.toolkit.number)
    refused = f.driver.error == INSUFFICIENT and f.driver.serves
    if not f.driver.found or not f.toolkit.number:
        return None
    if not refused and not (least and 0 < branch(f) < least and not f.usable):
        return None
    return {
        "driver": f.driver.version or f"for CUDA {f.driver.serves}",
        "toolkit": f.toolkit.version,
        "least": least or "one",
        "older": f" (CUDA {served(f)})" if served(f) else "",
    }


@AREA.rule(
    "error",
    "libcuda.so.1 is on this machine, but no working NVIDIA driver",
    "In a container: start it with access to the GPU (docker run --gpus all …). After an update: "
    "restart the machine.",
    facts=("driver.answer", "driver.loaded", "driver.nodes", "system.container"),
    symptom="CUDA driver version is insufficient (35), although libcuda.so.1 is installed",
    cause="The driver's library is there without its kernel module.",
    cure="In a container, start it with access to the GPU. After an update, restart.",
    sources=("uzh-rpg/rpg_open_remode#33", "CESNET/GPUJPEG#4"),
    log=1,
)
def library_without_driver(f: Facts) -> Values:
    answer = f.driver.answer
    return bool(answer and answer.library) and not f.driver.found


@AREA.rule(
    "error",
    "driver {driver} is loaded, but its library libcuda.so.1 is not found",
    "In a container, set NVIDIA_DRIVER_CAPABILITIES=compute,utility; elsewhere install the "
    "driver's package for computing (Debian and Ubuntu: libcuda1 or libnvidia-compute-…).",
    facts=("driver.version", "driver.answer", "system.container"),
    symptom="libcuda.so.1: cannot open shared object file, although nvidia-smi works",
    cause="Only a part of the driver is installed, or the container was given only nvidia-smi "
    "(capability utility).",
    cure="Set NVIDIA_DRIVER_CAPABILITIES=compute,utility for the container, or install the "
    "driver's computing package.",
    sources=("mudler/LocalAI#11973", "AbdBarho/stable-diffusion-webui-docker#348"),
)
def driver_without_library(f: Facts) -> Values:
    answer = f.driver.answer
    no_library = answer is not None and answer.library is False
    if f.driver.version and f.driver.nodes and no_library:
        return {"driver": f.driver.version}
    return None


@AREA.rule(
    "warning",
    "driver {driver} serves CUDA {served}, older than toolkit {toolkit}",
    "Nothing to do for the course: it builds machine code for this GPU, which runs. PTX of CUDA "
    "{toolkit} does not (error 222); a driver {own} or newer takes it too.",
    facts=("driver.version", "driver.answer", "toolkit.version"),
    symptom="the provided PTX was compiled with an unsupported toolchain (222)",
    cause="The program holds only PTX for this GPU, and the driver cannot translate PTX that is "
    "newer than itself. Within a major release only machine code is compatible.",
    cure="Build machine code for the GPU (-Dgpu_arch=), or install a driver as new as the toolkit.",
    sources=(
        "ComputationalRadiationPhysics/cuda_memtest#31",
        "NVIDIA/nvbandwidth#61",
        "NVIDIA/gvdb-voxels#120",
    ),
    log=4,
)
def toolkit_newer_than_driver(f: Facts) -> Values:
    able = tuple(int(part) for part in served(f).split(".") if part)
    if not able or f.toolkit.number[:1] != able[:1] or f.toolkit.number <= able:
        return None
    return {
        "driver": f.driver.version or "found here",
        "served": served(f),
        "toolkit": f.toolkit.version,
        "own": f.table.own_driver(f.toolkit.number) or "as new as the toolkit",
    }


@AREA.rule("ok", "driver {version}serves CUDA {served}", facts=("driver.version", "driver.answer"))
def driver_works(f: Facts) -> Values:
    if not f.driver.found or not served(f):
        return None
    return {"version": f"{f.driver.version} " if f.driver.version else "", "served": served(f)}


@AREA.rule("ok", "driver {version}", facts=("driver.version",))
def driver_found(f: Facts) -> Values:
    return {"version": f.driver.version} if f.driver.found else None


@AREA.rule(
    "error",
    "no NVIDIA driver on this machine, although it has a GPU: {card}",
    "Install your distribution's NVIDIA driver (Debian: nvidia-driver; Ubuntu: sudo ubuntu-drivers "
    "install) and restart. " + CPU_MEANWHILE,
    facts=("gpus.pci", "driver.smi", "driver.answer"),
    symptom="CUDA driver version is insufficient for CUDA runtime version (35), with no driver",
    cause="There is no NVIDIA driver at all. CUDA's runtime gives the same error, 35, for that and "
    "for an old driver.",
    cure="Install your distribution's NVIDIA driver and restart.",
    sources=("NVIDIA/nvidia-docker#400", "uzh-rpg/rpg_open_remode#33", "CESNET/GPUJPEG#4"),
    log=1,
)
def card_without_driver(f: Facts) -> Values:
    if not f.gpus.pci or f.usable or (f.system.container and f.driver.module):
        return None
    return {"card": card(f)}


@AREA.rule(
    "note",
    "no NVIDIA driver on this machine",
    "Nothing to repair where there is no NVIDIA GPU: the CPU device runs every example.",
    facts=("driver.smi", "driver.answer"),
)
def no_driver(f: Facts) -> Values:
    return True
