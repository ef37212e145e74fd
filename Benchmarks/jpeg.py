#!/usr/bin/env python3
"""JPEG files of 12 megapixels beside Pillow's libjpeg-turbo: least processor time of alternating runs, one row for each file.

    python Benchmarks/jpeg.py [--runs 5 --probe .build/release/leap-vision-probe] [FILE...]

Needs pillow and numpy. Without files it makes pictures of noise with as much of each size of detail as photographs have, and less of
it: quality 90 without noise of single pixels, quality 88 with some.
"""
import argparse, io, subprocess, sys, tempfile, time
import numpy as np
from PIL import Image, features

WIDTH, HEIGHT = 4000, 3000
# Of a file in a process, of which the fastest counts.
READS = 3


def noise(source):
    """Noise of every size, the larger the stronger."""
    total = np.zeros((HEIGHT, WIDTH), np.float32)
    for size in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        rows, columns = -(-HEIGHT // size) + 1, -(-WIDTH // size) + 1
        small = Image.fromarray(source.normal(0, 1, (rows, columns)).astype(np.float32))
        total += np.asarray(small.resize((columns * size, rows * size), Image.BICUBIC))[:HEIGHT, :WIDTH] * size**0.6
    return total / total.std()


def pictures(folder):
    source = np.random.default_rng(3)
    light = noise(source)
    pixels = np.stack([128 + 50 * light + 12 * noise(source) for _ in range(3)], -1)
    for quality, grain in ((90, 0), (88, 6)):
        picture = Image.fromarray((pixels + source.normal(0, grain, pixels.shape)).clip(0, 255).astype("uint8"))
        for name, sampling in (("4:4:4", 0), ("4:2:0", 2)):
            path = f"{folder}/{name.replace(':', '')}-{quality}.jpg"
            picture.save(path, quality=quality, subsampling=sampling)
            yield f"{name}, quality {quality}", path


def pillow(path):
    data = open(path, "rb").read()
    times = []
    for _ in range(READS):
        start = time.process_time()
        Image.open(io.BytesIO(data)).load()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def run(*command):
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main():
    p = argparse.ArgumentParser(); p.add_argument("files", nargs="*"); p.add_argument("--runs", type=int, default=5)
    p.add_argument("--probe", default=".build/release/leap-vision-probe"); p.add_argument("--pillow"); a = p.parse_args()
    if a.pillow:
        print(pillow(a.pillow))
        return
    print(f"ours : libjpeg-turbo {features.version('libjpeg_turbo')}, milliseconds of processor time, least of {a.runs} alternating runs")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in [(f, f) for f in a.files] or pictures(folder):
            ours, theirs = [], []
            for _ in range(a.runs):
                # Each in a process of its own: how much memory it has already makes a difference.
                ours.append(run(a.probe, "time", str(READS), path))
                theirs.append(run(sys.executable, __file__, "--pillow", path))
            print(f"{name}: {min(ours):.0f} : {min(theirs):.0f} = {min(ours) / min(theirs):.2f}")


main()
