"""Spoken conversations, with sound files as the microphone."""

import contextlib
import json
import pathlib
import shutil
import signal
import tempfile
import wave

from support import lasting_port, metric

from .browser import Browser, Failure
from .looks import axe, is_narrow, judge
from .page import Page, check, server, wait_for

FIXTURES = pathlib.Path(__file__).parents[2] / "Fixtures"
SENTENCES = FIXTURES / "audio-demo"

# What reaches the loudspeaker, and the microphones that were opened; from before the page's first script on.
WATCH_SOUND = """
  window.taps = []; window.streams = []; window.peak = 0;
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const tap = new AnalyserNode(this.context);
      connect.call(this, tap);
      window.taps.push(tap);
    }
    return connect.call(this, target, ...rest);
  };
  window.loudness = () => Math.max(0, ...window.taps.map(tap => {
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    return Math.max(...samples.map(Math.abs));
  }));
  setInterval(() => { window.peak = Math.max(window.peak, window.loudness()); }, 20);
  if (navigator.mediaDevices) {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      await window.microphoneWaits;
      const stream = await open(wanted);
      window.streams.push(stream);
      return stream;
    };
  }
  window.picture = () => document.querySelector('#voice-orb').toDataURL();
"""


def sound(path, *parts):
    """Writes a file of sentences, by their numbers, and of silence, in seconds."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        for part in parts:
            if isinstance(part, float):
                file.writeframes(bytes(2 * int(part * 16_000)))
                continue
            with wave.open(str(SENTENCES / part)) as sentence:
                file.writeframes(sentence.readframes(sentence.getnframes()))
    return path


@contextlib.contextmanager
def recording(*parts):
    """A file of sentences and silence for as long as it is needed; by default a question that is asked once."""
    with tempfile.TemporaryDirectory() as folder:
        yield sound(pathlib.Path(folder) / "recording.wav", *(parts or (0.4, "000.wav", 20.0)))


class VoicePage(Page):
    """The page with a microphone that hears a file, once or again and again."""

    def __init__(self, file, loops=False, permitted=True, more=()):
        super().__init__(arguments=[
            "--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={file}{'' if loops else '%noloop'}",
            "--autoplay-policy=user-gesture-required", *(["--use-fake-ui-for-media-stream"] if permitted else []), *more])
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH_SOUND)

    def speak(self):
        """Opens the panel and waits for its session."""
        self.click("#voice-button")
        self.is_in("idle")

    def hold(self, seconds):
        """Holds the button until the microphone has heard some seconds."""
        self.held = self.count_sent()
        self.click("#voice-talk", ["mouseMoved", "mousePressed"])
        self.hears(seconds, self.held)

    def release(self):
        self.click("#voice-talk", ["mouseReleased"])

    def is_in(self, *states, seconds=120):
        return self.wait(f"{json.dumps(states)}.includes(document.querySelector('#voice').dataset.state)", seconds)

    def text(self, name):
        return self.js(f"document.querySelector('#voice-{name}').textContent")

    def session_events(self, kind, way, since=0):
        events = (json.loads(event["response"]["payloadData"]) for event in self.heard(f"Network.webSocketFrame{way}")[since:])
        return [event for event in events if event["type"] == kind]

    def sent_events(self, kind, since=0):
        """The page's events of a kind to the session."""
        return self.session_events(kind, "Sent", since)

    def count_sent(self):
        return len(self.heard("Network.webSocketFrameSent"))

    def seconds_sent(self, since=0):
        """The length of the sound that was sent."""
        return sum(len(event["audio"]) for event in self.sent_events("input_audio_buffer.append", since)) * 3 / 4 / 48_000

    def hears(self, seconds, since):
        """Waits until some seconds of sound were sent."""
        if not wait_for(lambda: self.seconds_sent(since) >= seconds):
            raise Failure(f"of {seconds} seconds of sound {self.seconds_sent(since)} were sent")

    def microphones(self):
        """How many microphones are open."""
        return self.js("window.streams.flatMap(stream => stream.getTracks()).filter(track => track.readyState === 'live').length")


