#!/usr/bin/env python3
"""Time rendering of chat templates here and in CPython's Jinja2 (as transformers sets it up), template by template.

    swift build -c release --product leap-template-tool
    Benchmarks/bench_templates.py TEMPLATES [--tool .build/release/leap-template-tool]

Both sides compile once and render the same conversation many times; the least time of many short runs counts, so that
other work on the machine matters little. Needs Python with transformers and jinja2.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time
import warnings

warnings.filterwarnings("ignore")
from transformers.utils import chat_template_utils  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONVERSATIONS = ROOT / "Tests" / "LeapTemplateTests" / "Conversations"
TOKENS = {"bos_token": "<|bos|>", "eos_token": "<|eos|>"}


def python_time(template, conversation):
    """The least time of one rendering, in microseconds, the context being ready."""
    compiled = chat_template_utils._compile_jinja_template(template)
    messages = [{k: v for k, v in m.items() if v is not None} for m in conversation["messages"]]
    context = {
        **TOKENS, "messages": messages, "tools": conversation.get("tools"), "documents": None,
        "add_generation_prompt": True, **conversation.get("extra", {}),
    }
    compiled.render(**context)
    best = float("inf")
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(10):
            compiled.render(**context)
        best = min(best, (time.perf_counter() - start) / 10)
    return best * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("templates")
    parser.add_argument("--tool", default=str(ROOT / ".build" / "release" / "leap-template-tool"))
    options = parser.parse_args()
    # Many turns, tools with nested schemas, calls and results; the first conversation a template accepts is used.
    names = ["10-parallel-tool-calls", "07-several-tools-nested", "03-multi-turn", "01-user"]
    conversations = [json.loads((CONVERSATIONS / f"{name}.json").read_text(encoding="utf-8")) for name in names]
    ratios = []
    print(f"{'template':60} {'Jinja2 µs':>10} {'Leap µs':>10} {'ratio':>7}")
    for path in sorted(pathlib.Path(options.templates).rglob("*.jinja")):
        template = path.read_bytes().decode("utf-8")
        for conversation in conversations:
            try:
                theirs = python_time(template, conversation)
            except Exception:  # noqa: BLE001 - the template refuses the conversation
                continue
            case = {**conversation, "template": template, "extra": {**TOKENS, **conversation.get("extra", {})}}
            out = subprocess.run([options.tool, "bench"], input=json.dumps(case).encode(), stdout=subprocess.PIPE)
            answer = json.loads(out.stdout)
            if "microseconds" not in answer:
                sys.exit(f"{path.name}: {answer}")
            ratios.append(theirs / answer["microseconds"])
            print(f"{path.stem[:60]:60} {theirs:10.1f} {answer['microseconds']:10.1f} {ratios[-1]:6.1f}×", flush=True)
            break
    ratios.sort()
    print(f"{len(ratios)} templates: {ratios[0]:.1f}× to {ratios[-1]:.1f}×, median {ratios[len(ratios) // 2]:.1f}×")


if __name__ == "__main__":
    main()
