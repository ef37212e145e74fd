"""Drives `leap chat` and `leap demo` at terminals of several kinds, as a person would.

    python3 terminal.py PATH-OF-LEAP

Each check prints one line; the first that fails ends the program with status 1. Needs the standard library only.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time

import scripted
from screen import Program
from support import check

ROOT = pathlib.Path(__file__).resolve().parents[2]
CTRL = {name: bytes([ord(name) & 31]) for name in "ABCDEFGKLNPRTUWYZ"}
UP, DOWN, RIGHT, LEFT, HOME, END = (b"\x1b[" + c for c in (b"A", b"B", b"C", b"D", b"H", b"F"))
WEATHER = [{"type": "function", "function": {"name": "get_weather", "description": "Get the weather forecast of a city",
            "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City"}}, "required": ["city"]}}}]


class Chat(Program):
    def __init__(self, leap, *arguments, model="demo", **options):
        super().__init__([leap, "chat", model, "--temperature", "0", *arguments], **options)
        check("a chat begins with its prompt", self.prompt(), self.screen.text)

    def enter(self, line, answer=None):
        """Enters a line, waits for the next prompt, and returns what was shown between."""
        before = len(self.raw)
        self.send(line)
        self.send("\r")
        # The editor ends its line before anything else is shown.
        shown = self.until(lambda screen: b"\r\n" in self.raw[before:] and (answer or "") in self.raw[before:].decode(errors="replace"))
        assert shown and self.prompt(), f"{answer!r} is not shown:\n{self.screen.everything}"
        return self.raw[before:].decode(errors="replace")

    def leave(self):
        self.send(CTRL["D"])
        return self.end()


def saved(chat, folder):
    """The conversation as /save writes it."""
    path = os.path.join(folder, "saved.json")
    chat.enter(f"/save {path}", "(saved")
    return json.loads(pathlib.Path(path).read_text())


def system(chat):
    """What the last `/system TEXT` set: the text as the editor handed it over."""
    return saved(chat, chat.folder)[0]["content"]


def keys(leap, folder):
    chat = Chat(leap, environment={"LEAP_HOME": folder})
    chat.folder = folder
    typed = [
        ("arrows move the cursor", b"/system ac" + LEFT + b"b", "abc"),
        ("Home and End", b"system x" + HOME + b"/" + END + b"y", "xy"),
        ("Ctrl-A and Ctrl-E", b"system x" + CTRL["A"] + b"/" + CTRL["E"] + b"z", "xz"),
        ("Ctrl-B and Ctrl-F", b"/system ab" + CTRL["B"] + CTRL["B"] + CTRL["F"] + b"-", "a-b"),
        ("Ctrl-K deletes to the end, Ctrl-Y brings it back", b"/system abc" + LEFT * 2 + CTRL["K"] + b"-" + CTRL["Y"], "a-bc"),
        ("Ctrl-U deletes to the beginning", b"nonsense" + CTRL["U"] + b"/system u", "u"),
        ("Ctrl-W deletes a word", b"/system one two" + CTRL["W"] + b"three", "one three"),
        ("Ctrl-T exchanges characters", b"/system ba" + CTRL["T"], "ab"),
        ("Alt-B and Alt-F move by words", b"/system one two" + b"\x1bb" + b"x" + b"\x1bf" + b"y", "one xtwoy"),
        ("Ctrl with arrows moves by words", b"/system one two\x1b[1;5Dx\x1b[1;5Cy", "one xtwoy"),
        ("Alt-D deletes the next word", b"/system one two" + b"\x1bb\x1bb\x1bd", "two"),
        ("Backspace and Delete", b"/system abcd\x7f" + LEFT + b"\x1b[3~", "ab"),
        ("letters of every kind", "/system Grüße, 你好, e\u0301, 👩‍👩‍👧".encode(), "Grüße, 你好, e\u0301, 👩‍👩‍👧"),
        ("a whole grapheme is deleted", "/system x👩‍👩‍👧".encode() + b"\x7f", "x"),
        ("keys that nobody knows are no text", b"/system a\x1b[25~\x1bOP\x1b[1;2S\x1b[[Ab", "ab"),
        ("Escape changes nothing", b"/system a\x1b", "a"),
    ]
    for name, line, expected in typed:
        if line.endswith(b"\x1b"):
            chat.send(line)
            chat.until(lambda screen: False, 0.3)
            line = b""
        chat.enter(line, "(new conversation)")
        check(name, system(chat) == expected, system(chat))
    check("Ctrl-D leaves", chat.leave() == 0)


def histories(leap, folder):
    home = os.path.join(folder, "home")
    chat = Chat(leap, environment={"LEAP_HOME": home})
    chat.folder = folder
    for text in ("first", "second", "third"):
        chat.enter(f"/system {text}", "(new conversation)")
    chat.enter(UP + UP, "(new conversation)")
    check("Up brings earlier lines", system(chat) == "second", system(chat))
    chat.enter(CTRL["R"] + b"fir", "(new conversation)")
    check("Ctrl-R searches", system(chat) == "first", system(chat))
    chat.enter(CTRL["R"] + b"system" + CTRL["R"] + CTRL["R"] + CTRL["G"] + b"/system draft", "(new conversation)")
    check("Ctrl-G leaves a search", system(chat) == "draft", system(chat))
    chat.enter(b"/system unfinished" + UP + DOWN + b"!", "(new conversation)")
    check("Down comes back to what was being written", system(chat) == "unfinished!", system(chat))
    check("Ctrl-D leaves", chat.leave() == 0)
    path = os.path.join(home, "leap_history")
    check("the history is for its owner only", os.stat(path).st_mode & 0o777 == 0o600, oct(os.stat(path).st_mode))

    chat = Chat(leap, environment={"LEAP_HOME": home})
    chat.folder = folder
    chat.enter(CTRL["R"] + b"third", "(new conversation)")
    check("the history is there in the next chat", system(chat) == "third", system(chat))
    chat.leave()
    other = os.path.join(folder, "none")
    chat = Chat(leap, environment={"LEAP_HOME": other, "NO_HISTORY": "1"})
    chat.enter("/set", "temperature")
    chat.leave()
    check("NO_HISTORY keeps none", not os.path.exists(other), other)
    pathlib.Path(folder, "file").write_text("")
    chat = Chat(leap, environment={"LEAP_HOME": os.path.join(folder, "file")})
    shown = chat.enter("/set", "temperature") + chat.enter("/context", "context")
    check("a folder that cannot be written is told once", shown.count("is not kept") == 1, shown)
    check("and the chat goes on", chat.leave() == 0)
    pathlib.Path(home, "leap_history").write_bytes(b"\xff\xfe{\n\"half\n[1]\n" + b"\"fine\"\n")
    chat = Chat(leap, environment={"LEAP_HOME": home})
    chat.send(UP)
    check("a damaged history has what is whole", chat.until("> fine"), chat.screen.text)
    chat.send(CTRL["C"])
    check("Ctrl-C drops a line", chat.prompt(), chat.screen.text)
    chat.leave()


def messages(leap, folder):
    chat = Chat(leap, "--max-tokens", "1", environment={"LEAP_HOME": folder})
    last = lambda: [m["content"] for m in saved(chat, folder) if m["role"] == "user"][-1]
    chat.send('"""one\r')
    check("three quotes begin a message", chat.prompt("... "), chat.screen.text)
    chat.send("  two\r")
    chat.prompt("... ")
    chat.enter('three"""')
    check("three quotes end it", last() == "one\n  two\nthree", last())
    chat.send("one \\\r")
    check("a backslash goes on", chat.prompt("... "), chat.screen.text)
    chat.enter("two")
    check("and is no part of the message", last() == "one \ntwo", last())
    chat.enter(b"one\x1b\rtwo")
    check("Alt-Return begins a line of a message", last() == "one\ntwo", last())
    chat.enter(b"\x1b[200~/not a command\r\ntwo\tthree\n\x1b[201~")
    check("a paste is one message", last() == "/not a command\ntwo\tthree\n", last())
    chat.send('"""dropped\r')
    chat.prompt("... ")
    chat.send(CTRL["C"])
    check("Ctrl-C drops a message that has begun", chat.prompt() and "dropped" not in last(), chat.screen.text)
    chat.send('"""\r')
    chat.prompt("... ")
    chat.enter('/quit\r"""')
    check("a command between quotes is a message", last() == "/quit", last())

    long = " ".join(f"word{i}" for i in range(3000))
    chat.folder = folder
    chat.enter("/system " + long, "(new conversation)")
    check("a line of 26,890 characters is typed", system(chat) == long, len(system(chat)))
    chat.enter("/system short", "(new conversation)")
    chat.enter(b"\x1b[200~/system " + long.encode() + b"\x1b[201~", "(new conversation)")
    check("and pasted", system(chat) == long, len(system(chat)))
    chat.enter("/system short", "(new conversation)")

    bad = bytes(range(128, 256)) * 8192
    shown = chat.enter(b"\x1b[200~" + bad + b"\x1b[201~", "error:")
    check("a paste of 1 MiB that is no UTF-8 is told and refused", "invalid UTF-8" in shown and "shorten the text" in shown, shown[-400:])
    check("and not kept", len(saved(chat, folder)) == 1, len(saved(chat, folder)))
    shown = chat.enter(bad[:4096].replace(b"\x9b", b""), "error:")
    check("the same as typed is survived", "invalid UTF-8" in shown, shown[-400:])
    check("Ctrl-D leaves", chat.leave() == 0)


