"""The world of the audio demo model: what may be said to it, and what it says.

    python world.py            # prints some sentences and all answers

Everything is spelled out in words, so that what is heard is what is written.
"""
import random

DIGITS = "zero one two three four five six seven eight nine ten".split()
WHEREABOUTS = {"Mia": "in the garden", "Leo": "at the river", "Anna": "in the kitchen", "Ben": "in the forest", "Emma": "in the village",
               "Noah": "at the lake"}
CAPITALS = {"France": "Paris", "Germany": "Berlin", "Italy": "Rome", "Spain": "Madrid", "Japan": "Tokyo"}
DEVICES = ["lamp", "fan", "radio"]
OPENINGS = ["door", "window"]


def written(words):
    """A sentence with its first letter large and its mark behind it."""
    return words[0].upper() + words[1:] + ("?" if words.split()[0] in ("can", "what", "where", "who") else ".")


def spoken(sentence):
    """The words of a sentence, without marks, in small letters but for names."""
    words = "".join(c for c in sentence if c.isalpha() or c == " ").split()
    return [w if w in NAMES else w.lower() for w in words]


NAMES = set(WHEREABOUTS) | set(CAPITALS) | set(CAPITALS.values()) | {"I"}


def exchanges():
    """-> every question or command, with its answer and how often it is drawn."""
    out = []
    def add(answer, *questions, weight=1.0): out.extend((written(q), answer, weight / len(questions)) for q in questions)
    for device in DEVICES:
        for state in ("on", "off"):
            add(f"The {device} is {state}.", f"turn {state} the {device}", f"turn the {device} {state}", f"switch {state} the {device}")
    for thing in OPENINGS:
        add(f"The {thing} is open.", f"open the {thing}", f"please open the {thing}")
        add(f"The {thing} is closed.", f"close the {thing}", f"please close the {thing}")
    add("The music is playing.", "play music", "play the music", "play some music")
    add("The music has stopped.", "stop the music", "please stop the music")
    add("Your timer is set.", *(f"set a timer for {n} minute{'s' * (n != 'one')}" for n in DIGITS[1:]), weight=2)
    for total in range(11):
        add(f"The answer is {DIGITS[total]}.", *(f"what is {DIGITS[a]} plus {DIGITS[total - a]}" for a in range(total + 1)), weight=1.2)
    for name, place in WHEREABOUTS.items(): add(f"{name} is {place}.", f"where is {name}")
    for country, city in CAPITALS.items(): add(f"The capital of {country} is {city}.", f"what is the capital of {country}")
    add("Hello, I can hear you.", "hello", "good morning", "can you hear me")
    add("I am the Leap demo model.", "who are you", "what is your name")
    add("You are welcome.", "thank you", "thank you very much")
    add("Goodbye.", "goodbye", "stop")
    add("One, two, three.", "count to three", "please count to three")
    return out


EXCHANGES = exchanges()
NUMBER, AGAIN = "That is a number.", "Please say that again."
ANSWERS = list(dict.fromkeys(a for _, a, _ in EXCHANGES)) + [NUMBER, AGAIN]
WORDS = sorted({w for q, _, _ in EXCHANGES for w in spoken(q)} | {w for a in ANSWERS for w in spoken(a)} | set(DIGITS))
_answers = {q: a for q, a, _ in EXCHANGES}
_weights = [w for _, _, w in EXCHANGES]


def answer(sentence):
    """What the model says to a sentence."""
    if sentence in _answers: return _answers[sentence]
    return NUMBER if set(spoken(sentence)) <= set(DIGITS) else AGAIN


def question(r):
    """-> something said to the model, and its answer."""
    if r.random() < 0.12: return digits(r), NUMBER
    return r.choices(EXCHANGES, _weights)[0][:2]


def digits(r): return written(" ".join(r.choice(DIGITS) for _ in range(r.randint(1, 5))))


def phrase(r):
    """Words in no order: what a listener has to hear, since nothing tells it."""
    return written(" ".join(r.choice(WORDS) for _ in range(r.randint(2, 5))))


def sentence(r):
    """Any sentence that has to be understood."""
    k = r.random()
    return question(r)[0] if k < 0.6 else r.choice(ANSWERS) if k < 0.85 else phrase(r)


if __name__ == "__main__":
    r = random.Random(1)
    print(len(EXCHANGES), "questions", len(ANSWERS), "answers", len(WORDS), "words")
    print(*ANSWERS, sep="\n"); print(WORDS)
    for _ in range(12): print(sentence(r), "|", *question(r))
