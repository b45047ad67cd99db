"""Device functions and variables that several files share (nvcc's -rdc=true)."""

import re
import subprocess

from . import ir_text
from .messages import Stop

# The prefix of device functions and variables that other files may use (-rdc=true).
PREFIX = "cpu_device_across_files."
# Mangled names that are not functions of the user: the standard library, new and delete, tables
# and thread-local wrappers, our atomics.
KNOWN = re.compile(r"_Z(?:T|St|NSt|NKSt|N9__gnu_cxx|n[aw]|d[al]|\d+atomic)")


def undefined_functions(device):
    """The user's device functions that this file declares and uses, but does not define."""
    names = re.findall(rf"^declare [^\n]*?@({ir_text.NAME})\(", device, re.M)
    return [name for name in names if name.startswith("_Z") and not KNOWN.match(name)]


def share(device, kernels):
    """Gives functions and variables with external linkage names that all files agree on."""
    defined = re.findall(
        rf"^define (?!internal|linkonce|weak|available)[^@\n]*@({ir_text.NAME})\(", device, re.M
    )
    names = [name for name in defined if name.startswith("_Z") and name not in kernels]
    names += undefined_functions(device)
    names += re.findall(
        rf"^@({ir_text.NAME}) = (?!internal)[^\n]*?externally_initialized (?:global|constant) ",
        device,
        re.M,
    )
    names += re.findall(
        rf"^@({ir_text.NAME}) = external (?![^\n]*thread_local)[^\n]*?(?:global|constant) ",
        device,
        re.M,
    )
    for name in names:
        device = ir_text.rename(device, name, f'"{PREFIX}{name}"')
    return device


def refuse(device, source):
    for name in undefined_functions(device):
        call = re.search(rf"^ [^\n]* @{re.escape(name)}\([^\n]*$", device, re.M)
        file, line = ir_text.location(device, call[0]) if call else (None, None)
        raise Stop(
            f"{file or source}:{line or '?'}: the device function {demangle(name)} is not "
            "defined in this file; as with nvcc, -rdc=true allows calls across files"
        )


def demangle(name):
    try:
        result = subprocess.run(["c++filt", name], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return name
    return result.stdout.strip()
