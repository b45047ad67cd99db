"""What happens to GPUs."""

from __future__ import annotations

from tests.doctor.machine import Card, Machine, dotted
from tests.doctor.situations import situation


@situation("gpu-works", code=0)
def several_gpus(m: Machine) -> list[str]:
    m.cards += [Card(m.draw.name(), m.cards[0].capability) for _ in range(m.draw.randint(1, 7))]
    return [card.name for card in m.cards]


@situation("visible-devices-hides-gpu", code=1, is_next=True)
def hidden(m: Machine) -> list[str]:
    values = ["", "-1", str(m.draw.randint(1, 99)), m.draw.word(), "NoDevFiles", "sh"]
    value = m.draw.choice(values)
    m.environment["CUDA_VISIBLE_DEVICES"] = value
    m.error = m.draw.choice([100, 101])
    return [f"CUDA_VISIBLE_DEVICES='{value}'", m.cards[0].name, "unset CUDA_VISIBLE_DEVICES"]


@situation("visible-devices-hides-gpu", code=1, is_next=True)
def hidden_without_smi(m: Machine) -> list[str]:
    m.environment["CUDA_VISIBLE_DEVICES"] = ""
    m.tools["nvidia-smi"] = None
    m.error = 100
    return ["CUDA_VISIBLE_DEVICES=''", "unset"]


@situation("visible-devices-misspelt", code=0)
def misspelt(m: Machine) -> list[str]:
    right = "CUDA_VISIBLE_DEVICES"
    place = m.draw.randrange(len(right) - 1)
    swapped = right[:place] + right[place + 1] + right[place] + right[place + 2 :]
    left_out = right[:place] + right[place + 1 :]
    name = m.draw.choice([swapped, left_out, right.lower(), "CUDA_VISIBLE_GPUS"])
    if name == right:  # two equal letters were swapped
        name = left_out
    m.environment[name] = "0"
    return [name, "did you mean CUDA_VISIBLE_DEVICES?"]


@situation("visible-devices-set", code=0)
def one_of_two_chosen(m: Machine) -> list[str]:
    m.environment["CUDA_VISIBLE_DEVICES"] = "0"
    return ["CUDA_VISIBLE_DEVICES=0"]


@situation("mig-without-instance", code=1, is_next=True)
def mig_switched_on(m: Machine) -> list[str]:
    m.error = 100
    m.tools["nvidia-smi"] = (
        'case "$*" in *mig.mode*) echo "0, Enabled";; '
        f'-L) echo "GPU 0: {m.cards[0].name}";; *) {m.smi_script()};; esac'
    )
    return ["MIG", "instance"]


@situation("mig-instance", code=0)
def part_of_a_gpu(m: Machine) -> list[str]:
    part = f"{m.draw.randint(1, 7)}g.{m.draw.choice([5, 10, 20])}gb"
    m.cards[0].name += f" MIG {part}"
    return [part, "part of a GPU"]


def exclusive(m: Machine, busy: list[bool]) -> None:
    mode = m.draw.choice(["Exclusive_Process", "Exclusive_Thread"])
    capability = m.cards[0].capability
    m.cards = [
        Card(m.draw.name(), capability, mode=mode, used=m.draw.randint(300, 9000) if b else 0)
        for b in busy
    ]


@situation("gpu-taken", code=1, is_next=True)
def first_of_several_taken(m: Machine) -> list[str]:
    busy = [True] * m.draw.randint(1, 3)
    exclusive(m, [*busy, False])
    return [
        f"GPU 0 is in {m.cards[0].mode} mode and taken",
        f"GPU {len(busy)} is free",
        f"CUDA_VISIBLE_DEVICES={len(busy)}",
    ]


@situation("gpu-taken", code=1, is_next=True)
def all_taken(m: Machine) -> list[str]:
    exclusive(m, [True] * m.draw.randint(1, 4))
    return ["no other is free", "Wait"]


@situation("gpu-taken", code=1, is_next=True)
def the_chosen_one_taken(m: Machine) -> list[str]:
    exclusive(m, [False, False, True])
    m.environment["CUDA_VISIBLE_DEVICES"] = "2"
    return ["GPU 2 is in", "GPU 0 is free", "CUDA_VISIBLE_DEVICES=0"]


@situation("gpu-taken", code=1, is_next=True)
def taken_by_the_word_of_cuda(m: Machine) -> list[str]:
    m.tools["nvidia-smi"] = None
    card = m.cards[0]
    m.probe = m.answer().rstrip() + f";mode=exclusive;error=46\ndevice1={m.draw.name()};cc="
    m.probe += f"{card.capability};mode=exclusive;error=0\n"
    return ["GPU 0 is in exclusive mode and taken", "GPU 1 is free", "CUDA_VISIBLE_DEVICES=1"]


@situation("gpu-exclusive", code=0)
def exclusive_and_free(m: Machine) -> list[str]:
    exclusive(m, [False])
    return ["exclusive mode", "46"]