def check_sound_modules(page):
    found = page.js("""(async () => {
      const { Resampler } = await import('/page/resampler.js'), { fromBase64, level, toBase64, toIntegers } = await import('/page/sound.js');
      const tone = (pitch, rate, seconds = 0.5) => Float32Array.from({ length: rate * seconds }, (_, index) => 0.5 * Math.sin(2 * Math.PI * pitch * index / rate));
      const brought = (samples, from, to, size) => { const one = new Resampler(from, to), all = []; for (let at = 0; at < samples.length; at += size) all.push(...one.process(samples.subarray(at, at + size))); return Float32Array.from(all) };
      const middle = samples => samples.slice(1000, -1000);
      const power = samples => Math.sqrt(middle(samples).reduce((sum, value) => sum + value * value, 0) / middle(samples).length);
      const difference = (a, b) => Math.max(...middle(a).map((value, index) => Math.abs(value - middle(b)[index])));
      const result = {};
      for (const [from, to] of [[48000, 24000], [44100, 24000], [24000, 44100], [16000, 24000], [24000, 24000]]) {
        const heard = brought(tone(1000, from), from, to, 128);
        result[`${from} ${to}`] = [Math.abs(heard.length - to / 2), difference(heard, tone(1000, to)), difference(heard, brought(tone(1000, from), from, to, 4096))];
      }
      result.alias = power(brought(tone(15000, 48000), 48000, 24000, 128));
      const samples = tone(440, 24000, 0.1);
      result.round = Math.max(...fromBase64(toBase64(toIntegers(samples))).map((value, index) => Math.abs(value - samples[index])));
      result.integers = [...toIntegers([2, -2, 0.5])];
      result.levels = [level(new Float32Array(100)), level(tone(440, 24000)), level([1, -1])];
      return result })()""")
    rates = {key: value for key, value in found.items() if " " in key}
    check("sound: at another rate a tone is the same tone, in pieces of any size",
          all(length < 60 and error < 0.01 and pieces < 1e-5 for length, error, pieces in rates.values()), rates)
    check("sound: what the lower rate cannot carry is left out", found["alias"] < 0.004, found)
    check("sound: samples of 16 bits as text, and back", found["round"] < 1e-4 and found["integers"] == [32767, -32767, 16384], found)
    check("sound: levels", found["levels"][0] == 0 and 0.5 < found["levels"][1] < 1 and found["levels"][2] == 1, found["levels"])


def check_push_to_talk(page, address):
    rules = axe()
    page.open(address)
    check("voice: a model that hears has a button for it", page.js("document.querySelector('#voice-button').checkVisibility()"))
    page.speak()
    check("voice: the panel takes the focus", page.focused() == "voice-talk" and page.text("status") == "Tap to speak", page.focused()[:80])
    check("voice: no microphone is open before somebody wants to speak", page.js("window.streams.length") == 0)
    for scheme in ["light", "dark"]:
        page.media(prefers_color_scheme=scheme)
        judge(page, f"{scheme}, speaking", rules)
    page.media(prefers_color_scheme="light")
    page.size(320, 640, 1, True)
    page.wait("innerWidth === 320")
    is_narrow(page, "speaking", 320)
    page.size(1280, 860)
    page.press("Escape")
    page.wait("!document.querySelector('#voice').open")
    page.press("v", alt=True)
    check("voice: Alt and V opens the panel", page.is_in("idle"))

    since = page.count_sent()
    page.click("#voice-talk", ["mouseMoved", "mousePressed"])
    page.is_in("listening")
    check("voice: held, the button listens", page.text("status") == "Listening…" and page.microphones() == 1, page.text("status"))
    pictures = set()
    check("voice: the orb moves", wait_for(lambda: pictures.add(page.js("window.picture()")) or len(pictures) > 3), len(pictures))
    page.hears(2.2, since)
    page.release()
    page.is_in("playing")
    check("voice: released, it sends, and the answer is played", page.wait("window.peak > 0.02") and page.microphones() == 0, page.js("window.peak"))
    page.is_in("idle")
    page.wait("document.querySelector('#voice-heard').getAttribute('aria-busy') === 'false'")
    heard, said = page.text("heard"), page.text("said")
    check("voice: both are written down", heard == "What is the capital of Germany?" and "Berlin" in said, [heard, said])
    check("voice: the turn's end was told by the page", len(page.sent_events("input_audio_buffer.commit", since)) == 1
          and page.sent_events("session.update")[0]["session"]["audio"]["input"]["turn_detection"] is None)
    check("voice: captions are read out, and wait until they are whole", page.js(
        "(node => node.getAttribute('aria-live') + node.querySelector('#voice-said').getAttribute('aria-busy'))(document.querySelector('#voice-captions'))") == "politefalse")
    check("voice: what was said is in the conversation", page.texts(".user-text") == [heard] and page.texts(".message.assistant .prose") == [said], page.texts(".message"))
    return heard