def replies(leap, folder):
    chat = Chat(leap, environment={"LEAP_HOME": folder})
    settings = chat.settings()
    shown = chat.enter("What is the capital of Portugal?", "Lisbon")
    check("the model answers", "Lisbon" in shown, shown)
    chat.send("Tell me a story about a fox and a silver key.\r")
    check("a story begins", chat.until("Once upon"), chat.screen.text)
    chat.send(CTRL["C"])
    check("Ctrl-C stops it and keeps the prompt", chat.until("(stopped)") and chat.prompt(), chat.screen.text)
    check("which is told once", "(interrupted)" not in chat.screen.everything and chat.screen.everything.count("(stopped)") == 1, chat.screen.everything)
    chat.send("Tell me a story about a fox and a silver key.\r")
    chat.until(lambda s: s.everything.count("Once upon") > 1)
    chat.send("What is the capital of ")
    chat.send(CTRL["C"])
    check("what is typed during an answer stays when Ctrl-C stops it",
          chat.until(lambda s: s.text.endswith("> What is the capital of")), chat.screen.text)
    check("and goes on at the prompt", "Rome" in chat.enter("Italy?", "Rome"))
    shown = chat.enter("What is the capital of France?", "Paris")
    check("the chat goes on behind it", "Paris" in shown, shown)
    chat.send(CTRL["C"])
    check("Ctrl-C at an empty prompt says how to leave", chat.until("Ctrl-D or type /quit") and chat.prompt(), chat.screen.text)
    count = len(saved(chat, folder))
    chat.enter("/undo", "(taken back: What is the capital of France?)")
    check("/undo takes back a turn", len(saved(chat, folder)) == count - 2, saved(chat, folder))
    chat.enter("What is the capital of Spain?", "Madrid")
    shown = chat.enter("/retry", "Madrid")
    check("/retry answers again", len(saved(chat, folder)) == count, saved(chat, folder))
    chat.send("/edit\r")
    check("/edit shows the message", chat.until(lambda s: s.text.endswith("> What is the capital of Spain?")), chat.screen.text)
    chat.send(CTRL["C"])
    chat.prompt()
    check("an edit that is dropped changes nothing", "Spain" in saved(chat, folder)[-2]["content"], saved(chat, folder))
    chat.send("/edit\r")
    chat.until(lambda s: s.text.endswith("Spain?"))
    chat.enter(b"\x7f" * 6 + b"Italy?", "Rome")
    check("an edited message takes the old one's place", "Italy" in saved(chat, folder)[-2]["content"], saved(chat, folder))
    shown = chat.enter("/context", "tokens")
    check("/context tells how full it is", re.search(r"\d+ of \d+ tokens \(\d+\.\d %\) in \d+ messages", shown), shown)
    check("/stats tells what was computed", "last answer:" in chat.enter("/stats", "last answer"))
    check("/set changes", "0.2" in chat.enter("/set temperature 0.2", "0.20"))
    check("/set says what is out of range", "between 0" in chat.enter("/set min_p 7", "error"))
    check("/set says what is unknown", "no setting" in chat.enter("/set hotness 7", "error"))
    chat.enter("/set temperature 0", "temperature")
    check("/set max_tokens has an effect", "cut off after 2 tokens" in chat.enter("/set max_tokens 2", "max_tokens") + chat.enter("Tell me a joke.", "cut off"))
    chat.enter("/set max_tokens default", "default")
    schema = '{"type":"object","properties":{"city":{"type":"string","maxLength":20}},"required":["city"],"additionalProperties":false}'
    chat.enter(f"/schema {schema}", "follow")
    chat.enter("What is the capital of Portugal?", '"city"')
    check("/schema holds answers to it", list(json.loads(saved(chat, folder)[-1]["content"])) == ["city"], saved(chat, folder)[-1])
    chat.enter("/schema none", "no schema")
    check("/model goes on with another model", "continues the conversation" in chat.enter(f"/model {ROOT}/Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf", "continues the conversation"))
    check("a model that is not there leaves the one that is", "error" in chat.enter("/model ./nothing.gguf", "error"))
    shown = chat.enter("What is the capital of Portugal?", "Lisbon")
    pathlib.Path(folder, "bad.json").write_text('[{"role": "wizard", "content": "x"}]')
    shown = chat.enter(f"/load {folder}/bad.json", "error")
    check("/load says why it refuses", "wizard" in shown, shown)
    shown = chat.enter("/load /dev/zero", "error")
    check("/load takes no devices", "not a file" in shown, shown)
    check("a command that is near is named", "did you mean /stats?" in chat.enter("/stat", "is not a command"))
    chat.send("/sa\t")
    check("Tab completes commands", chat.until(lambda s: s.text.endswith("> /save")), chat.screen.text)
    chat.send(f"{folder}/ba\t")
    check("Tab completes files", chat.until(lambda s: s.text.endswith("bad.json")), chat.screen.text)
    chat.send(CTRL["C"])
    chat.prompt()
    chat.send("/quit\r")
    check("/quit leaves", chat.until(lambda s: False, 0.2) is False and chat.end() == 0)

    chat = Chat(leap, environment={"LEAP_HOME": folder})
    os.kill(chat.process, signal.SIGTERM)
    given_back = lambda: termios.tcgetattr(chat.terminal)[3] & (termios.ECHO | termios.ICANON) == termios.ECHO | termios.ICANON
    end = time.monotonic() + 20
    while not given_back() and time.monotonic() < end:
        chat.until(lambda s: False, 0.1)
    after = termios.tcgetattr(chat.terminal)
    check("a program that is ended gives the terminal back", after[3] & termios.ECHO and after[3] & termios.ICANON, after)
    check("and says by which signal", chat.end() == -signal.SIGTERM)


