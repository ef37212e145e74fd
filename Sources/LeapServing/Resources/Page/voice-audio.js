// The microphone and the loudspeaker of a spoken conversation.

import { sessionRate } from "/page/sound.js";

/// Milliseconds that the audio thread has to answer.
const patience = 500;

/// Why this browser has no microphone for the page; null where it has one.
export function missingAudio() {
  if (!window.isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode ? null : "unsupported";
}

/// Where sound is worked on. Has to be made when a person presses something, or the browser plays nothing.
export class VoiceAudio {
  #context = new AudioContext({ latencyHint: "interactive" });
  #speaker = null;
  #sound = 0;
  #heard = null;
  #flushed = null;
  /// Seconds that were played of the present sound.
  #played = 0;

  /// - onPlayed: called with `{level, isOver}` while a sound is played.
  constructor(onPlayed) { this.#heard = onPlayed; }

  async open() {
    await this.#context.audioWorklet.addModule("/page/voice-worklet.js");
    this.#speaker = new AudioWorkletNode(this.#context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
    this.#speaker.port.onmessage = ({ data }) => {
      if (data.id !== this.#sound) return;
      this.#played = data.played;
      if (this.#flushed && data.isOver) {
        this.#flushed(data.played);
        this.#flushed = null;
      } else {
        this.#heard(data);
      }
    };
    this.#speaker.connect(this.#context.destination);
    await this.wake();
  }

  /// Browsers let sound rest until a person presses something.
  async wake() { if (this.#context.state === "suspended") await this.#context.resume(); }

  close() { if (this.#context.state !== "closed") this.#context.close(); }

  // MARK: Playing

  begin() {
    this.#sound += 1;
    this.#played = 0;
    this.#flushed = null;
    this.#speaker.port.postMessage({ begin: this.#sound });
  }

  play(samples) { this.#speaker.port.postMessage({ samples }, [samples.buffer]); }

  /// Nothing follows of the sound that is played.
  end() { this.#speaker.port.postMessage({ end: true }); }

  /// Stops at once; the milliseconds of the sound that were heard.
  flush() {
    return new Promise((resolve) => {
      const late = this.#context.outputLatency || 0;
      const answer = (played) => resolve(Math.floor(Math.max(0, played - late) * 1000));
      const last = this.#played;
      this.#flushed = answer;
      this.#speaker.port.postMessage({ flush: true });
      // Where sound is halted by the browser or the system nobody answers.
      setTimeout(() => answer(last), patience);
    });
  }

  // MARK: Recording

  /// Opens the microphone.
  ///
  /// - onSamples: called with `{samples, level}`.
  /// - onLost: called where it goes away.
  async listen(onSamples, onLost) {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
    await this.wake();
    return new Microphone(this.#context, stream, onSamples, onLost);
  }
}

class Microphone {
  #stream;
  #source;
  #node;
  #flushed = null;
  /// Seconds that were recorded.
  recorded = 0;

  constructor(context, stream, onSamples, onLost) {
    this.#stream = stream;
    this.#source = new MediaStreamAudioSourceNode(context, { mediaStream: stream });
    this.#node = new AudioWorkletNode(context, "microphone", { outputChannelCount: [1] });
    this.#node.port.onmessage = ({ data }) => {
      this.recorded += data.samples.length / sessionRate;
      onSamples(data);
      if (data.isLast) this.#flushed?.();
    };
    // It puts nothing out; without a destination a browser need not run it.
    this.#source.connect(this.#node).connect(context.destination);
    stream.getAudioTracks()[0].addEventListener("ended", onLost);
  }

  /// Waits for what was recorded and not told yet.
  flush() {
    return new Promise((resolve) => {
      this.#flushed = resolve;
      this.#node.port.postMessage("flush");
    });
  }

  close() {
    this.#node.port.onmessage = null;
    this.#node.port.postMessage("close");
    this.#source.disconnect();
    this.#node.disconnect();
    for (const track of this.#stream.getTracks()) track.stop();
    this.#flushed?.();
  }
}