def check_keys(page):
    since = page.count_sent()
    page.press(" ", kinds=["keyDown"])
    page.is_in("listening")
    page.hears(2.2, since)
    # As Enter does, as soon as there is something to hear; what is heard then by the clock of the sound, a quarter of a second later.
    page.js("""window.interrupted = new Promise(resolve => {
      const timer = setInterval(() => {
        if (document.querySelector('#voice').dataset.state !== 'playing' || window.loudness() < 0.01) return;
        clearInterval(timer);
        const button = document.querySelector('#voice-talk'), label = button.getAttribute('aria-label');
        const context = window.taps.map(tap => tap.context).findLast(context => context.state === 'running'), end = context.currentTime + 0.25;
        button.click();
        const clock = setInterval(() => {
          if (context.currentTime < end) return;
          clearInterval(clock);
          resolve([label, window.loudness()]);
        }, 5);
      }, 5);
    }); true""")
    since = page.count_sent()
    page.press(" ", kinds=["keyUp"])
    label, loudness = page.js("window.interrupted")
    check("voice: the space key does the same", label == "Interrupt and speak", label)
    page.is_in("listening")
    wait_for(lambda: page.sent_events("conversation.item.truncate", since))
    cut = page.sent_events("conversation.item.truncate", since)
    item = cut[0]["item_id"]
    rest = sum(len(event["delta"]) for event in page.session_events("response.output_audio.delta", "Received") if event["item_id"] == item) / 64 - cut[0]["audio_end_ms"]
    check("voice: an answer that is interrupted is silent at once", rest > 0 and loudness == 0, [rest, loudness])
    check("voice: a press interrupts an answer, which is forgotten from where it was heard to", len(cut) == 1 and 0 < cut[0]["audio_end_ms"] < 60_000, cut)
    check("voice: and listens until it is pressed again", page.text("status") == "Listening…")
    page.hears(2.2, page.count_sent())
    page.press("Enter")
    page.is_in("playing", "idle")
    page.is_in("idle")
    page.wait("document.querySelectorAll('.message').length === 6")
    check("voice: an interrupted answer says so", page.texts(".problem") == ["Stopped."], page.texts(".message"))
    page.click("#voice-talk")
    page.is_in("listening")
    page.click("#voice-stop")
    check("voice: stopped, what was said is forgotten", page.is_in("idle") and page.microphones() == 0 and page.count(".message") == 6)
    page.press(" ")
    page.is_in("listening")
    page.press("Escape")
    page.wait("!document.querySelector('#voice').open")
    check("voice: Escape ends it all", wait_for(lambda: page.microphones() == 0) is not None and page.focused() == "voice-button", page.focused())


def check_given_up(page, address, process):
    """Answers that are ended before they are there."""
    page.open(address)
    page.new()
    page.speak()
    page.hold(2.2)
    process.send_signal(signal.SIGSTOP)
    try:
        page.release()
        page.is_in("taking")
        wait_for(lambda: page.sent_events("response.create", page.held))
        page.click("#voice-stop")
        page.is_in("idle")
    finally:
        process.send_signal(signal.SIGCONT)
    check("voice: what was sent can be taken back, and the session forgets it",
          wait_for(lambda: page.session_events("conversation.item.deleted", "Received")) and page.sent_events("response.cancel", page.held) != [])
    since = page.count_sent()
    page.js("""new MutationObserver((_, observer) => {
      if (document.querySelector('#voice').dataset.state !== 'responding') return;
      observer.disconnect();
      document.querySelector('#voice-talk').click();
    }).observe(document.querySelector('#voice'), {attributes: true})""")
    page.hold(2.2)
    page.release()
    page.wait("document.querySelector('#voice').dataset.state === 'listening' && document.querySelector('#voice-heard').hidden")
    check("voice: an answer that has not begun is cancelled", wait_for(lambda: [
        event for event in page.session_events("response.done", "Received") if event["response"]["status"] == "cancelled"])
        and len(page.sent_events("response.cancel", since)) == 1 and page.sent_events("conversation.item.truncate", since) == [])
    page.hears(2.2, page.count_sent())
    page.press("Enter")
    page.is_in("playing")
    check("voice: and the next one is another", "Berlin" in page.wait("document.querySelector('#voice-said').textContent"))
    page.press("Escape")


