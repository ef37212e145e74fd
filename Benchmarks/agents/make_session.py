"""Makes the session of a coding agent that play.py plays: session.json beside this file, the same bytes each time.

    python Benchmarks/agents/make_session.py            # writes it
    python Benchmarks/agents/make_session.py --check    # compares it with the file that is there

The session has the shape of real ones, and text of our own: a system prompt of 9,000 tokens, 24 tools, 30 turns of the agent, files that grow
and are read again, two sub-agents with prompts of their own whose requests come in turns, twice, and one compaction, after which a summary
stands for the turns before it. Tokens are counted with the vocabulary that models.py writes for LFM2. Needs nothing but Python.
"""
import json, pathlib, random, sys

PATH = pathlib.Path(__file__).with_name("session.json")
SEED, SYSTEM_TOKENS, TURNS, COMPACTED = 20261201, 9000, 30, 22
# The main agent's turns after which the sub-agents run, and how many requests each of them then has.
DELEGATIONS = {3: 4, 14: 3}
VERBS = "read list find open call move copy save load send sort mark test join drop keep add run build check write parse print".split()
NOUNS = ("file path line name type case list test page item call word task step code note part form data text unit tree node edge queue cache "
         "index token table field value error option record buffer parser writer reader module").split()
JOINS = "when until unless before after because while where so that".split()


# MARK: Tokens

# Tokens of four letters are pairs of pairs in the order of the alphabet, as far as the vocabulary reaches.
FOURS = 65_536 - 5 - 256 - 26 * 26


def rank(left, right):
    """The place of a merge among all; None where there is none."""
    number = 0
    for letter in left + right:
        if not "a" <= letter <= "z":
            return None
        number = number * 26 + ord(letter) - 97
    if len(left) == len(right) == 1:
        return number
    return 676 + number if len(left) == len(right) == 2 and number < FOURS else None


def word_tokens(word, known={}):
    """The number of tokens of a word of letters."""
    if word not in known:
        parts = list(word)
        while True:
            merges = [(rank(a, b), i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if rank(a, b) is not None]
            if not merges:
                break
            _, at = min(merges)
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        known[word] = len(parts)
    return known[word]


def tokens(text):
    """The number of tokens of a text: letters by merges, each other byte by itself."""
    count, word = 0, ""
    for letter in text + "\0":
        if "a" <= letter <= "z":
            word += letter
            continue
        count += (word_tokens(word) if word else 0) + len(letter.encode())
        word = ""
    return count - 1


# MARK: Text

class Author:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, words):
        return self.random.choice(words)

    def clause(self):
        return f"{self.pick(VERBS)} the {self.pick(NOUNS)} of each {self.pick(NOUNS)}"

    def sentence(self):
        text = self.clause()
        if self.random.random() < 0.6:
            text += f" {self.pick(JOINS)} you {self.clause()}"
        return text[0].upper() + text[1:] + "."

    def text(self, count, start=""):
        """Sentences of at least so many tokens."""
        lines = [start] if start else []
        total = tokens(start)
        while total < count:
            lines.append(" ".join(self.sentence() for _ in range(self.random.randint(1, 3))))
            total += tokens(lines[-1]) + 1
        return "\n".join(lines)

    def code(self, count):
        """Lines of a program of at least so many tokens."""
        lines, total = [], 0
        while total < count:
            name, noun = self.pick(VERBS) + "_" + self.pick(NOUNS), self.pick(NOUNS)
            block = [f"def {name}({noun}, {self.pick(NOUNS)}=None):", f'    """{self.sentence()}"""']
            for _ in range(self.random.randint(2, 6)):
                block.append(f"    {self.pick(NOUNS)} = {self.pick(VERBS)}({self.pick(NOUNS)}, {self.random.randint(0, 99)})")
            block += [f"    return {noun}", ""]
            lines += block
            total += tokens("\n".join(block)) + 1
        return "\n".join(lines)

    def system(self, title, count):
        parts, section = [title], 0
        while tokens("\n\n".join(parts)) < count:
            section += 1
            rules = "\n".join("- " + self.sentence() for _ in range(self.random.randint(4, 9)))
            parts.append(f"# Part {section}: how to {self.pick(VERBS)} a {self.pick(NOUNS)}\n{rules}")
        lines = "\n\n".join(parts).split("\n")
        while tokens("\n".join(lines[:-1])) >= count:
            lines.pop()
        return "\n".join(lines)

    def tools(self, count):
        names = []
        while len(names) < count:
            name = f"{self.pick(VERBS)}_{self.pick(NOUNS)}"
            if name not in names:
                names.append(name)
        return [{"name": name, "description": self.sentence(), "parameters": {
            "type": "object", "properties": {noun: {"type": self.pick(["string", "integer", "boolean"])}
                                             for noun in self.random.sample(NOUNS, self.random.randint(2, 4))}}} for name in names]


