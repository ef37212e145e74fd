#!/usr/bin/env python3
"""Compare chat templates: every template with every conversation, here and in transformers, byte for byte.

    Scripts/compare-templates.py TEMPLATES CONVERSATIONS [--leap ".build/release/leap render -"] [--verbose]
    Scripts/compare-templates.py TEMPLATES CONVERSATIONS --batch ".build/release/leap-template-tool batch"

TEMPLATES is a folder of .jinja files (or one file), CONVERSATIONS a folder of JSON files as in
Tests/LeapTemplateTests/Conversations. A case counts as equal when both sides print the same bytes, or when both refuse.
Needs Python with transformers and jinja2. Third-party templates and their renderings are not part of this repository.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
from transformers.utils.chat_template_utils import render_jinja_template  # noqa: E402

TOKENS = {"bos_token": "<|bos|>", "eos_token": "<|eos|>"}


def conversations(path):
    for file in sorted(pathlib.Path(path).glob("*.json")):
        yield file.stem, json.loads(file.read_text(encoding="utf-8"))


def templates(path):
    path = pathlib.Path(path)
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".jinja", ".jinja2", ".j2"))
    for file in files:
        yield file.stem, file.read_bytes().decode("utf-8")


def variables(conversation):
    return {**TOKENS, **conversation.get("extra", {})}


def with_transformers(template, conversation):
    """What `apply_chat_template` does with a conversation; None where it raises."""
    messages = [{k: v for k, v in m.items() if v is not None} for m in conversation["messages"]]
    try:
        rendered, _ = render_jinja_template(
            conversations=[messages],
            tools=conversation.get("tools"),
            documents=conversation.get("documents"),
            chat_template=template,
            add_generation_prompt=conversation.get("add_generation_prompt", True),
            **variables(conversation),
        )
        return rendered[0].encode("utf-8"), None
    except Exception as error:  # noqa: BLE001 - a template may raise anything
        return None, f"{type(error).__name__}: {error}"


def with_leap(command, folder, template, conversation):
    """What the command-line tool prints; None where it fails."""
    arguments = [*command]

    def file(option, name, content):
        path = folder / name
        path.write_bytes(content.encode("utf-8"))
        arguments.extend([option, str(path)])

    file("--messages", "messages.json", json.dumps(conversation["messages"]))
    file("--chat-template", "template.jinja", template)
    if "tools" in conversation:
        file("--tools", "tools.json", json.dumps(conversation["tools"]))
    if not conversation.get("add_generation_prompt", True):
        arguments.append("--no-generation-prompt")
    values = variables(conversation)
    if "documents" in conversation:
        values["documents"] = conversation["documents"]
    for name, value in values.items():
        arguments.extend(["--set", f"{name}={json.dumps(value)}"])
    result = subprocess.run(arguments, capture_output=True)
    if result.returncode < 0:
        return None, f"CRASHED with signal {-result.returncode}"
    return (result.stdout, None) if result.returncode == 0 else (None, result.stderr.decode("utf-8", "replace").strip())


def in_batch(command, cases):
    """What the development tool prints for all cases at once."""
    lines = []
    for template, conversation in cases:
        lines.append(json.dumps({**conversation, "template": template, "extra": variables(conversation)}))
    result = subprocess.run(command, input="\n".join(lines).encode("utf-8"), stdout=subprocess.PIPE)
    answers = [json.loads(line) for line in result.stdout.decode("utf-8").split("\n") if line]
    if len(answers) != len(cases):
        sys.exit(f"the tool answered {len(answers)} of {len(cases)} cases and ended with {result.returncode}")
    return [(a["text"].encode("utf-8"), None) if "text" in a else (None, a["error"]) for a in answers]


def show(name, expected, found):
    print(f"DIFFERENT {name}")
    for label, (text, error) in (("transformers", expected), ("leap", found)):
        print(f"  {label}: {error if text is None else f'{len(text)} bytes'}")
    if expected[0] is not None and found[0] is not None:
        at = next((i for i, (a, b) in enumerate(zip(expected[0], found[0])) if a != b), min(map(len, (expected[0], found[0]))))
        print(f"  first difference at byte {at}:")
        print(f"    transformers: {expected[0][max(0, at - 60):at + 60]!r}")
        print(f"    leap:         {found[0][max(0, at - 60):at + 60]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("templates")
    parser.add_argument("conversations")
    parser.add_argument("--leap", default=".build/release/leap render -", help="the command, one call per case")
    parser.add_argument("--batch", help="the development tool, one call for all cases")
    parser.add_argument("--verbose", action="store_true", help="one line per template")
    options = parser.parse_args()

    cases = [
        (f"{t}/{c}", template, conversation)
        for t, template in templates(options.templates)
        for c, conversation in conversations(options.conversations)
    ]
    if not cases:
        sys.exit("no templates or no conversations found")
    if options.batch:
        found = in_batch(shlex.split(options.batch), [(t, c) for _, t, c in cases])
    else:
        with tempfile.TemporaryDirectory() as folder:
            command = shlex.split(options.leap)
            found = [with_leap(command, pathlib.Path(folder), t, c) for _, t, c in cases]

    equal = rendered = 0
    counts = {}
    for (name, template, conversation), ours in zip(cases, found):
        expected = with_transformers(template, conversation)
        same = expected[0] == ours[0] and not (ours[1] or "").startswith("CRASHED")
        equal += same
        rendered += same and expected[0] is not None
        key = name.split("/")[0]
        good, total = counts.get(key, (0, 0))
        counts[key] = (good + same, total + 1)
        if not same:
            show(name, expected, ours)
    if options.verbose:
        for key, (good, total) in counts.items():
            print(f"{good}/{total} {key}")
    print(f"{len(counts)} templates, {equal} of {len(cases)} cases equal ({rendered} rendered, {equal - rendered} refused by both)")
    return 0 if equal == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