def check_halted(page, address):
    """A browser that stops playing, as one does where the output device goes."""
    page.open(address)
    page.new()
    page.speak()
    page.hold(2.2)
    page.release()
    page.is_in("playing")
    page.wait("window.loudness() > 0.01")
    page.js("window.taps[0].context.suspend()")
    page.is_in("idle")
    check("voice: an answer that cannot be played on is told", "check the output device" in page.text("problem"), page.text("problem"))
    page.wait("document.querySelectorAll('.message').length === 2")
    check("voice: and is in the conversation as interrupted", page.texts(".problem") == ["Stopped."]
          and page.sent_events("conversation.item.truncate", page.held)[0]["audio_end_ms"] > 0, page.texts(".message"))
    page.click("#voice-problem button")
    page.is_in("listening")
    page.hears(2.2, page.count_sent())
    page.press("Enter")
    page.is_in("playing")
    check("voice: afterwards it goes on", page.is_in("idle") and page.js("document.querySelector('#voice-problem').hidden"))
    page.press("Escape")


def check_written(program):
    """A model that hears, and answers in writing."""
    with recording() as file:
        model = file.parent / "ears.gguf"
        shutil.copy(FIXTURES / "vision/vision.gguf", model)
        shutil.copy(FIXTURES / "audio/mmproj-audio.gguf", file.parent / "mmproj-ears.gguf")
        with server(program, str(model), "--context", "160") as (address, _), VoicePage(file) as page:
            page.open(address)
            page.speak()
            page.hold(1.2)
            page.release()
            page.wait("!document.querySelector('#voice-said').hidden")
            page.is_in("idle")
            check("voice: a model that does not speak answers in writing", page.sent_events("session.update")[0]["session"]["output_modalities"] == ["text"]
                  and page.text("said") != "" and page.js("window.peak") == 0, page.text("said"))


def check_hands_free(page, address):
    page.open(address)
    page.speak()
    # Nobody speaks before an answer begins, however long that takes.
    page.js("""new MutationObserver(() => {
      for (const stream of window.streams) stream.getTracks()[0].enabled = document.querySelector('#voice').dataset.state !== 'responding';
    }).observe(document.querySelector('#voice'), {attributes: true})""")
    page.js("document.querySelector('#voice-hands-free').click()")
    since = page.count_sent()
    page.is_in("listening")
    check("voice: hands-free, the server hears that somebody speaks", page.sent_events("session.update", 0)[-1]["session"]["audio"]["input"]["turn_detection"]["type"] == "server_vad")
    page.is_in("responding", "playing")
    page.is_in("playing")
    check("voice: hands-free, a pause is enough for an answer", page.sent_events("input_audio_buffer.commit", since) == []
          and page.sent_events("response.create", since) == [] and page.microphones() == 1)
    for _ in range(10):
        since = page.count_sent()
        page.is_in("playing")
        page.is_in("listening")
        # One that began in a pause of the conversation interrupted nothing.
        if wait_for(lambda: page.sent_events("conversation.item.truncate", since), 2):
            break
    cut = page.sent_events("conversation.item.truncate")
    check("voice: who speaks interrupts the answer, which is forgotten from there on", cut != [] and cut[-1]["audio_end_ms"] > 0, cut)
    check("voice: and nothing is played any more", page.wait("document.querySelector('#voice').dataset.state === 'listening' && window.loudness() === 0"))
    page.js("document.querySelector('#voice-hands-free').click()")
    page.is_in("idle")
    check("voice: without hands-free the microphone is closed", page.microphones() == 0)
    page.press("Escape")


def check_stillness(page, address):
    page.media(prefers_reduced_motion="reduce")
    page.open(address)
    page.settings(handsFree=False)
    page.speak()
    page.click("#voice-talk")
    page.is_in("listening")
    still = page.js("window.picture()")
    lit = page.wait("document.querySelectorAll('#voice-meter .lit').length")
    check("voice: where nothing shall move, a meter tells how loud it is, and the orb rests",
          lit > 0 and all(page.js("window.picture()") == still for _ in range(5)) and page.js("document.querySelector('#voice-meter').checkVisibility()"))
    page.press("Escape")
    page.media()


