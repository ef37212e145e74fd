"""The pages of docs/ as articles of a DocC catalogue: what GitHub shows by relative links, DocC has by names."""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/open-leap/open-leap/blob/main"
# Images that tutorials name, beside those that pages name by their paths.
IMAGES = {
    "tutorial-terminal.svg": "docs/terminal/chat-40-light.svg",
    "tutorial-terminal~dark.svg": "docs/terminal/chat-40-dark.svg",
    "page-voice-playing.png": "docs/page/voice-playing.png",
    "number.png": "Sources/LeapVisionDemoModel/Resources/number.png",
    "chart.png": "Sources/LeapVisionDemoModel/Resources/chart.png",
}
LINK = re.compile(r"(!?)\[((?:[^\]\[`]|`[^`]*`|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def article_name(path):
    """The name of a page of docs/ in the catalogue: `Leaving/MLX.md` is LeavingMLX, and an index has its folder's name."""
    parts = list(path.relative_to(ROOT / "docs").with_suffix("").parts)
    return "".join(part for part in parts if part != "README")


def pages():
    """The pages that become articles, by name; the index of docs/ is not one, as the landing page stands in its place."""
    found = [path for path in sorted((ROOT / "docs").rglob("*.md")) if ".docc" not in str(path) and path.parent.name != "terminal"]
    return {article_name(path): path for path in found if article_name(path)}


def slug(heading):
    """A heading's anchor as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def fragment(heading):
    """A heading's anchor as DocC makes it."""
    return re.sub(r"-+", "-", re.sub(r"['\"`’“”]", "", heading.strip()).replace(" ", "-"))


def headings(path):
    """Anchors of a page as GitHub makes them, each with that of DocC."""
    plain = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    return {slug(line): fragment(line) for line in re.findall(r"^#{1,6} (.*)$", plain, flags=re.M)}


def article(path, names, images):
    """A page's text with DocC's links; the images that it shows are put into a table, name to path."""

    def link(match):
        image, text, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        relative, _, anchor = target.partition("#")
        file = (path.parent / relative).resolve() if relative else path
        if not file.exists():
            sys.exit(f"{path}: {target} leads nowhere")
        if file.suffix in (".png", ".svg", ".jpg") and (image or file in names.values()):
            name = "-".join(file.relative_to(ROOT).parts[1:])
            images[name] = file
            return f"![{text}]({name})"
        where = f"#{headings(file)[anchor]}" if anchor and file.suffix == ".md" else ""
        if file in names.values():
            return f"[{text}](doc:{article_name(file)}{where})"
        if file.parent.suffix == ".docc" and file.suffix == ".md":
            module = file.parent.stem
            # DocC knows the pages of other archives, not their headings.
            return f"[{text}](doc:/{module}{'' if file.stem == module else '/' + file.stem})"
        return f"[{text}]({REPOSITORY}/{file.relative_to(ROOT)}{'#' + anchor if anchor else ''})"

    # Fenced blocks stay as they are.
    parts = re.split(r"(^```.*?^```$)", path.read_text(), flags=re.S | re.M)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def catalogue(folder):
    """Makes the catalogue of the landing page, the tutorials and the pages of docs/."""
    shutil.copytree(ROOT / "docs" / "OpenLeap.docc", folder)
    names, images = pages(), {name: ROOT / path for name, path in IMAGES.items()}
    for name, path in names.items():
        (folder / f"{name}.md").write_text(article(path, names, images))
    (folder / "Resources").mkdir(exist_ok=True)
    for name, path in images.items():
        shutil.copyfile(path, folder / "Resources" / name)
    return folder
