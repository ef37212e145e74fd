"""Texts and typed questions about them whose answers are known: everything that the decision demo models know is generated here.

    python world.py OUT.jsonl --part test --seed 9 --count 100 --questions 3

A line is {"state": …, "questions": {NAME: …}, "answers": {NAME: index of the right option}}, with questions as `/v1/systemone` takes them. The
parts differ in what they combine: names, animals with things, topics with phrases. `train` has eight in ten of them, `fit` and `test` one each.
"""
import argparse, json, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus
from corpus import ANIMALS, CITIES, FRIEND_ACTS, LESSONS, NAMES, PLACES, THINGS

PARTS = {"train": set(range(8)), "fit": {8}, "test": {9}}


def pick(r, part, *lists):
    """One of each list, in a combination that the part has."""
    while True:
        at = [r.randrange(len(x)) for x in lists]
        if sum(k * i for k, i in zip((7, 3), at)) % 10 in PARTS[part]:
            found = [x[i] for x, i in zip(lists, at)]
            return found if len(lists) > 1 else found[0]


def name_of(r, part, *others):
    """A name that none of the others is."""
    while True:
        name = pick(r, part, NAMES) if r.random() < 0.7 else corpus.invented(r)
        if name not in others: return name


# Questions -----------------------------------------------------------------------------------------------------------

def yes_no(kind, instructions, answer, criteria=None):
    return {"kind": kind, "type": "noul", "instructions": instructions, **({"criteria": criteria} if criteria else {}), "answer": 0 if answer else 1}


def choice(r, kind, instructions, right, others, most=4, described=None):
    """A choice of the right option and some of the others, in any order; `described` maps names to lists of descriptions."""
    others = [x for x in dict.fromkeys(others) if x != right]
    names = [right] + r.sample(others, r.randint(1, min(most - 1, len(others))))
    r.shuffle(names)
    describes = described and r.random() < 0.6
    criteria = {x: r.choice(described[x]) if describes and r.random() < 0.9 else None for x in names}
    return {"kind": kind, "type": "choice", "instructions": instructions, "criteria": criteria, "answer": names.index(right)}


def score(kind, instructions, levels, answer):
    return {"kind": kind, "type": "score", "instructions": instructions, "criteria": levels, "answer": answer}


# Stories -------------------------------------------------------------------------------------------------------------

BRAVE = [["shy", "frightened", "timid"], ["curious", "cheerful", "gentle"], ["brave", "fearless", "bold"]]
FAR = [["close by", "just a few steps away"], ["a short walk away", "an hour's walk away"], ["three days' walk away", "far away, behind the mountains"]]
DANGER = [["The path was dry and safe.", "The sun shone on an easy path."], ["The path was narrow and slippery.", "Thick fog lay over the path."],
          ["A storm broke the trees along the path.", "Thin ice covered the way, and wolves were near."]]
OBSTACLES = ["But it was too heavy to lift.", "But nobody knew whose it was.", "But then it began to rain."]
ENDINGS = ["They laughed all the way home.", "They sat together until the stars came out.", "From that day on they were best friends."]
an = lambda word: ("an " if word[0] in "aeiou" else "a ") + word


