"""A terminal to run programs in: what they draw, as a person would see it. Needs the standard library only."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

# Seconds that what must come is waited for; for what never does.
LIMIT = float(os.environ.get("LEAP_CHECK_LIMIT", "300"))


class Screen:
    """The cells of a terminal that understands what `leap` writes: text, line ends, CSI A B C D H J K m, and modes it need not know."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[" "] * columns for _ in range(rows)]
        self.history = []
        self.row = self.column = 0
        self.wraps = False
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.sequence = ""
        # The style of each cell that has one, by row and column; rows count from the first that was ever shown.
        self.styles = {}
        self.style = ""

    @property
    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines).rstrip()

    @property
    def everything(self):
        """What scrolled away too."""
        return "\n".join(["".join(line).rstrip() for line in self.history] + [self.text])

    def feed(self, data):
        for character in self.decoder.decode(data):
            self._character(character)

    def _character(self, character):
        if self.sequence:
            self.sequence += character
            body = self.sequence[1:]
            if body[0] not in "[]PG_" or (body[0] == "[" and len(body) > 1 and "@" <= character <= "~"):
                if body[0] == "[":
                    self._control(body[1:-1], character)
                self.sequence = ""
            elif body[0] in "]P_G" and (character == "\a" or self.sequence.endswith("\x1b\\")):
                self.sequence = ""
        elif character == "\x1b":
            self.sequence = character
        elif character == "\r":
            self.column, self.wraps = 0, False
        elif character == "\n":
            self._down()
            self.wraps = False
        elif character == "\b":
            self.column, self.wraps = max(0, self.column - 1), False
        elif character >= " ":
            width = 0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if width == 0:
                return
            if self.wraps or self.column + width > self.columns:
                self.column, self.wraps = 0, False
                self._down()
            self.lines[self.row][self.column] = character
            place = (len(self.history) + self.row, self.column)
            self.styles.pop(place, None)
            if self.style:
                self.styles[place] = self.style
            if width == 2 and self.column + 1 < self.columns:
                self.lines[self.row][self.column + 1] = ""
            self.column += width
            if self.column >= self.columns:
                self.column, self.wraps = self.columns - 1, True

    def _down(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.history.append(self.lines.pop(0))
            self.lines.append([" "] * self.columns)

    def _control(self, parameters, final):
        if final == "m":
            self.style = "" if parameters in ("", "0") else parameters
            return
        if parameters.startswith("?"):
            return
        numbers = [int(n or 0) for n in parameters.split(";")]
        count = max(1, numbers[0])
        self.wraps = False
        if final == "A":
            self.row = max(0, self.row - count)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + count)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif final == "D":
            self.column = max(0, self.column - count)
        elif final == "H":
            self.row = self.column = 0
        elif final in "JK":
            if final == "J" and numbers[0] == 2:
                self.lines = [[" "] * self.columns for _ in range(self.rows)]
                return
            self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)
            if final == "J":
                for row in range(self.row + 1, self.rows):
                    self.lines[row] = [" "] * self.columns
        else:
            raise AssertionError(f"the sequence ESC [ {parameters} {final} is not known")


class Program:
    """A program with a terminal of its own, which is its controlling one."""

    def __init__(self, arguments, columns=80, rows=24, environment=None, folder=None, standard_output=None):
        self.screen = Screen(columns, rows)
        self.raw = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            variables = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
            variables |= environment or {}
            if folder:
                os.chdir(folder)
            if standard_output is not None:
                os.dup2(os.open(standard_output, os.O_WRONLY), 1)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(arguments[0], arguments, variables)
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, data):
        """Types; a program that is slow to read is waited for, while what it draws is read."""
        data = data.encode() if isinstance(data, str) else data
        while data:
            readable, writable, _ = select.select([self.terminal], [self.terminal], [], 60)
            if readable:
                self._read()
            if writable:
                data = data[os.write(self.terminal, data[:512]):]
            assert readable or writable, "the program neither reads nor writes"

    def _read(self):
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:
            data = b""
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def until(self, condition, seconds=LIMIT):
        """Reads until the screen satisfies the condition: a text that is on it, a pattern, or a function of it."""
        if isinstance(condition, str):
            text = condition
            condition = lambda screen: text in screen.everything
        elif isinstance(condition, re.Pattern):
            pattern = condition
            condition = lambda screen: pattern.search(screen.everything)
        end = time.monotonic() + seconds
        while not condition(self.screen):
            if time.monotonic() > end:
                return False
            if select.select([self.terminal], [], [], 0.05)[0] and not self._read():
                return bool(condition(self.screen))
        return True

    def prompt(self, text="> "):
        """Waits for a prompt with nothing behind it."""
        return self.until(lambda screen: "".join(screen.lines[screen.row]).rstrip() == text.rstrip() and screen.column == len(text))

    def settings(self):
        return termios.tcgetattr(self.terminal)

    def end(self, seconds=LIMIT):
        """Waits for the program's end: its exit status, or minus the signal that ended it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.02)[0] and not self._read():
                time.sleep(0.02)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                while select.select([self.terminal], [], [], 0)[0] and self._read():
                    pass
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        return None
