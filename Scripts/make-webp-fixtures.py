"""Writes the WebP files of LeapVisionTests from PNG files beside them; needs Pillow with WebP."""

from pathlib import Path

from PIL import Image

folder = Path(__file__).parent.parent / "Tests/LeapVisionTests/Fixtures"
colour = Image.open(folder / "17x9-RGB.png").convert("RGB")
clear = Image.open(folder / "17x9-RGBA.png")
colour.save(folder / "17x9-lossless.webp", lossless=True, method=6)
clear.save(folder / "17x9-clear.webp", lossless=True, exact=True, method=6)
colour.save(folder / "17x9-lossy.webp", quality=95, method=6)
colour.save(
    folder / "17x9-moving.webp", save_all=True, append_images=[colour.rotate(180)], duration=100, lossless=True
)