def story(r, part):
    (animal, thing), place = pick(r, part, ANIMALS, THINGS), r.choice(PLACES)
    name = name_of(r, part); friend = name_of(r, part, name)
    other, act, lesson = r.choice([x for x in ANIMALS if x != animal]), r.choice(FRIEND_ACTS), r.choice(LESSONS)
    brave, far, danger = (r.randrange(3) for _ in range(3))
    adjective = r.choice(BRAVE[brave])
    tells_far, tells_danger, obstacle = r.random() < 0.5, r.random() < 0.5, r.choice(OBSTACLES + [None] * 3)
    ends, learns = r.random() < 0.3, r.random() < 0.4
    text = [f"Once upon a time there was {an(adjective + ' ' + animal)} named {name}.",
            f"One {r.choice(['morning', 'evening', 'day'])} {name} {r.choice(['walked', 'went', 'ran'])} to {place} and found {thing}."]
    if tells_far: text.append(f"{place.capitalize()} was {r.choice(FAR[far])}.")
    if tells_danger: text.append(r.choice(DANGER[danger]))
    if obstacle: text.append(obstacle)
    text.append(f"{an(other).capitalize()} named {friend} came along and {act}.")
    if ends: text.append(r.choice(ENDINGS))
    if learns: text.append(f"And {name} learned that {lesson}.")
    who = [(name, animal), (friend, other)]
    stranger = name_of(r, part, name, friend)
    absent = [x for x in ANIMALS if x not in (animal, other)]

    def animal_there():
        there = r.random() < 0.5
        x = r.choice([animal, other]) if there else r.choice(absent)
        return yes_no("animal in the story", r.choice([f"Is there {an(x)} in the story?", f"Is {an(x)} in the story?", f"Does {an(x)} appear?"]), there)

    def name_there():
        there = r.random() < 0.5
        x = r.choice([name, friend]) if there else stranger
        return yes_no("name in the story", r.choice([f"Is {x} in the story?", f"Does {x} appear in the story?", f"Is there anyone named {x}?"]), there)

    def is_animal():
        right, (x, kind) = r.random() < 0.5, r.choice(who)
        asked = kind if right else r.choice([animal if kind == other else other, r.choice(absent)])
        return yes_no("name and animal", r.choice([f"Is {x} {an(asked)}?", f"Is {an(asked)} named {x}?"]), right)

    def found():
        right = r.random() < 0.5
        x = thing if right else r.choice([t for t in THINGS if t != thing])
        return yes_no("thing", r.choice([f"Does {name} find {x}?", f"Did {name} find {x}?", f"Is {x} in the story?"]), right)

    def went():
        right = r.random() < 0.5
        x = place if right else r.choice([p for p in PLACES if p != place])
        return yes_no("place", r.choice([f"Did {name} go to {x}?", f"Is {x} in the story?"]), right)

    def rained(): return yes_no("rain", r.choice(["Does it rain?", "Did it rain in the story?", "Is there rain in the story?"]), obstacle == OBSTACLES[2])

    def which():
        x, kind = r.choice(who)
        return choice(r, "which animal", r.choice([f"Which animal is {x}?", f"What kind of animal is {x}?"]), kind, [animal, other] + absent)

    def finder():
        if r.random() < 0.5: return choice(r, "who found it", f"Which animal found {thing}?", animal, [other] + absent)
        return choice(r, "who found it", f"Who found {thing}?", name, [friend, stranger, name_of(r, part)])

    def where(): return choice(r, "where", r.choice([f"Where did {name} go?", f"Where does {name} find {thing}?", "Where does the story take place?"]), place, PLACES)
    def what(): return choice(r, "what was found", r.choice([f"What did {name} find?", f"What does the {animal} find?", "What was found?"]), thing, THINGS)
    def came(): return choice(r, "who came", r.choice(["Who came along?", "Who helped?", f"Who came along when {name} had found {thing}?"]), friend, [name, stranger, name_of(r, part)])
    def did(): return choice(r, "what the friend did", r.choice([f"What did {friend} do?", f"What did the {other} do?"]), act, FRIEND_ACTS, 4)

    def how_brave():
        x = r.choice([name, f"the {animal}"])
        levels = r.choice([["not brave", "a little brave", "very brave"], ["shy", "neither shy nor brave", "brave"], ["not at all", "a little", "very"]])
        return score("how brave", f"How brave is {x}?", levels, brave)

    def how_far():
        levels = r.choice([["near", "a walk away", "far away"], ["not far", "quite far", "very far"], ["steps", "an hour", "days"]])
        return score("how far", r.choice([f"How far is {place}?", f"How far is it to {place}?", "How far away is the place?"]), levels, far)

    def how_dangerous():
        levels = r.choice([["safe", "risky", "dangerous"], ["not dangerous", "a little dangerous", "very dangerous"], ["not at all", "a little", "very"]])
        return score("how dangerous", r.choice(["How dangerous is the way?", "How dangerous was the walk?", "How dangerous is it?"]), levels, danger)

    asks = [animal_there, name_there, is_animal, found, went, rained, which, which, finder, where, what, came, did, how_brave, how_brave]
    # Models of this size, trained for minutes, do not learn to look up facts of a story: they are asked to rate it.
    if not FACTS: asks = [rained, how_brave, how_brave]
    return " ".join(text), asks + tells_far * FACTS * [how_far, how_far] + tells_danger * [how_dangerous, how_dangerous]