def thinking(leap, folder):
    question = "Anna has 7 apples and gets 5 more. How many apples does Anna have?"
    chat = Chat(leap, "--thinking", "show", environment={"LEAP_HOME": folder})
    shown = chat.enter(question, "12")
    check("thinking is dim and apart", "\x1b[2m" in shown and re.search(r"\n\s*\n", chat.screen.everything.split("have?")[1]), shown)
    chat.enter("/thinking hide", "hide")
    before = chat.screen.everything
    chat.enter(question, "12")
    answer = chat.screen.everything[len(before):]
    check("it can be hidden", "thinking" not in answer and len(answer.strip().splitlines()) <= 4, answer)
    chat.leave()
    endless = scripted.write(os.path.join(folder, "thinker.gguf"), scripted.ENDLESS_THOUGHTS)
    chat = Chat(leap, "--thinking", "show", model=endless, environment={"LEAP_HOME": folder})
    chat.send("How many herons are there?\r")
    check("a model may think without end", chat.until(lambda s: s.everything.count("storks") > 2), chat.screen.everything)
    chat.send(b"\x1c")
    check("Ctrl-\\ ends its thinking, and the answer follows", chat.until(lambda s: "Twelve." in s.everything) and chat.prompt(), chat.screen.everything)
    check("no mark of the thinking is shown", "think>" not in chat.screen.everything, chat.screen.everything)
    check("the chat goes on, and Ctrl-D leaves it", chat.leave() == 0)
    for variables, name in (({"NO_COLOR": "1"}, "NO_COLOR"), ({"TERM": "dumb"}, "TERM=dumb")):
        chat = Chat(leap, "--thinking", "show", environment={"LEAP_HOME": folder, **variables})
        chat.enter(question, "12")
        styled = re.search(rb"\x1b\[[0-9;]*m" if name == "NO_COLOR" else rb"\x1b", chat.raw)
        check(f"{name} is obeyed", not styled, chat.raw)
        check(f"thinking is apart with {name} too", "Thinking:" in chat.screen.everything, chat.screen.everything)
        chat.send("ab" + "\x7f" + "c")
        check(f"a line is edited with {name}", chat.until(lambda s: s.text.endswith("> ac")), chat.screen.text)
        chat.send(CTRL["U"])
        chat.send("\r")
        chat.leave()
    run = subprocess.run([leap, "chat", "demo", "--temperature", "0", "--thinking", "show"], input=question + "\n", text=True, capture_output=True)
    check("in a pipe the answer is alone", run.stdout.strip().splitlines()[-1:] and "12" in run.stdout and len(run.stdout.strip().splitlines()) == 1, run.stdout)
    check("and the thinking beside it", len(run.stderr.strip()) > 10, run.stderr)


