// Takes the microphone's samples and plays those of answers, in the audio thread.

import { Resampler } from "/page/resampler.js";
import { level, sessionRate, toIntegers } from "/page/sound.js";

/// The seconds between reports.
const interval = 0.04;
/// The seconds of an answer that are waited for before it begins, so that it does not stop right away.
const head = 0.2;

/// Sends pieces of `{samples, level}` at the session's rate; after "flush" the rest, with `isLast`; "close" ends it.
class Microphone extends AudioWorkletProcessor {
  #resampler = new Resampler(sampleRate, sessionRate);
  #samples = [];
  #isOpen = true;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data === "flush") this.#send(true);
      else this.#isOpen = false;
    };
  }

  process([channels]) {
    if (channels.length > 0) {
      const mixed = channels[0].map((_, index) => channels.reduce((sum, channel) => sum + channel[index], 0) / channels.length);
      this.#samples.push(...this.#resampler.process(mixed));
      if (this.#samples.length >= sessionRate * interval) this.#send(false);
    }
    return this.#isOpen;
  }

  #send(isLast) {
    this.port.postMessage({ samples: toIntegers(this.#samples), level: level(this.#samples), isLast });
    this.#samples = [];
  }
}

/// Plays samples at the session's rate: `{begin}` starts a sound, `{samples}` go on with it, `{end}` says that it is whole, `{flush}`
/// drops the rest. Sends `{id, played, level}` while it plays, with `isOver` at the end; `played` is in seconds.
class Speaker extends AudioWorkletProcessor {
  #id = 0;
  #resampler = null;
  #queue = [];
  #queued = 0;
  #played = 0;
  #isWhole = false;
  #isPlaying = false;
  #heard = [];

  constructor() {
    super();
    this.port.onmessage = ({ data }) => this.#take(data);
  }

  #take({ begin, samples, end, flush }) {
    if (begin) {
      this.#drop();
      this.#id = begin;
      this.#resampler = new Resampler(sessionRate, sampleRate);
      this.#played = 0;
      this.#isWhole = false;
    } else if (samples) {
      const piece = this.#resampler.process(samples);
      this.#queue.push(piece);
      this.#queued += piece.length;
    } else if (end) {
      this.#isWhole = true;
    } else if (flush) {
      this.#drop();
      this.#report(true);
    }
  }

  #drop() {
    this.#queue = [];
    this.#queued = 0;
    this.#isPlaying = false;
  }

  #report(isOver) {
    this.port.postMessage({ id: this.#id, played: this.#played / sampleRate, level: level(this.#heard), isOver });
    this.#heard = [];
  }

  process(_, [channels]) {
    if (!this.#isPlaying) this.#isPlaying = this.#queued > 0 && (this.#isWhole || this.#queued >= head * sampleRate);
    if (!this.#isPlaying) {
      if (this.#isWhole && this.#queued === 0) this.#finish();
      return true;
    }
    const output = channels[0];
    let count = 0;
    while (count < output.length && this.#queue.length > 0) {
      const piece = this.#queue[0].subarray(0, output.length - count);
      output.set(piece, count);
      count += piece.length;
      if (piece.length === this.#queue[0].length) this.#queue.shift();
      else this.#queue[0] = this.#queue[0].subarray(piece.length);
    }
    for (const channel of channels.slice(1)) channel.set(output);
    this.#queued -= count;
    this.#played += count;
    this.#heard.push(...output.subarray(0, count));
    if (this.#queued === 0) {
      this.#isPlaying = false;
      if (this.#isWhole) return this.#finish();
    }
    if (this.#heard.length >= interval * sampleRate) this.#report(false);
    return true;
  }

  #finish() {
    this.#isWhole = false;
    this.#report(true);
    return true;
  }
}

registerProcessor("microphone", Microphone);
registerProcessor("speaker", Speaker);