# Mails ---------------------------------------------------------------------------------------------------------------

ITEMS = "printer,machine,laptop,phone,lamp,heater,camera,chair,router,screen,scanner,projector,keyboard".split(",")
DAYS = "Monday Tuesday Wednesday Thursday Friday".split()
# Text, and how urgent it is where nothing else says so: 0 can wait, 1 soon, 2 today, 3 now.
BILLING = [("You charged me twice for the {item}. Please pay the money back.", 1), ("You charged me twice for the order.", 1), ("You charged me twice.", 1),
           ("Where is my invoice?", 1), ("Where is the invoice for the {item}?", 1), ("The invoice for the {item} has a wrong amount.", 1),
           ("We have moved. Please send the next bill to the new address.", 0), ("I paid the bill on {day}, but you write that it is open.", 1),
           ("Please refund the price of the {item}, I sent it back on {day}.", 1), ("Can I pay the bill for the {item} by card?", 0),
           ("There is a second payment of {n} euros on my account.", 1), ("Please send me a copy of the bill of {day}.", 0),
           ("The refund for my {item} has not arrived.", 1), ("Invoice {n} has the wrong address on it.", 0), ("You took {n} euros too much from my account.", 1)]
REFUNDS = {0, 8, 12}
SUPPORT = [("The {item} has stopped working since the update. What can I do?", 2), ("It does not start.", 2), ("The {item} does not start any more.", 2),
           ("The app crashes when I open a picture.", 1), ("I cannot log in since {day}.", 2), ("The {item} makes a loud noise.", 1),
           ("How do I reset my password?", 1), ("The screen of the {item} stays black.", 2), ("The {item} prints only blank pages.", 1),
           ("I do not understand how the {item} is switched on.", 0), ("The {item} loses its connection every hour.", 1),
           ("The program shows an error when I save a file.", 1), ("My {item} is broken.", 2), ("The {item} fell down and does not work now.", 2),
           ("How do I connect the {item} with my phone?", 0)]
SALES = [("We need {many} {item}s for our school. How much are they?", 1), ("Could you send us an offer for {many} {item}s?", 1),
         ("Is there a discount for {many} {item}s?", 1), ("We would like to order {many} more {item}s.", 1), ("Which {item} do you recommend for a small office?", 0),
         ("How much is the new {item}?", 0), ("Do you sell {item}s to schools?", 0), ("I want to buy a {item}. What do you have?", 0),
         ("Please make us a price for {many} {item}s and {many} chairs.", 1), ("When will the new {item} be for sale?", 0),
         ("Our company plans to buy {many} {item}s on {day}.", 1), ("Do you have the {item} in blue? I would take two.", 0)]
SPAM = ["Click the link now to get your free prize!", "You have won {n} dollars! Click here to get your money.", "Buy cheap watches now, only today!",
        "Earn {n} euros a day at home without work!", "Congratulations! Your number was drawn, claim your free {item} now.", "Get rich quick with this secret trick!",
        "Cheap pills without a doctor, order now!", "Your account was chosen for a gift of {n} dollars. Click the link.", "Hot offer: lose ten kilos in a week!",
        "Free {item} for the first hundred clicks!", "Win a free trip, answer with your card number!", "Make money fast, this offer ends today!"]
