"""The world of the vision demo model: synthetic pictures, and questions about them with their right answers.

    python world.py FOLDER [--seed N] [--count N] [--small] [--questions N]      # writes PNG files, and their questions to questions.json

A picture shows up to six shapes, a number of one or two digits, or a bar chart. All of it is drawn here from formulas: no fonts, no photographs.
"""
import argparse, json, math, os, random, struct, zlib

import numpy as np

COLORS = {"red": (214, 42, 42), "orange": (243, 140, 24), "yellow": (240, 221, 44), "green": (44, 160, 66), "blue": (44, 86, 216),
          "purple": (134, 54, 170), "black": (24, 24, 24), "white": (246, 246, 246)}
SHAPES = ["circle", "ring", "square", "triangle", "star", "cross"]
PLACES = ["top left", "top", "top right", "left", "center", "right", "bottom left", "bottom", "bottom right"]
COLOR_NAMES = list(COLORS)
# What a token's square of the picture can show: nothing, a shape, a digit, a bar.
CLASSES = 1 + len(SHAPES) + 10 + 1

# ---- drawing ----

_noise = np.random.default_rng(20240).standard_normal((1024, 1024)).astype(np.float32)


def tint(r, name):
    light = r.uniform(0.88, 1.06)
    return np.array([min(255, max(0, c * light + r.uniform(-14, 14))) for c in COLORS[name]], np.float32)


def backdrop(r, width, height, used):
    """A plain colour of little saturation, with a gradient and noise; far enough from the colours drawn on it."""
    while True:
        level = r.uniform(30, 250)
        base = np.array([level + r.uniform(-16, 16) for _ in range(3)], np.float32)
        if all(np.linalg.norm(base - np.array(COLORS[c], np.float32)) > 105 for c in used):
            break
    across = np.linspace(-1, 1, width, dtype=np.float32) * r.uniform(-14, 14)
    down = np.linspace(-1, 1, height, dtype=np.float32) * r.uniform(-14, 14)
    return base + (down[:, None] + across[None, :])[:, :, None]


def add_noise(r, image):
    height, width, _ = image.shape
    strength = r.choice([0, 2, 5, 9])
    if strength:
        for channel in range(3):
            y, x = r.randrange(1024 - height), r.randrange(1024 - width)
            image[:, :, channel] += strength * _noise[y:y + height, x:x + width]
    return np.clip(image + 0.5, 0, 255).astype(np.uint8)


def window(cx, cy, reach, width, height):
    x0, x1 = max(0, int(cx - reach - 2)), min(width, int(cx + reach + 3))
    y0, y1 = max(0, int(cy - reach - 2)), min(height, int(cy + reach + 3))
    x = np.arange(x0, x1, dtype=np.float32)[None, :] + 0.5 - cx
    y = np.arange(y0, y1, dtype=np.float32)[:, None] + 0.5 - cy
    return (slice(y0, y1), slice(x0, x1)), x, y


def shape_distance(shape, x, y, size):
    """Pixels to the outline of a shape around the origin, negative inside."""
    if shape == "circle":
        return np.sqrt(x * x + y * y) - size
    if shape == "ring":
        return np.abs(np.sqrt(x * x + y * y) - 0.74 * size) - 0.26 * size
    if shape == "square":
        return np.maximum(np.abs(x), np.abs(y)) - 0.86 * size
    if shape == "cross":
        a, b = np.abs(x), np.abs(y)
        return np.minimum(np.maximum(a - size, b - 0.3 * size), np.maximum(a - 0.3 * size, b - size))
    if shape == "triangle":
        y = y - 0.12 * size
        slope = math.sqrt(3) / 2
        return np.maximum(y - 0.62 * size, slope * np.abs(x) - 0.5 * y - 0.62 * size)
    # A star: one of its ten alike halves of points, by folding the plane.
    radius, angle = np.sqrt(x * x + y * y), np.arctan2(x, -y)
    fold = np.abs((angle + math.pi / 5) % (2 * math.pi / 5) - math.pi / 5)
    px, py = radius * np.cos(fold), radius * np.sin(fold)
    outer, inner = 1.08 * size, 0.47 * size
    ix, iy = inner * math.cos(math.pi / 5), inner * math.sin(math.pi / 5)
    nx, ny = iy, outer - ix
    length = math.hypot(nx, ny)
    return ((px - outer) * nx + py * ny) / length