def contexts(leap, folder):
    chat = Chat(leap, "--context", "200", "--max-tokens", "20", environment={"LEAP_HOME": folder})
    for city in ("Portugal", "France", "Spain", "Italy", "Portugal", "France", "Spain", "Italy", "Portugal"):
        chat.enter(f"What is the capital of {city}?", "capital")
    check("a full context leaves out the oldest turns, with a note", "oldest" in chat.screen.everything, chat.screen.everything)
    count = len(saved(chat, folder))
    shown = chat.enter("word " * 400, "error")
    check("a message that cannot fit is refused in the words of the program", "--context" in shown and "contextSize" not in shown, shown)
    check("and not kept", len(saved(chat, folder)) == count, len(saved(chat, folder)))
    check("the chat goes on", "Paris" in chat.enter("What is the capital of France?", "Paris"))
    check("Ctrl-D leaves", chat.leave() == 0)
    chat = Chat(leap, "--context", "100", "--max-tokens", "20", "--overflow", "fail", environment={"LEAP_HOME": folder})
    shown = "".join(chat.enter("What is the capital of Portugal?") for _ in range(6))
    check("--overflow fail refuses", "error:" in shown and "oldest" not in shown, shown)
    chat.leave()


def tools(leap, folder):
    path = os.path.join(folder, "tools.json")
    pathlib.Path(path).write_text(json.dumps(WEATHER))
    chat = Chat(leap, "--tools", path, "--system", "You are a helpful assistant.", environment={"LEAP_HOME": folder})
    chat.send("What is the weather in Lisbon?\r")
    check("the result of a call is asked for", chat.prompt("result of get_weather> "), chat.screen.text)
    chat.send("/stats\r")
    check("commands work there", chat.until("last answer") and chat.prompt("result of get_weather> "), chat.screen.text)
    chat.enter('{"temperature": 24, "conditions": "sunny"}', "24")
    chat.send("What is the weather in Paris?\r")
    chat.prompt("result of get_weather> ")
    chat.send("/reset\r")
    check("a command that begins anew ends the asking", chat.prompt(), chat.screen.text)
    chat.send("What is the weather in Paris?\r")
    chat.prompt("result of get_weather> ")
    chat.send(CTRL["C"])
    check("so does Ctrl-C", chat.prompt(), chat.screen.text)
    check("/tools lists them", "get_weather" in chat.enter("/tools", "tools:"))
    chat.enter("/reset", "new")
    chat.send("What is the weather in Paris?\r")
    chat.prompt("result of get_weather> ")
    chat.enter("sunny", "> ")
    chat.enter("/tools none", "no tools")
    shown = chat.enter("What is the weather in Lisbon?")
    check("a call of a tool that is not there is answered by the program", "result of" not in shown, shown)
    check("Ctrl-D leaves", chat.leave() == 0)