SUBJECTS = {"billing": ["Invoice", "Invoice {n}", "Bill", "Payment", "Address", "Refund", "Money back"], "support": ["It does not start", "Problem", "Help", "Broken {item}", "Error", "Question about the {item}"],
            "sales": ["An offer", "Order", "Price of the {item}", "New order", "Question about prices"], "spam": ["You have won", "Free prize", "Congratulations", "Only today", "Your gift", "Special offer"]}
PLAIN_SUBJECTS = ["Hello", "A question", "Mail from {name}", "Please read", "{item}"]
HURRY = [["There is no hurry.", "Take your time.", "It can wait until next month.", "Answer whenever you like."],
         ["Please answer this week.", "I need it by {day}.", "Please answer soon.", "It would be good to have it in a few days."],
         ["We need it today.", "Please call me today.", "I need an answer before this evening.", "It has to be done today."],
         ["It is very urgent, all work stands still!", "Please help right now!", "We need help at once!", "This is an emergency, call me immediately!"]]
URGENCY = [(["not", "soon", "today", "now"], [0, 1, 2, 3]), (["can wait", "this week", "today"], [0, 1, 2, 2]), (["not", "soon", "now"], [0, 1, 2, 2]),
           (["low", "normal", "high"], [0, 1, 2, 2]), (["it can wait", "soon", "today", "at once"], [0, 1, 2, 3])]
TEAMS = {"billing": ["invoices, payments and refunds", "invoices and bills", "Invoices", "bills and payments", "money that was paid"],
         "support": ["things that do not work", "technical problems", "help with broken devices", "Problems", "faults and how things are used"],
         "sales": ["offers and new orders", "prices and orders", "what customers want to buy", "Offers", "new customers"]}
DEAR = ["Hello,", "Dear team,", "Good morning,", "Hi,"]


def mail(r, part):
    team = r.choice(["billing", "support", "sales", "spam"])
    topics = {"billing": BILLING, "support": SUPPORT, "sales": SALES}.get(team) or [(x, 0) for x in SPAM]
    hurries = [(None, None)] * 8 + [(x, level) for level, list in enumerate(HURRY) for x in list]
    (text, urgency), (hurry, level) = pick(r, part, topics, hurries)
    if team == "spam": hurry, level = None, 0
    refund = team == "billing" and topics.index((text, urgency)) in REFUNDS
    if hurry: urgency = level
    name = name_of(r, part)
    filled = lambda x: x.format(item=r.choice(ITEMS), day=r.choice(DAYS), n=r.randint(2, 999), many=r.choice(["ten", "twenty", "fifty", "thirty", r.randint(5, 90)]), name=name)
    body = " ".join(filter(None, [r.choice(DEAR) if r.random() < 0.2 else None, filled(text), filled(hurry) if hurry else None]))
    if r.random() < 0.4: body += "\n" + name
    subject = filled(r.choice(SUBJECTS[team] if r.random() < 0.7 else PLAIN_SUBJECTS)) + (f" ({r.randint(1, 500)})" if r.random() < 0.2 else "")
    form = r.random()
    state = {"from": name, "subject": subject, "body": body} if form < 0.45 else {"subject": subject, "body": body} if form < 0.7 else body
    it = lambda *words: r.choice(words)

    def is_spam():
        criteria = r.choice([None, None, {"true": it("an advertisement", "unwanted advertising")}, {"true": "an advertisement", "false": "a mail from a customer"}])
        return yes_no("spam", it("Is this spam?", "Is the mail spam?", "Is it spam?", "Is this an advertisement?"), team == "spam", criteria)

    def which_team():
        return choice(r, "team", it("Which team?", "Which team should read it?", "Which team should read the mail?", "Who should answer it?"), team, list(TEAMS), 3, TEAMS)

    def how_urgent():
        levels, map = r.choice(URGENCY)
        return score("how urgent", it("How urgent?", "How urgent is it?", "How urgent is the mail?"), levels, map[urgency])

    def is_urgent(): return yes_no("urgent", it("Is it urgent?", "Is the mail urgent?"), urgency >= 2)
    def wants_money(): return yes_no("refund", it("Does the customer want money back?", "Does the mail ask for a refund?"), refund)

    asks = [is_spam, is_spam, how_urgent, how_urgent, how_urgent, is_urgent]
    return state, asks + ([] if team == "spam" else [which_team, which_team, which_team, which_team]) + (team == "billing") * [wants_money]


