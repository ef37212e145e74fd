"""Fuzzes leap-server with Schemathesis, by the OpenAPI document that it publishes.

    python fuzz.py PATH-OF-LEAP-SERVER [EXAMPLES [SEED]]

Every answer has to be as documented, none may be 5xx, and requests that break the schema have to be refused. That requests which fit the schema
are accepted is not asked for: a prompt may be too long, a grammar none, a picture nothing that the model reads.
"""

import pathlib
import subprocess
import sys

from support import check, metric, server, wait_for


def main():
    program = sys.argv[1]
    examples, seed = sys.argv[2:3] or ["10"], sys.argv[3:4] or ["1"]
    fuzzer = pathlib.Path(sys.executable).with_name("schemathesis")
    # A short context, so that replies are short; nothing is fetched from elsewhere.
    with server(program, "--context", "256", "--no-pull", "--no-page") as (address, process):
        outcome = subprocess.run(
            [fuzzer, "run", address + "/openapi.json", "--seed", *seed, "--max-examples", *examples, "--workers", "1",
             "--phases", "coverage,fuzzing", "--exclude-checks", "positive_data_acceptance", "--continue-on-failure",
             "--warnings", "off", "--request-timeout", "120", "--output-truncate", "false"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=pathlib.Path(program).resolve().parent)
        if outcome.returncode:
            print(outcome.stdout)
        for line in outcome.stdout.splitlines():
            if "generated" in line or "Tested:" in line:
                print(" ", line.strip())
        check("fuzz: every answer is as the document says", outcome.returncode == 0)
        check("fuzz: the server is still running", process.poll() is None and wait_for(lambda: metric(address, "leap_http_requests_active") == 1))


if __name__ == "__main__":
    main()
