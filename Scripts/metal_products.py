"""Makes one text of the products of all tensor types in Metal's language, of which slangc writes one text for each kernel and type.

A text consists of declarations. Those that are the same for all types stand once; others stand between `#if LEAP_TYPE == …` and `#endif`, so
that a device which compiles the text for a type sees what slangc wrote for it. Only names differ: those of local variables count anew in
each function, a type's own functions begin with `Block_`, and what differs between the kernels of a type ends with the kernel's role.
"""
import heapq
import re

# The numbers that GGUF files have for the types.
NUMBERS = {
    "F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q2_K": 10, "Q3_K": 11, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14,
    "IQ4_NL": 20, "IQ4_XS": 23, "BF16": 30, "MXFP4": 39,
}
NUMBERED = re.compile(r"\b([A-Za-z]\w*?_|_S)(\d+)\b")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def declarations(text):
    """The declarations of a text as (name, lines); of a line that declares nothing, the line itself."""
    found, lines, depth = [], [], 0
    for line in text.split("\n")[:-1]:
        lines.append(line)
        depth += line.count("{") - line.count("}")
        if depth == 0 and (line.endswith(("}", "};", ";", ">")) or line.startswith("#")):
            first = lines[0]
            match = (re.match(r"struct (\w+)", first) or re.match(r"constant .*?\b(\w+) (?:\[\[|=)", first)
                     or re.match(r"constant .*?\b(\w+)(?: ?\[|;|$)", first) or re.match(r"[^(]*?(\w+)\(", first))
            found.append((match.group(1) if match and not first.startswith(("#", "using")) else "\n".join(lines), "\n".join(lines)))
            lines = []
    if lines:
        raise SystemExit(f"a declaration has no end: {lines[0]}")
    return found


def with_local_names(found):
    """Declarations whose local variables count from 0 in each function."""
    fixed = {name for name, _ in found}
    for _, body in found:
        if body.startswith("struct "):
            fixed |= set(re.findall(r"\b(\w+);", body))
    renamed = []
    for name, body in found:
        names, counts = {}, {}

        def local(match):
            whole, base = match.group(0), match.group(1)
            if whole in fixed:
                return whole
            if whole not in names:
                names[whole] = f"{base}v{counts.get(base, 0)}"
                counts[base] = counts.get(base, 0) + 1
            return names[whole]

        renamed.append((name, body if body.startswith(("struct ", "constant ", "#")) else NUMBERED.sub(local, body)))
    return renamed


def in_order(variants):
    """The declarations of several lists, each (name, body) once, what is used before what uses it: [((name, body), labels)].

    variants: the lists by label, each in an order that compiles."""
    labels, rank, needs, users = {}, {}, {}, {}
    for label, found in variants.items():
        place = -1
        known = {}
        for one in found:
            known[one[0]] = one
            if one not in labels:
                labels[one], needs[one], users[one] = [], set(), set()
                place += 1e-6
                rank[one] = place
            place = max(place, rank[one])
            labels[one].append(label)
            for word in set(WORD.findall(one[1])):
                if word in known and known[word] != one:
                    needs[one].add(known[word])
                    users[known[word]].add(one)
        for position, one in enumerate(found):
            rank[one] = max(rank[one], position)
    waiting = {one: len(needs[one]) for one in labels}
    ready = [(rank[one], number, one) for number, one in enumerate(labels) if not waiting[one]]
    numbers = {one: number for number, one in enumerate(labels)}
    heapq.heapify(ready)
    ordered, last = [], None
    while ready:
        # What is of the same types as the one before goes on, so that there are few conditions.
        same = [item for item in ready if labels[item[2]] == last]
        item = min(same) if same else ready[0]
        ready.remove(item)
        heapq.heapify(ready)
        one = item[2]
        last = labels[one]
        ordered.append((one, labels[one]))
        for user in users[one]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, (rank[user], numbers[user], user))
    return ordered


def merged(texts, blocks):
    """One text of those kernels of a module that there are for each type, and the function and the type of each: "" and {} without any.

    texts: slangc's text of each entry point; blocks: the source that declares the types."""
    types = re.findall(r"public struct (\w+) : IBlock", blocks)
    if set(types) != set(NUMBERS):
        raise SystemExit(f"the numbers of types are of {', '.join(NUMBERS)}, and there are {', '.join(types)}")
    kernels = {}
    for entry in texts:
        for one in types:
            if entry.endswith(f"_{one.lower()}"):
                kernels[entry] = (entry[:-len(one) - 1], one)
    roles = list(dict.fromkeys(role for role, _ in kernels.values()))
    kernels = {entry: kernel for entry, kernel in kernels.items() if all(f"{kernel[0]}_{one.lower()}" in texts for one in types)}
    if not kernels:
        return "", {}
    found = {}
    for entry, (role, one) in kernels.items():
        text = re.sub(rf"\b{one}_(?=\w+_\d+\b)", "Block_", texts[entry])
        text = re.sub(rf"\b{entry}\(", f"{role}_product(", text)
        found[role, one] = with_local_names(declarations(text))
    # What has one name and differs between the kernels of a type gets a name for each.
    while True:
        differing = set()
        for one in types:
            bodies = {}
            for role in roles:
                for name, body in found[role, one]:
                    if bodies.setdefault(name, body) != body:
                        differing.add(name)
        if not differing:
            break
        for key, list_ in found.items():
            pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(differing)))})\b")
            found[key] = [(f"{name}_{key[0]}" if name in differing else name, pattern.sub(rf"\1_{key[0]}", body)) for name, body in list_]
    whole = {one: [item for item, _ in in_order({role: found[role, one] for role in roles})] for one in types}
    lines, open_ = [], None
    for (_, body), labels in in_order(whole):
        if labels != open_:
            if open_ is not None and len(open_) < len(types):
                lines.append("#endif")
            if len(labels) < len(types):
                lines.append("#if " + " || ".join(f"LEAP_TYPE == {NUMBERS[one]}" for one in labels))
            open_ = labels
        lines.append(body)
    if len(open_) < len(types):
        lines.append("#endif")
    return "\n".join(lines) + "\n", {entry: (f"{role}_product", NUMBERS[one]) for entry, (role, one) in kernels.items()}