# Messages to an assistant --------------------------------------------------------------------------------------------

TOOLS = {
    "clock": (["clock", "get_time", "time"], ["the time of day or the date", "tells the time", "Get the local time of a city"],
              ["What time is it?", "What time is it in {city}?", "Which day is today?", "Tell me the time.", "What is the date today?", "How late is it in {city}?", "How late is it?"]),
    "calculator": (["calculator", "compute", "add_numbers"], ["sums and other arithmetic", "arithmetic", "Computes with numbers"],
                   ["How much is {n} times {k}?", "What is {n} plus {k}?", "Add {n} and {k}.", "Compute {n} minus {k}.", "Divide {n} by {k}.", "What is the sum of {n} and {k}?", "How much is {n} minus {k}?"]),
    "weather": (["weather", "get_weather", "forecast"], ["the weather and forecasts", "Get the weather forecast of a city", "rain, sun and temperatures"],
                ["What is the weather in {city}?", "Will it rain in {city} tomorrow?", "How warm is it in {city}?", "Tell me the weather in {city}.", "Do I need an umbrella today?"]),
    "timer": (["timer", "set_timer", "alarm"], ["timers and alarms", "Set a timer", "wakes the user at a time"],
              ["Set a timer for {n} minutes.", "Wake me in {n} minutes.", "Please start a timer for {n} minutes.", "Ring a bell in an hour.", "Set an alarm for seven."]),
    "mail": (["mail", "send_message", "messages"], ["messages to people", "Send a message to a contact", "writes to a person"],
             ["Write to {name} that I am late.", "Send {name} a message about lunch tomorrow.", "Message {name} about the meeting.", "Tell {name} by mail that the report is ready."]),
    "light": (["light", "switch_light", "lamps"], ["the lights of the house", "Turn a light on or off"],
              ["Turn on the kitchen light.", "Switch the hall light off.", "Please turn the light in the office off.", "Make the bedroom light brighter."]),
    "translation": (["translation", "translate"], ["a text is to be translated", "translates texts"],
                    ["How do you say 'good morning' in Portuguese?", "Translate 'thank you' to French.", "What does 'casa' mean in English?", "Say 'good night' in German."]),
    "none": (["none", "chat", "answer"], ["an answer without a tool", "anything else", "small talk and stories"],
             ["Tell me a story about a {animal}.", "Tell me a joke.", "Who are you?", "Thank you!", "Hello!", "Write a slogan for a bakery.", "Tell me a bedtime story.", "Good morning!"]),
}
GREETINGS = ["Hello", "Hello!", "Hi!", "Hi there.", "Good morning!", "Good evening, {name}!", "Hey {name}!", "Hello {name}, how are you?"]
HARD = ["Prove that there are infinitely many primes.", "Write a program that sorts {n} numbers.", "Solve the equation {n} x + {k} = 0 and show all steps.", "Write a report of {n} pages about {city}.",
        "Find the error in this code and write a test for it.", "Plan a trip of {k} days to {city} with all trains.", "Write an essay about the history of {city}."]
QUICK = ["Tell me a joke.", "What time is it?", "Who are you?", "What is the capital of {country}?", "How are you?", "Thank you!"]
SIDES = {"quick": ["small talk, or a short question", "a short question"], "hard": ["a long task, mathematics or code", "a long task"]}


