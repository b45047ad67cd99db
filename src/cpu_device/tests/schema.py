"""Holds a report against report.schema.json."""


def check(value, schema, where):
    """The part of JSON Schema that report.schema.json uses."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]), where
    if "enum" in schema:
        assert value in schema["enum"], where
    if "minimum" in schema:
        assert value >= schema["minimum"], where
    for key in schema.get("required", ()):
        assert key in value, f"{where}: {key}"
    if isinstance(value, dict):
        for key, each in value.items():
            assert key in schema["properties"], f"{where}: {key}"
            check(each, schema["properties"][key], f"{where}.{key}")
    if isinstance(value, list):
        for each in value:
            check(each, schema["items"], f"{where}[]")