@situation("gpu-exclusive", code=0)
def the_free_one_is_chosen(m: Machine) -> list[str]:
    exclusive(m, [True, False])
    m.environment["CUDA_VISIBLE_DEVICES"] = "1"
    return ["GPU 1 is in exclusive mode"]


@situation("gpu-prohibited", code=1, is_next=True)
def prohibited(m: Machine) -> list[str]:
    m.cards[0].mode = "Prohibited"
    return ["Prohibited", "no program may use it"]


@situation("gpu-too-old-for-toolkit", code=1, is_next=True, never=("update (the|your) driver",))
def dropped_by_cuda_13(m: Machine) -> list[str]:
    m.use_toolkit("13.0")
    m.use_driver_of("13.0")
    old = m.draw.choice([50, 52, 60, 61, 70])
    m.cards = [Card(m.draw.name(), dotted(old))]
    return [dotted(old), "7.5 and newer only", "12.9 is the last", "CPU device", "not at fault"]


@situation("some-gpus-too-old", code=0)
def old_beside_new(m: Machine) -> list[str]:
    m.cards.append(Card(m.draw.name(), "3.7"))
    return [m.cards[1].name, "1 of 2", "CUDA_VISIBLE_DEVICES"]


@situation("gpu-older-than-course", code=0)
def pascal_with_cuda_12(m: Machine) -> list[str]:
    m.use_toolkit(m.draw.toolkit(newest="12.9"))
    m.use_driver_of(m.toolkit)
    m.cards = [Card(m.draw.name(), m.draw.choice(["6.0", "6.1", "7.0"]))]
    return [m.cards[0].name, m.cards[0].capability, "7.5 and newer"]


@situation("gpu-newer-than-toolkit", code=0)
def newer_than_the_toolkit(m: Machine) -> list[str]:
    m.architectures = [75, 80, 86]
    m.cards = [Card(m.draw.name(), "12.0")]
    return [m.cards[0].name, "12.0", m.toolkit, "PTX for 8.6", "12.8 is the first"]


@situation("gpu-unusable", code=1, is_next=True)
def unknown_error(m: Machine) -> list[str]:
    m.error = 999
    return [m.cards[0].name, "999", "Restart"]


@situation("gpu-not-asked")
def cuda_was_not_asked(m: Machine) -> list[str]:
    m.probe = m.draw.choice(["", "nonsense", "devices=1\n"])
    return [m.cards[0].name, "was not asked"]


@situation("gpu-waits-for-driver", code=1)
def card_alone(m: Machine) -> list[str]:
    m.without_driver()
    return ["the driver's line says why"]


@situation("gpu-waits-for-driver", code=1)
def card_that_smi_lists(m: Machine) -> list[str]:
    m.error = m.draw.choice([34, 802, 803, 804])
    return [m.cards[0].name]


@situation("no-gpu", code=4)
def none_at_all(m: Machine) -> list[str]:
    m.without_gpu()
    return ["Everything works but timing"]


@situation("smi-missing", code=0, never=("no (nvidia )?gpu",))
def container_without_utility(m: Machine) -> list[str]:
    m.files[".dockerenv"] = ""
    m.tools["nvidia-smi"] = m.draw.choice([None, "echo 'nvidia-smi: not found' >&2; exit 127"])
    return ["nvidia-smi missing", "no clocks or temperatures", "compute,utility"]


@situation("values-not-readable", code=0, never=("0 MiB", "0 MHz"))
def jetson_full_of_not_available(m: Machine) -> list[str]:
    blank = m.draw.choice(["[N/A]", "N/A", "[Not Supported]"])
    m.cards = [Card("Orin (nvgpu)", m.cards[0].capability)]
    m.tools["nvidia-smi"] = f"echo '0, Orin (nvgpu), 540.4.0, {blank}, {blank}, {blank}'"
    return ["not readable on this device"]


@situation("values-not-readable", code=0, never=("0 MiB", "0 MHz"))
def a_table_in_place_of_rows(m: Machine) -> list[str]:
    m.cards[0].name = "Orin (nvgpu)"
    number = m.draw.driver(540)
    m.tools["nvidia-smi"] = (
        f"echo '| NVIDIA-SMI {number}   Driver Version: {number}   CUDA Version: N/A |'; "
        "echo '|   0  Orin (nvgpu)         N/A  | N/A         N/A |        N/A |'"
    )
    return ["not readable on this device"]


@situation("gpu-works", code=0)
def integrated_gpu(m: Machine) -> list[str]:
    m.probe = m.answer().rstrip() + ";integrated=1\n"
    return [m.cards[0].name, "memory shared with the CPU"]


@situation("values-not-readable", code=0)
def jetson_without_smi(m: Machine) -> list[str]:
    m.tools["nvidia-smi"] = None
    m.files["proc/device-tree/model"] = f"NVIDIA Jetson {m.draw.name()}\0"
    return ["not readable on this device"]