def sounds(leap, folder):
    said = os.path.join(folder, "said.wav")
    pathlib.Path(said).write_bytes((ROOT / "Sources/LeapAudioDemoModel/Resources/lamp.wav").read_bytes())
    chat = Chat(leap, "--max-tokens", "3", model="demo-audio", columns=200, environment={"LEAP_HOME": folder})
    chat.send(f"/audio {folder}/sa\t")
    check("Tab completes the name of a sound", chat.until(lambda s: s.text.endswith("said.wav")), chat.screen.text)
    shown = chat.enter(b"", "goes with the next message")
    check("/audio tells the length of a sound", re.search(r"said\.wav \(\d+\.\d s, \d+ bytes\); 1 sound goes", shown), shown)
    chat.enter("What was said?")
    parts = saved(chat, folder)[0]["content"]
    check("a sound goes with its message", [part["type"] for part in parts] == ["input_audio", "text"], [part["type"] for part in parts])
    shown = chat.enter("/audio", "attached")
    check("and with no other", "(no sound is attached)" in shown, shown)
    shown = chat.enter("/audio none.wav", "error")
    check("a sound that is not there is told by its name", "/audio none.wav: there is no file that can be read" in shown, shown)
    check("Ctrl-D leaves", chat.leave() == 0)
    chat = Chat(leap, columns=200, environment={"LEAP_HOME": folder})
    shown = chat.enter(f"/audio {said}", "error")
    check("a model that hears nothing says so", "mmproj" in shown, shown)
    chat.leave()


