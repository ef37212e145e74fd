"""How often the decision demo models are right about what they have not seen, and how reliable their probabilities are.

    python measure.py MODEL.pt [--count 400]                          fits temperatures to the part `fit`, measures on the part `test`
    python measure.py MODEL.pt --file MODEL.gguf --leap FOLDER        the same with the file and this package's engine: leap and leap-tools in FOLDER

Writes the temperatures as JSON to MODEL.pt.json. ECE: ten bins of the largest probability. Needs torch, tokenizers, jinja2.
"""
import argparse, json, math, os, subprocess, tempfile

import torch

import model as parts, prompts, world


# Tensors of prompts --------------------------------------------------------------------------------------------------

def branches(written, state, asked):
    """The tokens with which the prompts of all questions begin, what follows for each, their labels, answers and places of options."""
    made = [written.labelled(state, q) for q in asked]
    shared = min(len(t) for t, *_ in made) - 1
    for tokens, *_ in made:
        same = 0
        while same < shared and tokens[same] == made[0][0][same]: same += 1
        shared = same
    # Options are never shared, as where all questions are the same one.
    shared = min([shared] + [p for *_, places in made for p in places])
    ends = [[p - shared for p in places] for *_, places in made]
    return made[0][0][:shared], [t[shared:] for t, *_ in made], [g for _, g, _ in made], [q["answer"] for q in asked], ends


def label_tensors(batch):
    before, width = max(len(s) for s, *_ in batch), max(len(b) for _, all, *_ in batch for b in all)
    count = max(len(all) for _, all, *_ in batch)
    states, rows = torch.zeros(len(batch), before, dtype=torch.long), torch.zeros(len(batch), count, width, dtype=torch.long)
    ends, groups, answers, places = [], [], [], []
    for i, (state, all, labels, right, marks) in enumerate(batch):
        states[i, before - len(state):] = torch.tensor(state)
        for j, tokens in enumerate(all): rows[i, j, :len(tokens)] = torch.tensor(tokens)
        ends += [len(t) - 1 for t in all]; groups += labels; answers += right; places += marks
    options, spellings = max(len(g) for g in groups), max(len(x) for g in groups for x in g)
    table = torch.full((len(groups), options, spellings), -1)
    for i, group in enumerate(groups):
        for j, tokens in enumerate(group): table[i, j, :len(tokens)] = torch.tensor(tokens)
    marks = torch.full((len(groups), options), -1)
    for i, found in enumerate(places): marks[i, :len(found)] = torch.tensor(found, dtype=torch.long)
    return states, torch.tensor([len(s) for s, *_ in batch]), rows, torch.tensor(ends), table, torch.tensor(answers), marks


def mask_tensors(batch):
    longest, options = max(len(t) for t, *_ in batch), max(len(m) for _, m, *_ in batch)
    tokens, masks = torch.zeros(len(batch), longest, dtype=torch.long), torch.full((len(batch), options), -1)
    for i, (ids, places, *_) in enumerate(batch):
        tokens[i, :len(ids)] = torch.tensor(ids); masks[i, :len(places)] = torch.tensor(places)
    return tokens, torch.tensor([len(t) for t, *_ in batch]), torch.tensor([t for _, _, t, _ in batch]), masks, torch.tensor([x for *_, x in batch])


# Answers -------------------------------------------------------------------------------------------------------------

@torch.no_grad()
def answers(model, written, items):
    """(kind, type, scores, answer) of every question of the items."""
    found = []
    for state, asked in items:
        if isinstance(model, parts.LabelModel):
            states, lengths, rows, ends, table, *_ = label_tensors([branches(written, state, asked)])
            hidden = model(states, lengths, rows)[1][0]
            scores = model.scores(hidden[torch.arange(len(ends)), ends], table)
        else:
            batch = [(*written.masked(state, q), prompts.TYPES[q["type"]], q["answer"]) for q in asked]
            scores = model(*mask_tensors(batch)[:4])
        found += [(q["kind"], q["type"], [x for x in s.tolist() if x > -math.inf], q["answer"]) for q, s in zip(asked, scores)]
    return found


def probabilities(scores, temperature=1.0):
    most = max(scores)
    e = [math.exp((x - most) / temperature) for x in scores]
    return [x / sum(e) for x in e]


def ece(found, temperatures={}):
    bins = [[0, 0.0, 0] for _ in range(10)]
    for _, kind, scores, answer in found:
        p = probabilities(scores, temperatures.get(kind, 1.0)); best = max(range(len(p)), key=p.__getitem__)
        b = bins[min(9, int(10 * p[best]))]
        b[0] += 1; b[1] += p[best]; b[2] += best == answer
    return sum(abs(b[1] - b[2]) for b in bins) / max(1, len(found))


