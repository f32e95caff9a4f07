"""Writes the reference of the REST API from the description that the server gives of itself.

Run as  make reference  (or  python docs/reference/rest.py > docs/reference/rest.md)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# What the server says at /openapi.json; tests/server compares the two.
DESCRIPTION = Path(__file__).parents[2] / "tests" / "golden" / "openapi.json"

BEGIN = """# REST API

Written by `docs/reference/rest.py` from what the server says of itself at `/openapi.json`;
`/docs` on a running server shows the same. [Serving](../guide/serving.md) has examples.

Bodies are JSON, in UTF-8. Where the server wants a key, send it as the header `X-API-Key`, as
`Authorization: Bearer KEY`, or in the field `api_key`. A refusal is a JSON object with the field
`error`, in one sentence:

| status | what it means |
|---|---|
| 401 | The key is missing or wrong. |
| 404 | There is no such model, language pair or correction. |
| 409 | What is dictated contradicts itself or the text. |
| 413 | The request has too many bytes. |
| 415 | The body is neither JSON nor a form. |
| 422 | The request is not understood, or goes beyond a limit; the sentence says which. |
| 429 | This client has asked too often in the last minute. |
| 503 | The server is too busy, too slow, or stopping; try again. |

"""


def main() -> None:
    """Print the page."""
    description = json.loads(DESCRIPTION.read_text("utf-8"))
    print(BEGIN + "| request | |\n|---|---|")
    operations = [
        (method.upper(), path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    for method, path, operation in operations:
        print(f"| [`{method} {path}`](#{anchor(method, path)}) | {about(operation)} |")
    for method, path, operation in operations:
        print_operation(method, path, operation)
    print("\n## Objects\n")
    for name, schema in description["components"]["schemas"].items():
        print_object(name, schema)


def anchor(method: str, path: str) -> str:
    """Where the section of an operation begins, as Markdown writers make it."""
    kept = "".join(one for one in f"{method} {path}".lower() if one.isalnum() or one in " -_")
    return kept.replace(" ", "-")


def about(operation: dict[str, Any]) -> str:
    """What an operation does, in a sentence."""
    text = " ".join((operation.get("description") or operation["summary"]).split())
    return text if text.endswith(".") else f"{text}."


def print_operation(method: str, path: str, operation: dict[str, Any]) -> None:
    """A section: parameters, body, answer."""
    print(f"\n## {method} {path}\n\n{about(operation)}\n")
    if operation.get("parameters"):
        print("| parameter | in | type | default |\n|---|---|---|---|")
        for one in operation["parameters"]:
            schema = one["schema"]
            default = "required" if one["required"] else f"`{json.dumps(schema['default'])}`"
            print(f"| `{one['name']}` | {one['in']} | {kind(schema)} | {default} |")
        print()
    for form, content in operation.get("requestBody", {}).get("content", {}).items():
        print(f"Takes {kind(content['schema'])} as `{form}`.\n")
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            for form, content in answer.get("content", {}).items():
                print(f"Answers {status} with {kind(content.get('schema', {}))} as `{form}`.\n")
            if not answer.get("content"):
                print(f"Answers {status} with nothing.\n")
    refusals = [status for status in operation["responses"] if not status.startswith("2")]
    print(f"Refuses with {', '.join(refusals)}.")


def print_object(name: str, schema: dict[str, Any]) -> None:
    """A section: the fields of an object."""
    print(f"### {name}\n\n{' '.join(schema.get('description', '').split())}\n")
    print("| field | type | default | |\n|---|---|---|---|")
    required = schema.get("required", [])
    for field, one in schema.get("properties", {}).items():
        default = f"`{json.dumps(one['default'])}`" if "default" in one else ""
        default = "required" if field in required else default
        print(f"| `{field}` | {kind(one)} | {default} | {escaped(one.get('description', ''))} |")
    print()


def kind(schema: dict[str, Any]) -> str:
    """The type of a value, with its bounds."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}" if schema.get("items") else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {kind(schema['additionalProperties'])}"
    bounds = [
        f"{word} {schema[key]}"
        for key, word in (
            ("minimum", "from"),
            ("exclusiveMinimum", "above"),
            ("maximum", "to"),
            ("maxLength", "of at most"),
        )
        if key in schema
    ]
    return " ".join([schema.get("type", "anything"), *bounds])


def escaped(text: str) -> str:
    """A text that does not end a cell of a table, and is not taken for HTML."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    main()