def sizes(leap, folder):
    chat = Chat(leap, columns=40, rows=10, environment={"LEAP_HOME": folder})
    chat.folder = folder
    text = "/system " + "abcdefghij" * 12
    chat.send(text)
    expected = ["> " + text[:38]] + [text[i:i + 40] for i in range(38, len(text), 40)]
    check("a long line wraps at 40 columns", chat.until(lambda s: s.text.splitlines()[-4:] == expected), chat.screen.text)
    chat.send(CTRL["A"] + RIGHT * 8 + b"X")
    wrapped = text[:8] + "X" + text[8:]
    expected = ["> " + wrapped[:38]] + [wrapped[i:i + 40] for i in range(38, len(wrapped), 40)]
    check("and is edited in its first row", chat.until(lambda s: s.text.splitlines()[-4:] == expected and s.column == 11), chat.screen.text)
    chat.resize(60, 10)
    chat.enter(b"", "(new conversation)")
    check("the width may change meanwhile", system(chat) == wrapped[8:], system(chat))
    lines = "\n".join(f"line {i}" for i in range(40))
    chat.send(b"\x1b[200~" + lines.encode() + b"\x1b[201~")
    check("a long paste is folded", chat.until(lambda s: s.text.endswith("> [pasted 40 lines]")), chat.screen.text)
    chat.send(CTRL["C"])
    chat.prompt()
    chat.leave()
    for columns in (40, 200):
        chat = Chat(leap, columns=columns, environment={"LEAP_HOME": folder})
        chat.enter("Tell me a story about a fox and a silver key.", "always comes back")
        lines = chat.screen.everything.splitlines()
        words = re.findall(r"\w+", " ".join(lines[1:]))
        check(f"an answer breaks between words at {columns} columns",
              max(map(len, lines[2:])) <= min(columns, 100) and "silver" in words and "kindness" in words, lines)
        chat.leave()
    chat = Chat(leap, environment={"LEAP_HOME": folder, "LANG": "", "LC_ALL": ""})
    check("without a locale the model answers", "Lisbon" in chat.enter("What is the capital of Portugal?", "Lisbon"))
    chat.leave()


def outputs(leap, folder):
    full = Program([leap, "chat", "demo", "--temperature", "0"], standard_output="/dev/full", environment={"LEAP_HOME": folder})
    full.prompt()
    full.send("What is the capital of Portugal?\r")
    status = full.end()
    check("a full standard output is a status and a line", status == 74 and "standard output cannot be written" in full.screen.everything, (status, full.screen.text))
    slow = Chat(leap, environment={"LEAP_HOME": folder})
    slow.send("Tell me a story about a fox and a silver key.\r")
    while b"always comes back" not in slow.raw:
        data = os.read(slow.terminal, 1)
        slow.raw += data
        slow.screen.feed(data)
    check("a slow terminal gets all of it", slow.prompt(), slow.screen.text)
    slow.leave()
    run = subprocess.run([leap, "chat", "demo", "--temperature", "0"], input=b"What is the capital of Portugal?", capture_output=True)
    check("a last line without its end is answered", b"Lisbon" in run.stdout and run.returncode == 0, run)
    run = subprocess.run([leap, "chat", "demo", "--temperature", "0"], stdin=subprocess.DEVNULL, capture_output=True)
    check("no input is a chat without messages", run.returncode == 0 and run.stdout == b"", run)


def tour(leap, folder):
    demo = Program([leap, "demo"], environment={"LEAP_HOME": folder})
    stops = 0
    while demo.until(lambda s: s.text.endswith("end the tour]")) and stops < 20:
        stops += 1
        if stops == 2:
            break
        demo.send("\r")
        demo.until(lambda s: not s.text.endswith("end the tour]"))
    check("the tour says what Return and Ctrl-D do", stops == 2, demo.screen.text)
    demo.send(CTRL["D"])
    check("and Ctrl-D ends it", demo.end() == 0, demo.screen.text)
    run = subprocess.run([leap, "demo"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    check("the tour shows structured output", re.search(r'\{"', run.stdout) and "schema" in run.stdout.lower(), run.stdout)


def main():
    leap = os.path.abspath(sys.argv[1])
    parts = [keys, histories, messages, replies, thinking, contexts, tools, sounds, sizes, outputs, tour]
    for part in parts:
        if len(sys.argv) > 2 and part.__name__ not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            part(leap, folder)
    print("all checks passed")


if __name__ == "__main__":
    main()
