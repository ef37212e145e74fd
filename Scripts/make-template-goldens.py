#!/usr/bin/env python3
"""Render our own test templates with CPython's Jinja2, as transformers sets it up, and write the results as goldens.

    Scripts/make-template-goldens.py          # rewrites Tests/LeapTemplateTests/Goldens/*.golden.json

Each Goldens/*.cases.txt holds templates separated by lines of "----"; Goldens/context.json is what they are rendered
with. Goldens/chat/*.jinja are whole chat templates, rendered with every file of Conversations. A golden is either
{"text": …} or {"error": the Python exception}. Needs Python with transformers and jinja2.
"""

import datetime
import json
import pathlib
import re
import warnings

warnings.filterwarnings("ignore")
from transformers.utils import chat_template_utils  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "LeapTemplateTests" / "Goldens"


class FixedDatetime(datetime.datetime):
    """A clock that stands still at the moment the Swift tests use."""

    @classmethod
    def now(cls, tz=None):
        return cls(2025, 3, 4, 15, 6, 7)


chat_template_utils.datetime = FixedDatetime


def render(template, context):
    try:
        text = chat_template_utils._compile_jinja_template(template).render(**context)
        text.encode("utf-8")
        # Addresses differ from run to run; here all are 0.
        return {"text": re.sub(r" at 0x[0-9a-f]+", " at 0x0", text)}
    except Exception as error:  # noqa: BLE001 - a template may raise anything
        return {"error": f"{type(error).__name__}: {error}"[:160]}


def render_chat(template, conversation):
    """What `apply_chat_template` does with a conversation."""
    messages = [{k: v for k, v in m.items() if v is not None} for m in conversation["messages"]]
    try:
        rendered, _ = chat_template_utils.render_jinja_template(
            conversations=[messages],
            tools=conversation.get("tools"),
            documents=conversation.get("documents"),
            chat_template=template,
            add_generation_prompt=conversation.get("add_generation_prompt", True),
            **{"bos_token": "<s>", "eos_token": "</s>", **conversation.get("extra", {})},
        )
        return {"text": rendered[0]}
    except Exception as error:  # noqa: BLE001 - a template may raise anything
        return {"error": f"{type(error).__name__}: {error}"[:160]}


def main():
    context = json.loads((FOLDER / "context.json").read_text(encoding="utf-8"))
    for cases in sorted(FOLDER.glob("*.cases.txt")):
        text = cases.read_bytes().decode("utf-8")
        templates = [part for part in text.split("\n----\n")]
        templates[-1] = templates[-1].removesuffix("\n")
        goldens = [render(template, context) for template in templates]
        out = cases.with_name(cases.name.replace(".cases.txt", ".golden.json"))
        lines = ",\n".join(json.dumps(golden, ensure_ascii=False) for golden in goldens)
        out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        errors = sum("error" in golden for golden in goldens)
        print(f"{out.name}: {len(goldens)} cases, {errors} of them errors")
    conversations = sorted((FOLDER.parent / "Conversations").glob("*.json"))
    for path in sorted((FOLDER / "chat").glob("*.jinja")):
        template = path.read_bytes().decode("utf-8")
        goldens = {c.stem: render_chat(template, json.loads(c.read_text(encoding="utf-8"))) for c in conversations}
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in goldens.items())
        path.with_suffix(".golden.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        errors = sum("error" in golden for golden in goldens.values())
        print(f"chat/{path.name}: {len(goldens)} conversations, {errors} of them errors")


if __name__ == "__main__":
    main()
