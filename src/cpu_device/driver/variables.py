"""Device, constant and managed variables, and their shadows on the host."""

import dataclasses
import re

from . import across_files, annotations, ir_text
from .kernels import quote

MANAGED = 2
KINDS = {"cpu_device_constant": 1, "cpu_device_managed": MANAGED}  # 0: plain __device__


@dataclasses.dataclass
class Variable:
    name: str
    symbol: str  # quoted new device symbol, without '@'
    info: str  # quoted symbol of its description
    type: str
    kind: int


def export_variables(device, unique):
    """Gives device variables names of this object's own and collects them."""
    kinds = {
        name.removeprefix(across_files.PREFIX): KINDS.get(text, 0)
        for name, text in annotations.annotations(device).items()
    }
    variables = []
    # One of this file's own that the host does not name is a plain internal one.
    pattern = re.compile(
        rf"^@({ir_text.NAME}) = (?:[^\n]*?externally_initialized|internal) "
        r"(?:global|constant) (?P<rest>[^\n]*)$",
        re.M,
    )

    def rewrite(match):
        name = match[1].strip('"')
        type_text = ir_text.first_type(match["rest"])
        shared = name.startswith(across_files.PREFIX)
        name = name.removeprefix(across_files.PREFIX)
        variable = Variable(
            name,
            f'"{across_files.PREFIX}{name}"'
            if shared
            else f'"cpu_device_variable.{unique}.{name}"',
            f'"cpu_device_variable_info.{unique}.{name}"',
            type_text,
            kinds.get(name, 0),
        )
        variables.append(variable)
        rest = re.sub(r", (?:comdat(?:\([^)]*\))?|section \"[^\"]*\")", "", match["rest"])
        return f"@{match[1]} = hidden global {rest}"

    device = pattern.sub(rewrite, device)
    for variable in variables:
        device = ir_text.rename(device, variable.name, variable.symbol)
    return device, variables


def variable_record(variable):
    """The description; a managed variable of all files has its own name, too, for their hosts."""
    shared = variable.symbol.startswith(f'"{across_files.PREFIX}')
    of_hosts = f"@{quote(variable.name)} = alias i8, ptr @{variable.symbol}"
    text = variable.info.replace("variable_info", "variable_name")
    size = ir_text.size_of(variable.type)
    return "\n".join(
        [
            "",
            ir_text.string_constant("@" + text, variable.name),
            f"@{variable.info} = hidden constant {{ ptr, i64, ptr, i32 }} "
            f"{{ ptr @{variable.symbol}, i64 {size}, ptr @{text}, i32 {variable.kind} }}",
            of_hosts if shared and variable.kind == MANAGED else "",
            "",
        ]
    )


def shadow_of(host, variable):
    """The host variable that stands for a device variable; a managed one *is* the variable."""
    pattern = re.compile(
        rf'^@"?{re.escape(variable.name)}"? = [^\n]*global [^\n]* undef[^\n]*\n', re.M
    )
    match = pattern.search(host)
    if not match:
        return host, "null"
    if variable.kind == MANAGED:
        host = host[: match.start()] + host[match.end() :]
        host = ir_text.rename(host, variable.name, variable.symbol)
        return host + f"\n@{variable.symbol} = external hidden global i8\n", "null"
    line = match[0].replace(" undef", " zeroinitializer", 1)
    return host[: match.start()] + line + host[match.end() :], f"@{quote(variable.name)}"