def paint(image, place, distance, color):
    cover = np.clip(0.5 - distance, 0, 1)[:, :, None]
    image[place] += cover * (color - image[place])


def arc(cx, cy, rx, ry, start, end, count=9):
    """Points of an ellipse's arc; angles in turns, clockwise from the right."""
    return [(cx + rx * math.cos(2 * math.pi * (start + (end - start) * i / count)),
             cy + ry * math.sin(2 * math.pi * (start + (end - start) * i / count))) for i in range(count + 1)]


def glyph(r, digit):
    """Lines of a digit in a box of 1 by 1.6, in one of two styles."""
    if r.random() < 0.3:
        top, middle, bottom = [(0, 0), (1, 0)], [(0, 0.8), (1, 0.8)], [(0, 1.6), (1, 1.6)]
        upper_left, upper_right = [(0, 0), (0, 0.8)], [(1, 0), (1, 0.8)]
        lower_left, lower_right = [(0, 0.8), (0, 1.6)], [(1, 0.8), (1, 1.6)]
        return {0: [top, bottom, upper_left, upper_right, lower_left, lower_right], 1: [upper_right, lower_right],
                2: [top, upper_right, middle, lower_left, bottom], 3: [top, upper_right, middle, lower_right, bottom],
                4: [upper_left, middle, upper_right, lower_right], 5: [top, upper_left, middle, lower_right, bottom],
                6: [top, upper_left, middle, lower_left, lower_right, bottom], 7: [top, upper_right, lower_right],
                8: [top, middle, bottom, upper_left, upper_right, lower_left, lower_right],
                9: [top, upper_left, upper_right, middle, lower_right, bottom]}[digit]
    w = r.uniform(-0.06, 0.06)
    return {0: [arc(0.5, 0.8, 0.5, 0.8, 0, 1, 16)],
            1: [[(0.2, 0.35 + w), (0.6, 0), (0.6, 1.6)]] + ([[(0.25, 1.6), (0.95, 1.6)]] if r.random() < 0.4 else []),
            2: [arc(0.5, 0.45, 0.47, 0.45, -0.5, 0.08) + [(0.02, 1.6), (1, 1.6)]],
            3: [arc(0.45, 0.41, 0.45, 0.41, -0.45, 0.25), arc(0.45, 1.21, 0.52, 0.39, -0.25, 0.45)],
            4: [[(0.72, 1.6), (0.72, 0), (0, 1.08 + w), (1, 1.08 + w)]],
            5: [[(0.92, 0), (0.14, 0), (0.08, 0.72)] + arc(0.46, 1.1, 0.5, 0.5, -0.36, 0.4)],
            6: [[(0.78, 0), (0.25, 0.66)] + arc(0.5, 1.12, 0.48, 0.48, 0.55, 1.55, 14)],
            7: [[(0, 0), (1, 0), (0.36 + w, 1.6)]] + ([[(0.25, 0.85), (0.85, 0.85)]] if r.random() < 0.3 else []),
            8: [arc(0.5, 0.39, 0.4, 0.39, 0, 1, 12), arc(0.5, 1.19, 0.49, 0.41, 0, 1, 12)],
            9: [arc(0.5, 0.48, 0.48, 0.48, 0.05, 1.05, 14) + [(0.62, 1.6)]]}[digit]


