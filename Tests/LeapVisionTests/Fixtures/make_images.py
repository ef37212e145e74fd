"""Makes the image files of these tests, and what Pillow (libjpeg-turbo, libpng) and transformers make of them.

Needs cjpeg (libjpeg-turbo), pillow, numpy, torch, torchvision and transformers. usage: make_images.py [FOLDER]

images.json: for each file its size and the CRC-32 of its pixels in red, green and blue, with transparent parts over white and Exif's
orientation applied. parts.json: the CRC-32 of each part that transformers' Lfm2VlImageProcessor cuts a picture into, before it is
normalised. layouts.json: the CRC-32 of lines "columns rows width height tokens" for sizes that both sides draw from the same numbers.
"""
import json
import os
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image, ImageOps

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(20)


def picture(width, height, mode="RGB"):
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 120 * np.sin(x / 7 + y / 11), 127 + 120 * np.sin(x / 5 - y / 3), (3 * x + 5 * y) % 256]
    pixels = np.stack(planes, -1) + random.normal(0, 20, (height, width, 3))
    for _ in range(3):
        left, top = random.integers(0, width), random.integers(0, height)
        pixels[top : top + height // 2 + 1, left : left + width // 2 + 1] = random.integers(0, 256, 3)
    return Image.fromarray(pixels.clip(0, 255).astype("uint8")).convert(mode)


def save(image, name, **options):
    image.save(f"{FOLDER}/{name}", **options)


def jpeg(image, name, *options):
    """With libjpeg-turbo's own program, which knows more samplings than Pillow."""
    image.save("/tmp/picture.ppm")
    with open(f"{FOLDER}/{name}", "wb") as file:
        subprocess.run(["cjpeg", *options, "/tmp/picture.ppm"], stdout=file, check=True)


def make():
    for width, height in [(1, 1), (2, 3), (17, 9), (33, 40)]:
        size = f"{width}x{height}"
        for sampling, name in [("1x1", "444"), ("2x1", "422"), ("2x2", "420"), ("1x2", "440"), ("4x1", "411"), ("4x2", "410"),
                               ("1x1,2x2", "reversed"), ("2x2,1x2,2x1", "mixed")]:
            for progressive in (False, True):
                jpeg(picture(width, height), f"{size}-{name}{'-progressive' if progressive else ''}.jpg", "-quality", "60",
                     "-sample", sampling, *(["-progressive"] if progressive else []), *([] if name == "444" else ["-restart", "3B"]))
        jpeg(picture(width, height), f"{size}-rgb.jpg", "-rgb")
        save(picture(width, height, "L"), f"{size}-grey.jpg", quality=80)
        save(picture(width, height, "L"), f"{size}-grey-progressive.jpg", quality=80, progressive=True)
        save(picture(width, height, "CMYK"), f"{size}-cmyk.jpg", quality=80)
        rgb, grey = picture(width, height), picture(width, height, "L")
        for mode in ("RGB", "L", "1"):
            save(picture(width, height, mode), f"{size}-{mode}.png")
        rgba, faded = rgb.copy(), grey.copy()
        rgba.putalpha(picture(width, height, "L"))
        faded.putalpha(picture(width, height, "L"))
        save(rgba, f"{size}-RGBA.png")
        save(faded, f"{size}-LA.png")
        save(rgb, f"{size}-RGB-clear.png", transparency=rgb.getpixel((0, 0)))
        save(grey, f"{size}-L-clear.png", transparency=grey.getpixel((0, 0)))
        for bits in (1, 2, 4, 8):
            save(picture(width, height).quantize(2**bits), f"{size}-palette{bits}.png", bits=bits)
        save(picture(width, height).quantize(64), f"{size}-palette-clear.png",
             transparency=bytes(random.integers(0, 256, 64, dtype="uint8")))
        save(Image.fromarray(random.integers(0, 65536, (height, width), dtype="uint16")), f"{size}-L16.png")
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[274] = orientation
        save(picture(17, 9), f"exif{orientation}.jpg", quality=85, exif=exif)
    for depth, colour in [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (2, 3), (8, 2), (16, 2), (16, 4), (8, 6), (16, 6)]:
        interlaced(f"interlaced-{colour}-{depth}.png", 13, 11, depth, colour)


def interlaced(name, width, height, depth, colour):
    """Pillow writes no interlaced files and none with 16 bits of colour, so these are put together by hand."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    samples = random.integers(0, 1 << depth, (height, width, channels))
    data = b""
    for left, top, right, down in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]:
        part = samples[top::down, left::right]
        if part.size == 0:
            continue
        for row in part:
            bits = "".join(format(int(value), f"0{depth}b") for value in row.reshape(-1))
            bits += "0" * (-len(bits) % 8)
            data += b"\0" + bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))

    def chunk(kind, body):
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([depth, colour, 0, 0, 1])
    palette = chunk(b"PLTE", bytes(random.integers(0, 256, 3 << depth, dtype="uint8"))) if colour == 3 else b""
    with open(f"{FOLDER}/{name}", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + palette)
        middle = len(data) // 2
        packed = zlib.compress(data, 9)
        file.write(chunk(b"IDAT", packed[: len(packed) // 2]) + chunk(b"IDAT", packed[len(packed) // 2 :]) + chunk(b"IEND", b""))


def pixels(name):
    image = ImageOps.exif_transpose(Image.open(f"{FOLDER}/{name}"))
    if image.mode.startswith("I"):
        high = (np.asarray(image).astype("uint32") >> 8).astype("uint8")
        return np.stack([high] * 3, -1)
    if "A" in image.getbands() or image.info.get("transparency") is not None:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, (255, 255, 255, 255)), image)
    return np.asarray(image.convert("RGB"))


def references():
    files = {}
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith((".jpg", ".png")):
            array = pixels(name)
            files[name] = dict(width=array.shape[1], height=array.shape[0], checksum=zlib.crc32(array.tobytes()))
    json.dump(files, open(f"{FOLDER}/images.json", "w"), indent=0)


def numbers(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


def pattern(width, height):
    """The same picture in Swift: no file is needed for it."""
    y, x = np.mgrid[0:height, 0:width].astype("int64")
    return np.stack([x * y // 7 % 256, (x * 3 + y * y) % 256, (x // 9 * 50 + y // 5 * 70) % 256], -1).astype("uint8")


def preprocessing():
    from transformers.models.lfm2_vl.image_processing_lfm2_vl import Lfm2VlImageProcessor

    processor = Lfm2VlImageProcessor()
    source = numbers(7)
    checksums = []
    for _ in range(20):
        lines = ""
        for index in range(600):
            limit = (4000, 300, 30000)[index % 3]
            width, height = 1 + next(source) % limit, 1 + next(source) % (limit if limit < 30000 else 64)
            if index % 2:
                width, height = height, width
            low, high, splits = ((64, 256, 1), (32, 64, 1), (1, 512, 0), (16, 128, 1))[index % 4]
            new_width, new_height = processor.smart_resize(height, width, 2, low, high, 16)
            columns = rows = 1
            if splits and processor._is_image_too_large(height, width, high, 16, 2, 2.0):
                columns, rows, *_ = processor._get_grid_layout(height, width, 2, 10, 512)
            tokens = new_width // 32 * (new_height // 32) + (256 * columns * rows if columns * rows > 1 else 0)
            lines += f"{columns} {rows} {new_width} {new_height} {tokens}\n"
        checksums.append(zlib.crc32(lines.encode()))
    json.dump(checksums, open(f"{FOLDER}/layouts.json", "w"))

    parts = {}
    for width, height in [(64, 64), (200, 300), (31, 1000), (1, 1), (800, 600), (1030, 771), (1400, 360)]:
        result = processor(images=[Image.fromarray(pattern(width, height))], return_tensors="pt")
        sums = []
        for values, (rows, columns) in zip(result["pixel_values"], result["spatial_shapes"].tolist()):
            grid = values[: rows * columns].reshape(rows, columns, 16, 16, 3).permute(0, 2, 1, 3, 4)
            grid = (grid.reshape(rows * 16, columns * 16, 3) * 0.5 + 0.5) * 255
            sums.append(zlib.crc32(np.rint(grid.numpy()).astype("uint8").tobytes()))
        parts[f"{width}x{height}"] = sums
    json.dump(parts, open(f"{FOLDER}/parts.json", "w"), indent=0)


def squares():
    """layouts-squares.json and parts-squares.json: the same of Idefics3's preprocessing, lines "columns rows tokens"."""
    import torch
    from transformers.models.idefics3 import image_processing_idefics3 as module

    source = numbers(8)
    checksums = []
    kinds = [(512, 2048, 16, 4), (364, 1456, 14, 2), (384, 1536, 14, 3), (512, 1500, 16, 4), (100, 5000, 16, 3), (512, 512, 16, 4)]
    for _ in range(20):
        lines = ""
        for index in range(600):
            limit = (4000, 300, 30000)[index % 3]
            width, height = 1 + next(source) % limit, 1 + next(source) % (limit if limit < 30000 else 64)
            if index % 2:
                width, height = height, width
            side, longest, patch, scale = kinds[next(source) % len(kinds)]
            # The class's own steps on images without pixels: its count of patches leaves out one of them.
            processor = module.Idefics3ImageProcessor(size={"longest_edge": longest}, max_image_size={"longest_edge": side})
            sizes = []
            processor_resize = module.TorchvisionBackend.resize
            module.TorchvisionBackend.resize = lambda self, image, size, **_: sizes.append(size) or torch.empty(
                1, 1, size.height, size.width, device="meta")
            image = processor.resize(torch.empty(1, 1, height, width, device="meta"), module.SizeDict(longest_edge=longest))
            image = processor.resize_for_vision_encoder(image, side)
            frames, rows, columns = processor.split_images(image, {"longest_edge": side})
            module.TorchvisionBackend.resize = processor_resize
            tokens = frames.shape[1] * (side // patch // scale) ** 2
            lines += f"{columns[0]} {rows[0]} {sizes[0].width} {sizes[0].height} {tokens}\n"
        checksums.append(zlib.crc32(lines.encode()))
    json.dump(checksums, open(f"{FOLDER}/layouts-squares.json", "w"))

    parts = {}
    for side, longest, splits in [(64, 256, True), (64, 256, False), (60, 200, True), (128, 128, True)]:
        processor = module.Idefics3ImageProcessor(size={"longest_edge": longest}, max_image_size={"longest_edge": side})
        for width, height in [(64, 64), (200, 300), (31, 1000), (1, 1), (800, 600), (400, 7)]:
            image = torch.from_numpy(pattern(width, height)).permute(2, 0, 1)
            frames = processor(images=[image], do_image_splitting=splits, return_tensors="pt")["pixel_values"][0]
            frames = np.rint(((frames * 0.5 + 0.5) * 255).permute(0, 2, 3, 1).numpy()).astype("uint8")
            parts[f"{side} {longest} {int(splits)} {width} {height}"] = [zlib.crc32(frame.tobytes()) for frame in frames]
    json.dump(parts, open(f"{FOLDER}/parts-squares.json", "w"), indent=0)


def whole():
    """layouts-whole.json and parts-whole.json: the same of Qwen3-VL's preprocessing, lines "width height", "-" for sizes that it refuses."""
    import torch
    from transformers.models.qwen2_vl import image_processing_qwen2_vl as module

    source = numbers(9)
    kinds = [(32, 65536, 1 << 20), (32, 65536, 1 << 24), (28, 3136, 1 << 20), (64, 4096, 200_000)]
    checksums = []
    for _ in range(20):
        lines = ""
        for index in range(600):
            limit = (4000, 300, 30000)[index % 3]
            width, height = 1 + next(source) % limit, 1 + next(source) % (limit if limit < 30000 else 640)
            if index % 2:
                width, height = height, width
            unit, low, high = kinds[index % 4]
            if max(width, height) > 200 * min(width, height):
                lines += "-\n"
                continue
            new_height, new_width = module.smart_resize(height, width, unit, low, high)
            lines += f"{new_width} {new_height}\n"
        checksums.append(zlib.crc32(lines.encode()))
    json.dump(checksums, open(f"{FOLDER}/layouts-whole.json", "w"))

    parts = {}
    processor = module.Qwen2VLImageProcessor(patch_size=16, merge_size=2, image_mean=[0.5] * 3, image_std=[0.5] * 3,
                                             size={"shortest_edge": 65536, "longest_edge": 1 << 18})
    for width, height in [(64, 64), (200, 300), (31, 1000), (1, 1), (800, 600), (1030, 771), (256, 256), (90, 7)]:
        image = torch.from_numpy(pattern(width, height)).permute(2, 0, 1)
        result = processor(images=[image], return_tensors="pt")
        _, rows, columns = result["image_grid_thw"][0].tolist()
        # Squares of four patches, each with its colours and two frames.
        grid = result["pixel_values"].reshape(rows // 2, columns // 2, 2, 2, 3, 2, 16, 16)[:, :, :, :, :, 0]
        grid = grid.permute(0, 2, 5, 1, 3, 6, 4).reshape(rows * 16, columns * 16, 3)
        pixels = np.rint(((grid * 0.5 + 0.5) * 255).numpy()).astype("uint8")
        parts[f"{width}x{height}"] = [columns * 16, rows * 16, zlib.crc32(pixels.tobytes())]
    json.dump(parts, open(f"{FOLDER}/parts-whole.json", "w"), indent=0)


def filled():
    """layouts-filled.json and parts-filled.json: the same of Gemma 4's preprocessing, lines "width height", "-" for sizes that it refuses."""
    import torch
    from transformers.models.gemma4 import image_processing_gemma4 as module

    source = numbers(10)
    checksums = []
    for _ in range(20):
        lines = ""
        for index in range(600):
            limit = (4000, 300, 30000)[index % 3]
            width, height = 1 + next(source) % limit, 1 + next(source) % (limit if limit < 30000 else 640)
            if index % 2:
                width, height = height, width
            tokens = (70, 140, 280, 1120)[index % 4]
            try:
                new_height, new_width = module.get_aspect_ratio_preserving_size(height, width, 16, tokens * 9, 3)
                lines += f"{new_width} {new_height}\n"
            except ValueError:
                lines += "-\n"
        checksums.append(zlib.crc32(lines.encode()))
    json.dump(checksums, open(f"{FOLDER}/layouts-filled.json", "w"))

    parts = {}
    processor = module.Gemma4ImageProcessor(max_soft_tokens=70)
    for width, height in [(64, 64), (200, 300), (31, 1000), (1, 1), (800, 600), (1030, 771), (384, 384), (90, 7)]:
        image = torch.from_numpy(pattern(width, height)).permute(2, 0, 1)
        result = processor(images=[image], return_tensors="pt")
        places = result["image_position_ids"][0]
        columns, rows = (places.max(0).values + 1).tolist()
        grid = result["pixel_values"][0][: rows * columns].reshape(rows, columns, 16, 16, 3).permute(0, 2, 1, 3, 4)
        pixels = np.rint((grid.reshape(rows * 16, columns * 16, 3) * 255).numpy()).astype("uint8")
        parts[f"{width}x{height}"] = [columns * 16, rows * 16, zlib.crc32(pixels.tobytes())]
    json.dump(parts, open(f"{FOLDER}/parts-filled.json", "w"), indent=0)


if __name__ == "__main__":
    make()
    references()
    preprocessing()
    squares()
    whole()
    filled()