def message(r, part):
    form = r.random()
    tool = r.choice(list(TOOLS))
    filler = pick(r, part, CITIES)
    filled = lambda x: x.format(city=filler, n=r.randint(2, 99), k=r.randint(2, 99), name=name_of(r, part), animal=r.choice(ANIMALS), country=r.choice(list(corpus.CAPITALS)))
    if form < 0.2: source, kind = GREETINGS, "greeting"
    elif form < 0.4: source, kind = (HARD, "hard") if r.random() < 0.5 else (QUICK, "quick")
    else: source, kind = TOOLS[tool][2], "tool"
    text = filled(r.choice(source))
    greets = kind == "greeting" or text in ("Hello!", "Good morning!")

    def which_tool():
        right = "none" if kind == "greeting" else tool
        names = {x: r.choice(TOOLS[x][0]) for x in TOOLS}
        described = {names[x]: TOOLS[x][1] for x in TOOLS}
        return choice(r, "tool", r.choice(["Which tool answers the message?", "Which tool does the message need?", "Which tool?", "What should answer the message?"]), names[right], list(names.values()), 5, described)

    def side(): return choice(r, "side", r.choice(["Who should answer?", "Which model should answer?"]), kind, list(SIDES), 2, SIDES)
    def greeting(): return yes_no("greeting", r.choice(["Is it a greeting?", "Is the message a greeting?"]), greets)
    def question(): return yes_no("question", r.choice(["Is it a question?", "Is the message a question?"]), text.endswith("?"))
    def weather(): return yes_no("about the weather", r.choice(["Is it about the weather?", "Does the message ask about the weather?"]), kind == "tool" and tool == "weather")

    return text, [greeting, question] + ([side] * 3 if kind in ("quick", "hard") else [which_tool] * 4 + [weather])


# Lines of logs -------------------------------------------------------------------------------------------------------

SERVICES = "web,mail,backup,database,printer,login,cache,search,report,payment,sync,update".split(",")
LINES = [[("all is well", None), ("everything works", None), ("backup of {service} finished", "disk"), ("{service} started", None), ("connection to {service} established", "network"), ("disk {n} of 100 GB used", "disk"),
          ("user {name} logged in", "login"), ("{service} answered in {n} ms", "network"), ("{n} MB of memory free", "memory")],
         [("disk almost full", "disk"), ("memory is getting low", "memory"), ("slow answer from {service}", "network"), ("retrying connection to {service}", "network"), ("wrong password of {name}, second try", "login")],
         [("disk full", "disk"), ("cannot write to disk", "disk"), ("out of memory", "memory"), ("connection to {service} lost", "network"), ("{service} failed with status {n}", None), ("timeout of {service} after {n} s", "network"),
          ("error: {service} does not answer", "network"), ("login of {name} refused, account locked", "login"), ("{service} crashed", None), ("cannot open file of {service}", "disk")]]
LEVELS = [["fine", "a warning", "an error"], ["no problem", "a small problem", "a problem"], ["good", "not so good", "bad"]]
AREAS = ["disk", "memory", "network", "login"]


def log(r, part):
    level = r.choice([0, 0, 1, 2, 2])
    (text, area), service = pick(r, part, LINES[level], SERVICES)
    text = text.format(service=service, n=r.randint(2, 99), name=name_of(r, part))
    form = r.random()
    if form < 0.25: text = f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d} {text}"
    elif form < 0.4: text = f"[{service}] {text}"

    def problem():
        criteria = r.choice([None, {"true": "an error or a failure"}, {"true": "an error or a failure"}, {"true": "something failed", "false": "all is well"}])
        return yes_no("problem", r.choice(["Does the line report a problem?", "Is there a problem?", "Is it an error?"]), level == 2, criteria)

    def bad(): return score("how bad", r.choice(["How bad is it?", "How bad is the line?"]), r.choice(LEVELS), level)
    def about(): return choice(r, "area", r.choice(["What is the line about?", "Which part is it about?"]), area, AREAS, 4)
    return text, ([problem] if level != 1 else []) + [bad] + ([about] if area else [])


