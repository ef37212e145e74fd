"""Memory of two apps and tokens per second, with the model service and without.

    swift build -c release --product leap-service-probe
    python3 Benchmarks/service/measure.py .build/release/leap-service-probe MODEL.gguf

Linux only: the memory is that of /proc/PID/smaps_rollup, in MiB, after each app has generated 32 tokens. Pss divides pages that several processes
have mapped among them, so that a sum of it counts every page once.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile

PROBE, MODEL = sys.argv[1], os.path.abspath(sys.argv[2])


def memory(process):
    figures = {}
    with open(f"/proc/{process.pid}/smaps_rollup") as lines:
        for line in lines:
            words = line.split()
            if len(words) == 3 and words[0].endswith(":"):
                figures[words[0][:-1]] = int(words[1]) / 1024
    return figures


def show(name, processes):
    total = 0
    for label, process in processes:
        figures = memory(process)
        total += figures["Pss"]
        private = figures["Private_Clean"] + figures["Private_Dirty"]
        print(f"{name}: {label}: Pss {figures['Pss']:.1f}, private {private:.1f}, "
              f"of these written {figures['Private_Dirty']:.1f}")
    print(f"{name}: Pss together {total:.1f}", flush=True)


def hold(socket, model):
    app = subprocess.Popen([PROBE, "hold", socket, model, "32"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = app.stdout.readline()
    assert line.startswith("held"), line
    return app


def apps(name, socket, models, others=()):
    running = [hold(socket, model) for model in models]
    show(name, [(f"app {index + 1}", app) for index, app in enumerate(running)] + list(others))
    for app in running:
        app.stdin.close()
        app.wait()


def main():
    folder = tempfile.mkdtemp(prefix="leap-")
    try:
        apps("in the apps, one file", folder + "/none", [MODEL, MODEL])
        copy = shutil.copy(MODEL, folder + "/copy.gguf")
        apps("in the apps, a file each", folder + "/none", [MODEL, copy])
        os.remove(copy)
        service = subprocess.Popen([PROBE, "serve", folder + "/s"], stdout=subprocess.PIPE, text=True)
        try:
            service.stdout.readline()
            apps("in the service", folder + "/s", [MODEL, MODEL], [("service", service)])
            lines = subprocess.run(
                [PROBE, "measure", folder + "/s", MODEL, "64", "2048"], capture_output=True, text=True, check=True).stdout
            speeds = {"service": [], "local": []}
            for line in lines.splitlines():
                words = line.split()
                speeds[words[0]].append(float(words[3]))
            for name, values in speeds.items():
                print(f"{name}: median {statistics.median(values):.1f} tokens/s, best {max(values):.1f}")
        finally:
            service.kill()
    finally:
        shutil.rmtree(folder)


main()
