// One exchange of a spoken conversation.

import { sessionRate } from "/page/sound.js";

let count = 0;

export class VoiceTurn {
  /// Tells its response from others.
  id = `turn-${count += 1}`;
  /// The session's names for what the person said, the response, and what the model says.
  userItem = null;
  response = null;
  item = null;
  /// What the person said, as far as it is understood, and whether all of it is.
  heard = "";
  isHeard = false;
  /// Whether nothing more comes of the answer, from the server and for the person.
  isWritten = false;
  isOver = false;
  isInterrupted = false;
  #pieces = [];
  #samples = 0;

  /// What the model said.
  get said() { return this.#pieces.map((piece) => piece.text).join(""); }
  /// Milliseconds of its sound.
  get length() { return Math.floor(this.#samples * 1000 / sessionRate); }

  say(text) { this.#pieces.push({ text, at: this.length }); }

  add(samples) { this.#samples += samples.length; }

  /// Forgets what came behind a point of the sound, as the server does.
  cut(end) { this.#pieces = this.#pieces.filter((piece) => piece.at <= end); }
}
