"""Runs PyPI's llm-comply, a suite of conformance that others wrote, against leap-server: OpenAI's chat completions and responses, Anthropic's messages.

    python comply.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import json
import pathlib
import subprocess
import sys

from support import check, server

# A request without a model is for the first that the server was started with, not an error.
BY_DESIGN = {"chat-error-handling", "error-handling"}


def main():
    suite = pathlib.Path(sys.executable).with_name("llm-comply")
    with server(sys.argv[1], "demo-vision") as (address, _):
        for protocol in ("openai-chat", "open-responses", "anthropic"):
            outcome = subprocess.run(
                [suite, "run", "-u", address + "/v1", "-k", "none", "-m", "demo-vision", "--format", protocol, "--timeout", "300", "--json"],
                stdout=subprocess.PIPE, text=True)
            results = json.loads(outcome.stdout)["results"]
            failed = [(result["id"], result.get("errors")) for result in results if result["status"] == "failed" and result["id"] not in BY_DESIGN]
            passed = sum(result["status"] == "passed" for result in results)
            print(f"  {protocol}: {passed} of {len(results)} pass, {sum(result['status'] == 'skipped' for result in results)} are skipped")
            check(f"comply: {protocol}", not failed and passed >= 7, failed)


main()