def line_distance(x, y, lines):
    nearest = None
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:]):
            dx, dy = bx - ax, by - ay
            t = np.clip(((x - ax) * dx + (y - ay) * dy) / max(1e-6, dx * dx + dy * dy), 0, 1)
            d = (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2
            nearest = d if nearest is None else np.minimum(nearest, d)
    return np.sqrt(nearest)


# ---- scenes ----


class Scene:
    """What a picture shows: `kind` is shapes, number or chart."""

    def __init__(self, kind, **facts):
        self.kind = kind
        self.__dict__.update(facts)


def sample_scene(r, shapes=0.5, number=0.25):
    """A scene; `shapes` and `number` are the shares of these kinds, charts are the rest."""
    pick = r.random()
    if pick < shapes:
        count = r.choice([1, 1, 2, 2, 3, 3, 4, 4, 5, 6])
        shapes = r.sample(SHAPES, r.randint(1, len(SHAPES)))
        colors = r.sample(COLOR_NAMES, r.randint(1, len(COLOR_NAMES)))
        if r.random() < 0.5:
            shapes, colors = SHAPES, COLOR_NAMES
        cells = sorted(r.sample(range(9), count))
        return Scene("shapes", objects=[(cell, r.choice(shapes), r.choice(colors)) for cell in cells])
    if pick < shapes + number:
        return Scene("number", number=r.randrange(10) if r.random() < 0.3 else r.randrange(10, 100), color=r.choice(COLOR_NAMES))
    count = r.randint(2, 5)
    return Scene("chart", bars=list(zip(r.sample(COLOR_NAMES, count), (r.randint(1, 9) for _ in range(count)))))


def draw(r, scene, width, height):
    """-> picture (height, width, 3) of bytes, and a map of what is where: 0 or 1 + the number of the object, digit or bar."""
    where = np.zeros((height, width), np.uint8)
    if scene.kind == "shapes":
        image = backdrop(r, width, height, {color for _, _, color in scene.objects})
        for index, (cell, shape, color) in enumerate(scene.objects):
            cw, ch = width / 3, height / 3
            side = min(cw, ch)
            size = side * r.uniform(0.25, 0.40)
            cx = (cell % 3 + 0.5) * cw + r.uniform(-0.1, 0.1) * cw
            cy = (cell // 3 + 0.5) * ch + r.uniform(-0.1, 0.1) * ch
            place, x, y = window(cx, cy, 1.25 * size, width, height)
            turn = math.radians(r.uniform(-18, 18))
            c, s = math.cos(turn), math.sin(turn)
            distance = shape_distance(shape, c * x + s * y, c * y - s * x, size)
            paint(image, place, distance, tint(r, color))
            where[place][distance < 0.2 * size] = 1 + index
    elif scene.kind == "number":
        image = backdrop(r, width, height, {scene.color})
        digits = [int(c) for c in str(scene.number)]
        slant = r.uniform(-0.16, 0.16)
        unit = min(height * r.uniform(0.26, 0.46), width * r.uniform(0.24, 0.36) if len(digits) == 2 else width * 0.46)
        gap = unit * r.uniform(0.35, 0.6)
        tall = 1.6 * unit
        wide = len(digits) * unit + (len(digits) - 1) * gap
        thick = unit * r.uniform(0.07, 0.15)
        margin = 0.04 * unit + thick + 2
        lean = margin + 0.8 * abs(slant) * unit
        left = r.uniform(lean, width - wide - lean) if width > wide + 2 * lean else (width - wide) / 2
        top = r.uniform(margin, max(margin, height - tall - margin))
        color = tint(r, scene.color)
        for index, digit in enumerate(digits):
            ox, oy = left + index * (unit + gap), top + r.uniform(-0.04, 0.04) * unit
            lines = [[(ox + unit * (px + slant * (0.8 - py)) + r.uniform(-0.012, 0.012) * unit, oy + unit * py) for px, py in line]
                     for line in glyph(r, digit)]
            place, x, y = window(ox + unit / 2, oy + tall / 2, 0.5 * tall + thick, width, height)
            x, y = x + ox + unit / 2, y + oy + tall / 2
            paint(image, place, line_distance(x, y, lines) - thick, color)
            box = (slice(max(0, int(oy)), int(oy + tall)), slice(max(0, int(ox)), int(ox + unit)))
            where[box] = 1 + index
    else:
        used = {color for color, _ in scene.bars}
        image = backdrop(r, width, height, used)
        dark = image.mean() < 118
        ink = np.array([225, 225, 225] if dark else [55, 55, 55], np.float32)
        left, right = width * r.uniform(0.06, 0.16), width * r.uniform(0.88, 0.97)
        top, bottom = height * r.uniform(0.04, 0.12), height * r.uniform(0.88, 0.95)
        step = (bottom - top) / 10
        x = np.arange(width, dtype=np.float32)[None, :] + 0.5
        y = np.arange(height, dtype=np.float32)[:, None] + 0.5

        def box(x0, y0, x1, y1):
            return np.maximum(np.maximum(x0 - x, x - x1), np.maximum(y0 - y, y - y1))

        def fill(x0, y0, x1, y1, color, strength=1.0):
            sy, sx = slice(max(0, int(y0) - 1), int(y1) + 2), slice(max(0, int(x0) - 1), int(x1) + 2)
            distance = np.maximum(np.maximum(x0 - x[:, sx], x[:, sx] - x1), np.maximum(y0 - y[sy], y[sy] - y1))
            cover = np.clip(0.5 - distance, 0, 1)[:, :, None] * strength
            image[sy, sx] += cover * (color - image[sy, sx])

        faint = r.uniform(0.16, 0.4)
        for line in range(1, 11):
            fill(left, bottom - line * step - 0.6, right, bottom - line * step + 0.6, ink, min(1, 2.2 * faint) if line % 5 == 0 else faint)
        slot = (right - left) / len(scene.bars)
        share = r.uniform(0.5, 0.8)
        for index, (color, value) in enumerate(scene.bars):
            x0 = left + slot * (index + 0.5 - share / 2)
            fill(x0, bottom - value * step, x0 + slot * share, bottom, tint(r, color))
            where[int(bottom - value * step):int(bottom), int(x0):int(x0 + slot * share)] = 1 + index
        line = r.uniform(0.9, 1.8)
        fill(left - line, top, left + line, bottom + line, ink)
        fill(left - line, bottom - line, right, bottom + line, ink)
    return add_noise(r, image), where


# ---- questions ----


def a(words):
    return ("an " if words[0] in "aeiou" else "a ") + words


def sentence(words):
    return words[0].upper() + words[1:] + "."


def plural(shape):
    return shape + "es" if shape.endswith("s") else shape + "s"


def listing(items):
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


KINDS_OF_PICTURES = {"shapes": "Shapes.", "number": "A number.", "chart": "A bar chart."}


def questions(r, scene):
    """A few questions of every kind that fits the scene: (kind, question, answer)."""
    out = [("picture", r.choice(["What kind of picture is this?", "What does the picture show?"]), KINDS_OF_PICTURES[scene.kind])]
    describe = r.choice(["What is in the picture?", "Describe the picture."])
    as_json = r.choice(["Describe the picture as JSON.", "Give the facts about the picture as JSON."])
    if scene.kind == "shapes":
        objects = scene.objects
        shapes, colors = [s for _, s, _ in objects], [c for _, _, c in objects]
        name = lambda o: f"{o[2]} {o[1]}"
        if len(objects) == 1:
            cell, shape, color = objects[0]
            out.append(("shape", r.choice(["What shape is this?", "Which shape is it?"]), sentence(a(shape))))
            out.append(("color", r.choice(["What color is it?", f"What color is the {shape}?"]), sentence(color)))
            out.append(("json", as_json, json.dumps({"shape": shape, "color": color, "position": PLACES[cell]})))
        for cell, shape, color in r.sample(objects, min(3, len(objects))):
            if colors.count(color) == 1:
                out.append(("shape", r.choice([f"What shape is the {color} object?", f"Which shape is {color}?"]), sentence(a(shape))))
            if shapes.count(shape) == 1:
                out.append(("color", r.choice([f"What color is the {shape}?", f"Which color does the {shape} have?"]), sentence(color)))
                out.append(("position", f"Where is the {shape}?", sentence(PLACES[cell])))
            elif sum(o[1:] == (shape, color) for o in objects) == 1:
                out.append(("position", f"Where is the {color} {shape}?", sentence(PLACES[cell])))
            out.append(("position", f"What is at the {PLACES[cell]}?", sentence(a(f"{color} {shape}"))))
        empty = [c for c in range(9) if c not in [o[0] for o in objects]]
        if r.random() < 0.35:
            out.append(("position", f"What is at the {PLACES[r.choice(empty)]}?", "Nothing."))
        out.append(("count", r.choice(["How many shapes are there?", "How many objects are in the picture?"]), f"{len(objects)}."))
        shape = r.choice(shapes) if r.random() < 0.8 else r.choice(SHAPES)
        out.append(("count", f"How many {plural(shape)} are there?", f"{shapes.count(shape)}."))
        color = r.choice(colors) if r.random() < 0.8 else r.choice(COLOR_NAMES)
        out.append(("count", f"How many {color} objects are there?", f"{colors.count(color)}."))
        for _ in range(2):
            yes = r.random() < 0.5
            kind = r.randrange(3)
            if kind == 0:
                pool = [s for s in SHAPES if (s in shapes) == yes]
                if pool: out.append(("yes or no", f"Is there {a(r.choice(pool))}?", "Yes." if yes else "No."))
            elif kind == 1:
                pool = [c for c in COLOR_NAMES if (c in colors) == yes]
                if pool: out.append(("yes or no", f"Is there a {r.choice(pool)} object?".replace("a orange", "an orange"), "Yes." if yes else "No."))
            else:
                pairs = {(s, c) for _, s, c in objects}
                if yes: s, c = r.choice(sorted(pairs))
                else:
                    s, c = r.choice(sorted(pairs))                 # half of the object is there: the other half has to be looked at
                    while (s, c) in pairs: s, c = (s, r.choice(COLOR_NAMES)) if r.random() < 0.5 else (r.choice(SHAPES), c)
                out.append(("yes or no", f"Is there {a(c + ' ' + s)}?", "Yes." if yes else "No."))
        if len(objects) <= 3:
            out.append(("description", describe, sentence(listing([a(name(o)) for o in objects]))))
    elif scene.kind == "number":
        ask = ["What number is this?", "Which number is shown?", "Read the number."]
        out += [("number", q, f"{scene.number}.") for q in r.sample(ask, 2)]
        out.append(("color", "What color is the number?", sentence(scene.color)))
        out.append(("count", "How many digits does the number have?", f"{len(str(scene.number))}."))
        out.append(("description", describe, f"The number {scene.number} in {scene.color}."))
        out.append(("json", as_json, json.dumps({"number": scene.number, "color": scene.color})))
    else:
        bars = scene.bars
        values = [v for _, v in bars]
        out.append(("count", r.choice(["How many bars are there?", "How many bars does the chart have?"]), f"{len(bars)}."))
        tallest = [c for c, v in bars if v == max(values)]
        shortest = [c for c, v in bars if v == min(values)]
        if len(tallest) == 1: out.append(("highest bar", r.choice(["Which bar is the tallest?", "Which bar is the highest?"]), f"The {tallest[0]} bar."))
        if len(shortest) == 1: out.append(("highest bar", r.choice(["Which bar is the shortest?", "Which bar is the lowest?"]), f"The {shortest[0]} bar."))
        for color, value in r.sample(bars, min(3, len(bars))):
            out.append(("bar's value", r.choice([f"How high is the {color} bar?", f"What is the value of the {color} bar?"]), f"{value}."))
        for _ in range(2):
            (c1, v1), (c2, v2) = r.sample(bars, 2)
            if v1 != v2: out.append(("yes or no", f"Is the {c1} bar higher than the {c2} bar?", "Yes." if v1 > v2 else "No."))
        out.append(("description", describe, f"A bar chart with {len(bars)} bars."))
        if len(tallest) == 1: out.append(("json", as_json, json.dumps({"bars": len(bars), "highest": tallest[0]})))
    return out


# ---- labels for the tower ----

HEADS = {"class": CLASSES, "color": len(COLORS), "alike": 7, "same color": 7, "count": 8, "number": 100, "value": 10, "rank": 3, "kind": 3}


def labels(scene, where, token=32):
    """What each token's square shows, per head; -1 where a head has nothing to say."""
    small = where[::4, ::4]
    side = token // 4
    rows, columns = small.shape[0] // side, small.shape[1] // side
    blocks = small.reshape(rows, side, columns, side).transpose(0, 2, 1, 3).reshape(rows * columns, side * side)
    things = scene.objects if scene.kind == "shapes" else str(scene.number) if scene.kind == "number" else scene.bars
    cover = np.stack([(blocks == 1 + i).sum(1) for i in range(len(things))], 1)
    best = cover.argmax(1)
    shown = cover.max(1) > side * side * (0.15 if scene.kind != "number" else 0.3)
    out = {head: np.full(rows * columns, -1, np.int64) for head in HEADS}
    out["class"][:] = 0
    out["count"][:] = len(things)
    out["kind"][:] = ["shapes", "number", "chart"].index(scene.kind)
    def put(head, values):
        out[head][shown] = np.array(values)[best[shown]]
    if scene.kind == "shapes":
        shapes, colors = [o[1] for o in things], [o[2] for o in things]
        put("class", [1 + SHAPES.index(s) for s in shapes])
        put("color", [COLOR_NAMES.index(c) for c in colors])
        put("alike", [shapes.count(s) for s in shapes])
        put("same color", [colors.count(c) for c in colors])
    elif scene.kind == "number":
        put("class", [1 + len(SHAPES) + int(d) for d in things])
        put("color", [COLOR_NAMES.index(scene.color)] * len(things))
        out["number"][:] = scene.number
    else:
        values = [v for _, v in things]
        put("class", [CLASSES - 1] * len(things))
        put("color", [COLOR_NAMES.index(c) for c, _ in things])
        put("value", values)
        put("rank", [1 if v == max(values) else 2 if v == min(values) else 0 for v in values])
    return out


# ---- files ----


def png(image):
    height, width, _ = image.shape
    chunk = lambda tag, data: struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    rows = b"".join(b"\0" + image[y].tobytes() for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


SIZES = [(256, 256)] * 6 + [(128, 128)] * 2 + [(320, 224), (224, 320), (288, 256), (256, 288), (160, 112), (200, 200)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder"); ap.add_argument("--seed", type=int, default=1000003); ap.add_argument("--count", type=int, default=300)
    ap.add_argument("--small", action="store_true", help="pictures of few bytes, for tests"); ap.add_argument("--questions", type=int, help="of each picture, at most")
    args = ap.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    r, out = random.Random(args.seed), []
    for index in range(args.count):
        scene = sample_scene(r)
        width, height = r.choice([(128, 128), (160, 112)] if args.small else SIZES)
        image, _ = draw(r, scene, width, height)
        name = f"{index:04}.png"
        with open(os.path.join(args.folder, name), "wb") as file: file.write(png(image))
        asked = questions(r, scene)
        if args.questions: asked = r.sample(asked, min(args.questions, len(asked)))
        for kind, question, answer in asked:
            out.append({"picture": name, "kind": kind, "question": question, "answer": answer})
    with open(os.path.join(args.folder, "questions.json"), "w") as file: json.dump(out, file, indent=0)


if __name__ == "__main__":
    main()
