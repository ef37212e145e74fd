#!/usr/bin/env python3
"""Makes the sound files of LeapAudioTests: FLAC by the program flac (1.4 or later), MP3 and Ogg by libsndfile (the package soundfile).

The samples are those that `FixtureAudio` in the tests makes: a triangle wave with noise, and for each channel its own.
usage: make-sound-files.py [FOLDER]
"""
import pathlib
import subprocess
import sys

import numpy
import soundfile

FILES = {
    # name: rate, channels, bits, samples of a channel, lower bits that are zero, options of flac
    "mono-16": (16_000, 1, 16, 3000, 0, ["-8"]),
    "stereo-16": (44_100, 2, 16, 5000, 0, ["-5"]),
    "stereo-24": (48_000, 2, 24, 2000, 0, ["-8", "-p", "-b", "1000"]),
    "short-8": (8000, 1, 8, 1000, 0, ["-0", "-b", "16"]),
    "wasted-16": (22_050, 1, 16, 1500, 3, ["-5", "-b", "192"]),
    "six-16": (48_000, 6, 16, 700, 0, ["-5"]),
    "mono-32": (96_000, 1, 32, 1200, 0, ["-8"]),
}


def sound(count, channels, bits, wasted=0):
    state, rows, loud = 1, [], 1 << (bits - 2)
    for index in range(count):
        row = []
        for channel in range(channels):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            phase = (index + 7 * channel) % 50
            wave = (min(phase, 50 - phase) * 4 - 50) * loud >> 6
            noise = (state >> 33) % ((loud >> 5) + 1) - (loud >> 6)
            row.append((wave + noise) >> wasted << wasted)
        rows.append(row)
    return rows


def flac(path, rate, channels, bits, count, wasted, options):
    raw = b"".join(value.to_bytes(bits // 8, "little", signed=True) for row in sound(count, channels, bits, wasted) for value in row)
    subprocess.run(
        ["flac", "--silent", "--force", "--no-padding", "--lax", "--force-raw-format", "--endian=little", "--sign=signed",
         f"--channels={channels}", f"--bps={bits}", f"--sample-rate={rate}", *options, "-o", path, "-"], input=raw, check=True)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (rate, channels, bits, count, wasted, options) in FILES.items():
        flac(folder / f"{name}.flac", rate, channels, bits, count, wasted, options)
    samples = numpy.array(sound(24_000, 1, 16), dtype=numpy.int16)
    soundfile.write(folder / "tone.mp3", samples, 24_000, format="MP3")
    soundfile.write(folder / "tone-vorbis.ogg", samples, 24_000, format="OGG", subtype="VORBIS")
    soundfile.write(folder / "tone-opus.ogg", samples, 24_000, format="OGG", subtype="OPUS")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "Tests/LeapAudioTests/Fixtures")
