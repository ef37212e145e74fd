"""Writes the items of the two tasks beside it: python make_items.py

Plain facts in the manner in which the demo model speaks, so that a model of 7.7 million parameters is right in many of them and not in all. No item is
taken from elsewhere.
"""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
CAPITALS = {
    "France": "Paris", "Germany": "Berlin", "Italy": "Rome", "Spain": "Madrid", "Portugal": "Lisbon", "Austria": "Vienna", "Belgium": "Brussels",
    "Switzerland": "Bern", "Denmark": "Copenhagen", "Norway": "Oslo", "Sweden": "Stockholm", "Finland": "Helsinki", "Ireland": "Dublin",
    "Poland": "Warsaw", "Hungary": "Budapest", "Romania": "Bucharest", "Bulgaria": "Sofia", "Greece": "Athens", "Turkey": "Ankara",
    "Croatia": "Zagreb", "Estonia": "Tallinn", "Latvia": "Riga", "Japan": "Tokyo", "China": "Beijing", "Thailand": "Bangkok", "Vietnam": "Hanoi",
    "Egypt": "Cairo", "Kenya": "Nairobi", "Ghana": "Accra", "Canada": "Ottawa", "Cuba": "Havana", "Chile": "Santiago", "Peru": "Lima",
    "Australia": "Canberra", "Iran": "Tehran", "Iraq": "Baghdad", "Qatar": "Doha",
    # The demo model has not heard of these.
    "New Zealand": "Wellington", "Jamaica": "Kingston", "Malta": "Valletta", "Sudan": "Khartoum"}
MEANINGS = {
    "a haiku": "a short poem with three lines of five, seven and five syllables", "an atom": "the smallest piece of an element",
    "a triangle": "a shape with three sides", "an island": "land with water all around it", "a verb": "a word for an action",
    "a planet": "a large round body that moves around a star", "a river": "water that flows across the land to the sea",
    "an engine": "a machine that turns energy into motion", "a token": "a small piece of text that a language model reads",
    "a cache": "a place that keeps things ready for the next time",
    "a spoon": "a small tool to eat soup with", "a ladder": "two long bars with steps between them"}
SLOGANS = {"bakery": "Fresh every morning.", "coffee shop": "Wake up to better days.", "bike store": "Ride your own way.",
           "book shop": "Turn the page.", "flower shop": "Say it with petals.", "gym": "Stronger every day."}
NAMES = ["Anna", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Henry", "Iris", "Jack", "Kate", "Leo", "Mia", "Noah"]
ENDS = ["sharing makes every day better", "a good friend is worth more than gold", "small steps lead far", "asking for help is brave",
        "kindness always comes back"]


def turn(question, beginning=""):
    return f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n{beginning}"


def four(source, right, all_of_them):
    """The right one among three wrong ones, and where it is."""
    choices = source.sample([one for one in all_of_them if one != right], 3) + [right]
    source.shuffle(choices)
    return choices, choices.index(right)


def facts(source):
    for country, city in CAPITALS.items():
        choices, label = four(source, city, list(CAPITALS.values()))
        yield turn(f"What is the capital of {country}?", f"The capital of {country} is"), choices, label
    for country in source.sample(list(CAPITALS), 12):
        choices, label = four(source, country, list(CAPITALS))
        yield turn(f"Which country has the capital {CAPITALS[country]}?", f"{CAPITALS[country]} is the capital of"), choices, label
    for word, meaning in MEANINGS.items():
        choices, label = four(source, meaning, list(MEANINGS.values()))
        yield turn(f"What is {word}?", f"{word[0].upper()}{word[1:]} is"), choices, label
    for shop, words in SLOGANS.items():
        choices, label = four(source, words, list(SLOGANS.values()))
        yield turn(f"Write a slogan for a {shop}.", "The slogan is:"), choices, label
    for _ in range(17):
        a, b = source.randint(0, 20), source.randint(0, 20)
        wrong = [str(a + b + away) for away in (-10, -2, -1, 1, 2, 10) if a + b + away >= 0]
        choices, label = four(source, str(a + b), wrong + [str(a + b)])
        yield turn(f"What is {a} plus {b}?", f"{a} plus {b} is"), choices, label


def texts(source):
    for country, city in list(CAPITALS.items()):
        if " " not in city + country and source.random() < 0.6:
            yield turn(f"Tell me the capital of {country}.", f"The capital of {country} is {city}")
    for word, meaning in MEANINGS.items():
        yield turn(f"Explain what {word} is.", f"{word[0].upper()}{word[1:]} is {meaning}")
    for name in NAMES:
        yield turn(f"My name is {name}.", f"Nice to meet you, {name}!<|im_end|>\n" + turn("What is my name?", f"Your name is {name}"))
    for index in range(20):
        name, friend = source.sample(NAMES, 2)
        animal, other = source.sample(["fox", "bear", "rabbit", "cat", "dog", "mouse", "turtle", "frog", "duck", "deer"], 2)
        found = source.choice(["a red ball", "a silver key", "a lost hat", "a warm blanket", "a shiny stone", "a paper star"])
        story = (f"Once upon a time there was a little {animal} named {name}. One morning {name} walked to the forest and found {found}. But it was "
                 f"too heavy to lift. A {other} named {friend} came along and helped carry it home. They laughed all the way home. And {name}")
        # Half of them end with a name that the text has told, half with a sentence's last word.
        if index % 2:
            story = story[:story.rindex(" And")] + f" From that day on {friend} was the best friend of {name}"
        else:
            story += " learned that " + ENDS[index // 2 % len(ENDS)]
        yield turn("Tell me a story.", story)
    for number in range(5, 13):
        yield turn(f"Count to {number}.", ", ".join(map(str, range(1, number + 1))))


def write(name, rows):
    (HERE / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    print(f"{name}: {len(rows)} items")


if __name__ == "__main__":
    source = random.Random(20)
    write("facts.jsonl", [{"query": query, "choices": choices, "label": label} for query, choices, label in facts(source)])
    write("last_words.jsonl", [{"text": text} for text in texts(source)])
