"""What a compiler has to be told to find the modules that `swift build` made."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "debug"


def flags():
    """Folders of modules, and the maps and headers of those in C."""
    found = [f"-I{BUILD / 'Modules'}"]
    for name, folder in {p.parent.parent.name: p.parent for p in ROOT.glob("Sources/*/include/*.h")}.items():
        maps = list((BUILD / f"{name}.build").glob("*.modulemap"))
        found += ["-Xcc", f"-fmodule-map-file={maps[0]}"] if maps else []
        found += ["-Xcc", f"-I{folder}"]
    return found