# MARK: The session

class Session:
    def __init__(self):
        self.author = Author(SEED)
        tools = self.author.tools(24)
        self.conversations = {
            "main": {"system": self.author.system("You are an agent that works on the code of a project.", SYSTEM_TOKENS), "tools": tools},
            "search": {"system": self.author.system("You are an agent that finds places in the code.", 1200), "tools": tools[:6]},
            "review": {"system": self.author.system("You are an agent that reads changes.", 1200), "tools": tools[6:12]},
        }
        self.files = {f"src/{self.author.pick(NOUNS)}_{i}.py": self.author.code(300) for i in range(5)}
        self.requests = []

    def call(self, name):
        tool = self.author.pick(self.conversations[name]["tools"])
        return {"name": tool["name"], "arguments": {noun: self.author.pick(NOUNS) for noun in tool["parameters"]["properties"]}}

    def request(self, name, turn, added, compacted=None):
        """A request and the reply that was recorded; what is added comes before it."""
        reply = {"role": "assistant", "content": self.author.text(25), "call": self.call(name)}
        request = {"conversation": name, "turn": turn, "add": added, "reply": reply}
        if compacted:
            request["compact"] = compacted
        self.requests.append(request)

    def grown_file(self):
        """The contents of a file that has grown since it was read before."""
        path = self.author.pick(sorted(self.files))
        self.files[path] += "\n" + self.author.code(self.author.random.randint(40, 160))
        return {"role": "tool", "content": f"{path}\n{self.files[path]}"}

    def delegate(self, turn, count):
        """Both sub-agents work, and their requests come in turns."""
        names = ("search", "review")
        for step in range(count):
            for name in names:
                first = {"role": "user", "content": self.author.text(80)}
                self.request(name, turn, [first if step == 0 else self.grown_file()])

    def play(self):
        added = [{"role": "user", "content": self.author.text(150, "Here is what I want you to do.")}]
        for turn in range(1, TURNS + 1):
            compacted = None
            if turn == COMPACTED:
                compacted = self.author.text(600, "Summary of the work so far.")
            self.request("main", turn, added, compacted)
            if turn in DELEGATIONS:
                self.delegate(turn, DELEGATIONS[turn])
                added = [{"role": "tool", "content": self.author.text(200, "Both agents have ended.")}]
            elif turn % 7 == 0:
                added = [{"role": "tool", "content": self.author.text(120)}, {"role": "user", "content": self.author.text(60)}]
            else:
                added = [self.grown_file() if self.author.random.random() < 0.6 else {"role": "tool", "content": self.author.text(150)}]
        return {"seed": SEED, "conversations": self.conversations, "requests": self.requests}


def main():
    session = Session().play()
    text = json.dumps(session, indent=1, ensure_ascii=False) + "\n"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PATH.read_text() == text else f"{PATH} is not what this script makes: run it without --check")
    PATH.write_text(text)
    main = session["conversations"]["main"]
    print(f"{len(session['requests'])} requests, system prompt {tokens(main['system'])} tokens, {len(main['tools'])} tools with "
          f"{tokens(json.dumps(main['tools']))} tokens, {len(text)} bytes")


if __name__ == "__main__":
    main()