def check_microphone(page, address):
    def ask(state="idle"):
        page.click("#voice-talk")
        page.wait("!document.querySelector('#voice-problem').hidden")
        page.is_in(state)
        return page.text("problem")
    page.call("Browser.setPermission", permission={"name": "microphone"}, setting="denied", origin=address)
    page.open(address)
    page.speak()
    found = ask()
    check("voice: a microphone that is not permitted is told", "not permitted" in found and page.text("status") == "Something went wrong", found)
    judge(page, "a problem", axe())
    page.call("Browser.setPermission", permission={"name": "microphone"}, setting="granted", origin=address)
    page.click("#voice-problem button")
    page.is_in("listening")
    check("voice: permitted, it can be tried again", page.js("document.querySelector('#voice-problem').hidden") and page.focused() == "voice-talk")
    page.js("window.streams.at(-1).getTracks()[0].dispatchEvent(new Event('ended'))")
    page.is_in("idle")
    check("voice: a microphone that goes away is told", "microphone is gone" in page.text("problem"), page.text("problem"))
    page.js("window.microphoneWaits = Promise.reject(new DOMException('', 'NotFoundError')); true")
    found = ask()
    check("voice: and that there is none", "There is no microphone" in found, found)
    page.js("window.microphoneWaits = null; true")
    page.press("Escape")


def check_connection(program):
    port = str(lasting_port())
    with recording() as file, VoicePage(file) as page:
        with server(program, "demo-audio", "--api-key", "right", "--port", port) as (address, process):
            Browser.open(page, address)
            page.wait("document.querySelector('#key-dialog').open")
            page.write("right")
            page.press("Enter")
            page.wait("document.querySelector('#model-state').textContent === '' && !document.querySelector('#voice-button').hidden && !document.querySelector('#key-dialog').open")
            page.speak()
            check("voice: the key goes with the session", page.text("status") == "Tap to speak")
            page.click("#voice-talk")
            page.is_in("listening")
            process.kill()
            process.wait()
            page.wait("!document.querySelector('#voice-problem').hidden")
            check("voice: a lost connection is told, and the microphone closed", "connection to the server broke" in page.text("problem") and page.microphones() == 0, page.text("problem"))
            page.click("#voice-problem button")
            page.wait("document.querySelector('#voice').dataset.state === 'unavailable' && !document.querySelector('#voice-problem').hidden")
        with server(program, "demo-audio", "--api-key", "right", "--port", port):
            page.click("#voice-problem button")
            check("voice: once the server is back, it goes on", page.is_in("idle") and page.text("status") == "Tap to speak", page.text("status"))


def check_unsafe(program):
    with recording() as file, server(program, "demo-audio", "--allow-host", "open-leap.example") as (address, _), VoicePage(
            file, more=["--host-resolver-rules=MAP open-leap.example 127.0.0.1"]) as page:
        page.open(address.replace("127.0.0.1", "open-leap.example"))
        page.click("#voice-button")
        page.wait("!document.querySelector('#voice-problem').hidden")
        check("voice: a page that is not safe has no microphone, and says why", "https://" in page.text("problem")
              and page.js("document.querySelector('#voice-talk').getAttribute('aria-disabled')") == "true" and page.count("#voice-problem button") == 0, page.text("problem"))


def check_voice(program):
    with recording() as once, server(program, "demo-audio") as (address, process):
        with VoicePage(once) as page:
            check_push_to_talk(page, address)
            check_keys(page)
            check_given_up(page, address, process)
            check_halted(page, address)
            check("voice: closed, nothing goes on at the server", wait_for(lambda: metric(address, "leap_generations_active") == 0
                  and metric(address, "leap_http_requests_active") == 1))
            check_sound_modules(page)
            check("voice: no violation of the policy", page.js("window.violations") == [], page.js("window.violations"))
        check("the server is still running", process.poll() is None)


def check_voice_without_hands(program):
    with recording(0.5, "000.wav", 1.0) as again, server(program, "demo-audio") as (address, process):
        with VoicePage(again, loops=True) as page:
            check_hands_free(page, address)
            check_stillness(page, address)
        check("the server is still running", process.poll() is None)


def check_voice_microphone(program):
    with recording() as once, server(program, "demo-audio") as (address, process):
        with VoicePage(once, permitted=False) as page:
            check_microphone(page, address)
        check("the server is still running", process.poll() is None)


VOICE_PARTS = {
    "voice": check_voice,
    "voice-without-hands": check_voice_without_hands,
    "voice-microphone": check_voice_microphone,
    "voice-written": check_written,
    "voice-connection": check_connection,
    "voice-unsafe": check_unsafe,
}