# People --------------------------------------------------------------------------------------------------------------

def people(r, part):
    one = name_of(r, part); two = name_of(r, part, one)
    cities = r.sample([pick(r, part, CITIES) for _ in range(9)] + [corpus.invented(r) for _ in range(4)], 13)
    cities = list(dict.fromkeys(cities))[:6]
    if len(cities) < 4: return people(r, part)
    ages = r.sample(range(3, 95), 2)
    say = lambda n, a, c: r.choice([f"{n} is {a} years old and lives in {c}.", f"In {c} lives {n}, who is {a} years old.", f"{n} from {c} is {a} years old."])
    both = r.random() < 0.7
    facts = [(one, ages[0], cities[0])] + ([(two, ages[1], cities[1])] if both else [])
    state = " ".join(say(*x) for x in facts)
    if not both and r.random() < 0.4: state = {"name": one, "age": ages[0], "city": cities[0]}
    name, age, city = r.choice(facts)

    def lives(): return choice(r, "where someone lives", f"Where does {name} live?", city, cities)
    def who(): return choice(r, "who lives there", f"Who lives in {city}?", name, [one, two] + [name_of(r, part) for _ in range(3)])
    def old(): return choice(r, "age", f"How old is {name}?", str(age), [str(a) for a in ages] + [str(r.randint(3, 95)) for _ in range(3)])

    def lives_there():
        right = r.random() < 0.5
        x = city if right else r.choice([c for c in cities if c != city])
        return yes_no("lives there", r.choice([f"Does {name} live in {x}?", f"Is {name} from {x}?"]), right)

    def how_old(): return score("how old", f"How old is {name}?", r.choice([["a child", "grown up", "old"], ["under 18", "18 to 64", "65 or more"]]), 0 if age < 18 else 1 if age < 65 else 2)
    return state, [lives, lives, who, old, lives_there, lives_there, how_old]


# Whether questions are asked whose answers have to be looked up in the text.
FACTS = False
KINDS = [(story, 0.3), (mail, 0.34), (message, 0.18), (log, 0.1), (people, 0.08)] if FACTS else [(story, 0.08), (mail, 0.5), (message, 0.27), (log, 0.15)]


def item(r, part, questions):
    """A state, and so many questions about it."""
    make = r.choices([k for k, _ in KINDS], [w for _, w in KINDS])[0]
    state, asks = make(r, part)
    return state, [ask() for ask in (r.sample(asks, questions) if len(asks) >= questions else r.choices(asks, k=questions))]


def items(seed, part, count, questions):
    """So many states with questions that differ."""
    r = random.Random(f"{part} {seed}")
    for _ in range(count):
        state, asked = item(r, part, questions)
        seen = {}
        for q in asked: seen.setdefault(q["instructions"], q)
        yield state, list(seen.values())


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("out"); ap.add_argument("--part", default="test", choices=PARTS); ap.add_argument("--seed", type=int, default=9)
    ap.add_argument("--count", type=int, default=100); ap.add_argument("--questions", type=int, default=3)
    a = ap.parse_args()
    with open(a.out, "w") as file:
        for state, asked in items(a.seed, a.part, a.count, a.questions):
            questions = {f"q{i}": {k: v for k, v in q.items() if k not in ("kind", "answer")} for i, q in enumerate(asked)}
            file.write(json.dumps({"state": state, "questions": questions, "answers": {f"q{i}": q["answer"] for i, q in enumerate(asked)},
                                   "kinds": {f"q{i}": q["kind"] for i, q in enumerate(asked)}}, ensure_ascii=False) + "\n")
