"""Makes the GIF and BMP files of these tests, those whose orientation stands in a chunk, and what Pillow makes of them.

Needs pillow and numpy. usage: make_more_images.py [FOLDER]; adds to the images.json that make_images.py made.
"""
import json
import os
import struct
import sys
import zlib

import numpy as np
from PIL import Image, ImageOps

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(21)
made = []


def picture(width, height):
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 120 * np.sin(x / 7 + y / 11), 127 + 120 * np.sin(x / 5 - y / 3), (3 * x + 5 * y) % 256]
    pixels = np.stack(planes, -1) + random.normal(0, 20, (height, width, 3))
    return Image.fromarray(pixels.clip(0, 255).astype("uint8"))


def write(name, data):
    with open(f"{FOLDER}/{name}", "wb") as file:
        file.write(data)
    made.append(name)


def save(image, name, **options):
    image.save(f"{FOLDER}/{name}", **options)
    made.append(name)


def oriented():
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[274] = orientation
        save(picture(17, 9), f"exif{orientation}.png", exif=exif)
        picture(17, 9).save(f"{FOLDER}/exif{orientation}.webp", lossless=True, exif=exif)
        # The library's reading of it, as the pixels of a lossless file are exact.
        image = ImageOps.exif_transpose(Image.open(f"{FOLDER}/exif{orientation}.webp")).convert("RGB")
        image.save(f"{FOLDER}/exif{orientation}-webp.png")
        made.append(f"exif{orientation}-webp.png")
    # The chunk may stand behind the pixels too.
    data = open(f"{FOLDER}/exif6.png", "rb").read()
    start = data.index(b"eXIf") - 4
    end = start + 12 + int.from_bytes(data[start : start + 4], "big")
    write("exif6-late.png", data[:start] + data[end:-12] + data[start:end] + data[-12:])


def moving():
    """The first frame covers a part only, and has clear pixels."""
    canvas = [Image.new("RGBA", (20, 12), (0, 0, 0, 0)) for _ in range(2)]
    part = picture(7, 5).convert("RGBA")
    part.putpixel((2, 2), (0, 0, 0, 0))
    canvas[0].paste(part, (6, 4))
    canvas[1].paste(picture(20, 12), (0, 0))
    canvas[0].save(f"{FOLDER}/moving-part.webp", save_all=True, append_images=canvas[1:], lossless=True, duration=50)
    canvas[0].save(f"{FOLDER}/moving-lossy.webp", save_all=True, append_images=canvas[1:], quality=90, duration=50)
    white = Image.new("RGBA", (20, 12), (255, 255, 255, 255))
    Image.alpha_composite(white, canvas[0]).convert("RGB").save(f"{FOLDER}/moving-part-webp.png")
    made.append("moving-part-webp.png")


def gif():
    for width, height in [(1, 1), (17, 9), (33, 40)]:
        for bits in (1, 2, 4, 8):
            save(picture(width, height).quantize(2**bits), f"{width}x{height}-{bits}.gif", interlace=bits % 2)
        save(picture(width, height).quantize(16), f"{width}x{height}-clear.gif", transparency=3)
    # More codes than the table holds.
    save(Image.fromarray(random.integers(0, 256, (70, 90), dtype="uint8"), "L"), "noise.gif")
    save(Image.new("P", (300, 200), 5), "plain.gif")
    frames = [picture(17, 9).quantize(32) for _ in range(3)]
    save(frames[0], "moving.gif", save_all=True, append_images=frames[1:])


def bmp():
    for width, height in [(1, 1), (17, 9), (33, 40)]:
        for mode in ("1", "L", "RGB", "RGBA"):
            image = picture(width, height)
            save(image.convert(mode), f"{width}x{height}-{mode}.bmp")
        save(picture(width, height).quantize(200), f"{width}x{height}-palette.bmp")
    width, height = 19, 7

    def file(name, depth, rows, packing=0, palette=b"", header=40, masks=(), top_down=False, packed=None):
        stride = (width * depth + 31) // 32 * 4
        data = packed if packed is not None else b"".join(row + bytes(stride - len(row)) for row in rows)
        if header == 12:
            info = struct.pack("<IHHHH", 12, width, height, 1, depth)
        else:
            colours = len(palette) // 4
            info = struct.pack("<IiiHHIIiiII", header, width, -height if top_down else height, 1, depth, packing, len(data), 0, 0, colours, 0)
            extra = b"".join(struct.pack("<I", mask) for mask in masks)
            info = info + extra + bytes(max(0, header - 40 - len(extra)))
        start = 14 + len(info) + len(palette)
        write(name, struct.pack("<2sIHHI", b"BM", start + len(data), 0, 0, start) + info + palette + data)

    def values(depth, mask=None):
        numbers = random.integers(0, 1 << depth, (height, width), dtype="uint64")
        return numbers if mask is None else numbers & mask

    def whole(numbers, size):
        return [b"".join(int(value).to_bytes(size, "little") for value in row) for row in numbers]

    file("16-555.bmp", 16, whole(values(15), 2))
    file("16-565.bmp", 16, whole(values(16), 2), packing=3, masks=(0xF800, 0x7E0, 0x1F))
    file("24-top-down.bmp", 24, whole(values(24), 3), top_down=True)
    file("32-opacity.bmp", 32, whole(values(32), 4), packing=3, header=108, masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000))
    file("32-clear-byte.bmp", 32, whole(values(32), 4))
    colours = bytes(random.integers(0, 256, 4 * 16, dtype="uint8"))
    nibbles = values(4)
    rows = [bytes(int(a) << 4 | int(b) for a, b in zip(row[::2], list(row[1::2]) + [0])) for row in nibbles]
    file("palette4.bmp", 4, rows, palette=colours)
    old = bytes(random.integers(0, 256, 3 * 256, dtype="uint8"))
    file("old-header.bmp", 8, whole(values(8), 1), header=12, palette=old)
    # Runs, pixels as they are, and the ends of rows and of the picture.
    packed, packed4 = b"", b""
    for row in range(height):
        packed += bytes([5, row, 0, 3, 1, 2, 3, 0, 11, 9, 0, 0])
        packed4 += bytes([5, 0x12 + row, 0, 6, 0x12, 0x34, 0x56, 0, 8, 0x9A, 0, 0])
    grey = b"".join(bytes([value, 255 - value, value // 2, 0]) for value in range(256))
    file("runs8.bmp", 8, [], packing=1, palette=grey, packed=packed + b"\0\1")
    file("runs4.bmp", 4, [], packing=2, palette=colours, packed=packed4 + b"\0\1")


def pixels(name):
    image = ImageOps.exif_transpose(Image.open(f"{FOLDER}/{name}"))
    if "A" in image.getbands() or image.info.get("transparency") is not None:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, (255, 255, 255, 255)), image)
    return np.asarray(image.convert("RGB"))


if __name__ == "__main__":
    oriented()
    moving()
    gif()
    bmp()
    files = json.load(open(f"{FOLDER}/images.json"))
    for name in made:
        array = pixels(name)
        files[name] = dict(width=array.shape[1], height=array.shape[0], checksum=zlib.crc32(array.tobytes()))
    json.dump(dict(sorted(files.items())), open(f"{FOLDER}/images.json", "w"), indent=0)