def loss(found, temperature):
    return -sum(math.log(max(1e-12, probabilities(s, temperature)[answer])) for *_, s, answer in found) / len(found)


def fit(found):
    """The likeliest temperature of each type, by halving intervals of its logarithm."""
    temperatures = {}
    for kind in prompts.TYPES:
        of = [x for x in found if x[1] == kind]
        low, high = math.log(0.2), math.log(8)
        for _ in range(40):
            a, b = low + (high - low) * 0.382, low + (high - low) * 0.618
            if loss(of, math.exp(a)) < loss(of, math.exp(b)): high = b
            else: low = a
        temperatures[kind] = round(math.exp((low + high) / 2), 4)
    return temperatures


def summary(found, temperatures={}):
    """Right answers by type, and the expected calibration error."""
    right = lambda of: sum(max(range(len(s)), key=s.__getitem__) == answer for *_, s, answer in of)
    text = []
    for kind in prompts.TYPES:
        of = [x for x in found if x[1] == kind]
        if of: text.append(f"{kind} {right(of)} of {len(of)} ({100 * right(of) / len(of):.1f} %)")
    return f"{'; '.join(text)}; all {100 * right(found) / len(found):.1f} %; ECE {ece(found):.4f}" + (f", with temperatures {ece(found, temperatures):.4f}" if temperatures else "")


def by_kind(found):
    kinds = {}
    for kind, _, scores, answer in found:
        right, count = kinds.get(kind, (0, 0))
        kinds[kind] = (right + (max(range(len(scores)), key=scores.__getitem__) == answer), count + 1)
    return "\n".join(f"  {kind}: {right} of {count}" for kind, (right, count) in sorted(kinds.items()))


# The engine ----------------------------------------------------------------------------------------------------------

def engine(file, folder, items):
    """The same with `leap batch` and the file, whose temperatures are left out: logarithms of probabilities are scores."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "in.jsonl"), "w") as lines:
            for i, (state, asked) in enumerate(items):
                questions = {f"q{j}": {k: v for k, v in q.items() if k not in ("kind", "answer")} for j, q in enumerate(asked)}
                lines.write(json.dumps({"custom_id": str(i), "method": "POST", "url": "/v1/systemone", "body": {"state": state, "questions": questions, "temperature": 1}}) + "\n")
        subprocess.run([os.path.join(folder, "leap"), "batch", os.path.join(place, "in.jsonl"), os.path.join(place, "out.jsonl"), "--model", file], check=True)
        replies = {}
        for line in open(os.path.join(place, "out.jsonl")):
            reply = json.loads(line)
            replies[int(reply["custom_id"])] = reply["response"]["body"]["answers"]
    for i, (_, asked) in enumerate(items):
        for j, q in enumerate(asked):
            answer = replies[i][f"q{j}"]
            p = [answer["noul"], 1 - answer["noul"]] if q["type"] == "noul" else list(answer["probabilities"].values())
            found.append((q["kind"], q["type"], [math.log(max(1e-12, x)) for x in p], q["answer"]))
    return found


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("model"); ap.add_argument("--count", type=int, default=400); ap.add_argument("--questions", type=int, default=3)
    ap.add_argument("--file"); ap.add_argument("--leap")
    a = ap.parse_args()
    torch.set_num_threads(1)
    saved = torch.load(a.model, weights_only=False)
    written = prompts.Prompts(prompts.Tokenizer.from_str(saved["tokenizer"]))
    model = (parts.LabelModel if saved["kind"] == "labels" else parts.MaskModel)(prompts.VOCABULARY)
    model.load_state_dict(saved["weights"]); model.eval()
    test = list(world.items(9, "test", a.count, a.questions))
    if not a.file:
        temperatures = fit(answers(model, written, list(world.items(9, "fit", a.count, a.questions))))
        json.dump(temperatures, open(a.model + ".json", "w"))
        found = answers(model, written, test)
        print("temperatures", temperatures); print(summary(found, temperatures)); print(by_kind(found))
    else:
        temperatures = json.load(open(a.model + ".json"))
        found, theirs = engine(a.file, a.leap, test), answers(model, written, test)
        print("engine:", summary(found, temperatures)); print("torch:", summary(theirs, temperatures)); print(by_kind(found))
        best = lambda s: max(range(len(s)), key=s.__getitem__)
        distance = [max(abs(x - y) for x, y in zip(probabilities(s), probabilities(t))) for (_, _, s, _), (_, _, t, _) in zip(found, theirs)]
        print(f"the same answer: {sum(best(x[2]) == best(y[2]) for x, y in zip(found, theirs))} of {len(found)}; "
              f"probabilities differ by {sum(distance) / len(distance):.5f} on average, {max(distance):.4f} at most")
