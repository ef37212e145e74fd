// A spoken conversation over a realtime session. The states are those of LeapUi's VoiceAssistantStore.

import * as api from "/page/api.js";
import { fromBase64, toBase64 } from "/page/sound.js";
import { VoiceAudio } from "/page/voice-audio.js";
import { microphoneProblem } from "/page/voice-labels.js";
import { VoiceSession } from "/page/voice-session.js";
import { VoiceTurn } from "/page/voice-turn.js";

/// Seconds without which there is nothing to send.
const shortest = 0.15;

/// Milliseconds in which nothing of an answer is played, after which it is given up.
const patience = 5000;

export class VoiceAssistant {
  /// unavailable, idle, opening, listening, taking, responding, playing or closed.
  state = "unavailable";
  isHandsFree = false;
  /// `{kind, reason}` of what went wrong, until the next thing begins.
  problem = null;
  /// How loud the person or the model is, in 0...1.
  level = 0;
  /// The exchange that captions are of; null before the first one.
  turn = null;

  #options;
  #audio = null;
  #session = null;
  #microphone = null;
  /// Tells an opening of the microphone from those that were given up.
  #opening = 0;
  /// Exchanges that were not told yet, in order.
  #turns = [];
  /// Ends an answer that does not end.
  #timer = null;
  /// The loudspeaker, on its way to be there.
  #audioIsOpen = null;

  /// - model, instructions, temperature: what the session is made with.
  /// - speaks: whether the model does; otherwise it answers in writing.
  /// - messages: `{role, content}` of what was said before.
  /// - onChange: called after each change; onTurn: with each exchange that is over.
  constructor(options) {
    this.#options = options;
    this.isHandsFree = options.isHandsFree;
  }

  // MARK: What a person wants

  /// Connects; again after the connection was lost.
  async open() {
    this.#change("unavailable", null);
    try {
      this.#audio ??= new VoiceAudio((heard) => this.#played(heard));
      await (this.#audioIsOpen ??= this.#audio.open());
    } catch (error) {
      this.#audioIsOpen = null;
      return this.#change("unavailable", { kind: "playerUnavailable", reason: error.message });
    }
    try {
      // Asks for the key where one is needed: a WebSocket could not tell why it is refused.
      await api.models();
      if (this.state === "closed") return undefined;
      this.#connect();
    } catch (error) {
      this.#change("unavailable", error.isGone ? { kind: "connectionLost" } : { kind: "modelFailed", reason: error.message });
    }
    return undefined;
  }

  /// Does again what went wrong.
  retry() {
    if (this.state === "unavailable") this.open();
    else if (this.state === "idle") this.#listen();
  }

  /// The one button: begins to listen, sends what was said, or ends an answer.
  toggle() {
    if (this.state === "listening") this.#take();
    else if (this.state === "opening" || this.state === "taking") this.cancel();
    else this.startListening();
  }

  startListening() {
    if (this.state === "responding" || this.state === "playing") {
      this.#interrupt();
      if (this.isHandsFree) this.#change("idle");
      else this.#listen();
    } else if (this.state === "idle" && !this.#microphone) {
      this.#listen();
    }
  }

  stopListening() {
    if (this.state === "listening") this.#take();
    else if (this.state === "opening" && !this.isHandsFree) this.cancel();
  }

  /// Ends whatever goes on; what was said is forgotten.
  cancel() {
    if (this.state === "responding" || this.state === "playing") {
      this.#interrupt();
    } else if (this.state === "listening" || this.state === "taking") {
      this.#send("input_audio_buffer.clear");
      if (this.state === "taking") this.#send("response.cancel", { event_id: `end-${this.turn.id}` });
      this.#forget();
    } else if (this.state !== "opening") {
      return;
    }
    if (!this.isHandsFree || this.state === "opening") this.#closeMicrophone();
    this.#change("idle");
  }

  /// Begins and ends what is said by voice.
  setHandsFree(isOn) {
    if (isOn === this.isHandsFree) return;
    if (!["unavailable", "responding", "playing"].includes(this.state)) this.cancel();
    this.isHandsFree = isOn;
    if (!isOn) this.#closeMicrophone();
    this.#configure();
    if (isOn && this.state === "idle") this.#listen();
    else this.#change(this.state);
  }

  close() {
    clearTimeout(this.#timer);
    this.#closeMicrophone();
    this.state = "closed";
    if (this.turn && !this.turn.isOver) {
      this.turn.isInterrupted = true;
      this.#end(this.turn);
    }
    this.#tell(true);
    this.#session?.close();
    this.#audio?.close();
  }

  // MARK: The microphone

  async #listen() {
    this.#opening += 1;
    const own = this.#opening;
    this.#change("opening", null);
    try {
      const microphone = await this.#audio.listen((piece) => this.#recorded(piece), () => this.#lost());
      if (own !== this.#opening) return microphone.close();
      this.#microphone = microphone;
    } catch (error) {
      if (own !== this.#opening) return undefined;
      return this.#withoutMicrophone(microphoneProblem(error));
    }
    if (this.isHandsFree) return this.#change("idle");
    this.#begin();
    return this.#change("listening");
  }

  #closeMicrophone() {
    this.#opening += 1;
    this.#microphone?.close();
    this.#microphone = null;
    this.level = 0;
  }

  #lost() {
    if (!this.#microphone) return;
    if (this.state === "listening") this.#forget();
    this.#withoutMicrophone({ kind: "microphoneLost" });
  }

  /// Goes on without a microphone, and so without hands-free.
  #withoutMicrophone(problem) {
    this.#closeMicrophone();
    if (this.isHandsFree) {
      this.isHandsFree = false;
      this.#configure();
    }
    this.#change(this.state === "responding" || this.state === "playing" ? this.state : "idle", problem);
  }

  #recorded({ samples, level }) {
    if (this.state !== "playing") this.level = level;
    if (samples.length > 0) this.#send("input_audio_buffer.append", { audio: toBase64(samples) });
  }

  /// Sends what was said.
  async #take() {
    const { turn } = this;
    this.#change("taking");
    if (!this.isHandsFree) {
      const microphone = this.#microphone;
      await microphone.flush();
      if (this.state !== "taking" || this.turn !== turn) return;
      this.#closeMicrophone();
      if (microphone.recorded < shortest) return this.#nothing();
    }
    this.#send("input_audio_buffer.commit");
    this.#send("response.create", { response: { metadata: { turn: turn.id } } });
  }

  #nothing() {
    this.#send("input_audio_buffer.clear");
    this.#forget();
    this.#change("idle", { kind: "nothingRecorded" });
  }

  // MARK: Exchanges

  #begin() {
    this.turn = new VoiceTurn();
    this.#turns.push(this.turn);
  }

  /// Forgets the exchange that had begun.
  #forget() {
    this.#turns = this.#turns.filter((turn) => turn !== this.turn);
    this.turn = null;
  }

  /// Ends the answer: at once for the person, and as far as it was heard for the model.
  async #interrupt() {
    const { turn } = this;
    turn.isInterrupted = true;
    if (!turn.isWritten) this.#send("response.cancel", { event_id: `end-${turn.id}` });
    turn.isWritten = true;
    if (turn.length > 0) {
      const heard = Math.min(await this.#audio.flush(), turn.length);
      turn.cut(heard);
      this.#send("conversation.item.truncate", { event_id: `end-${turn.id}`, item_id: turn.item, content_index: 0, audio_end_ms: heard });
    }
    this.#end(turn);
  }

  #end(turn) {
    turn.isOver = true;
    this.#tell(false);
    this.#options.onChange();
  }

  /// Tells of the exchanges that are over and understood; at the end of all, of those that are not understood as well.
  #tell(isEnd) {
    while (this.#turns[0]?.isOver && (this.#turns[0].isHeard || isEnd)) this.#options.onTurn(this.#turns.shift());
  }

  #played({ level, isOver }) {
    if (this.state !== "playing") return;
    this.level = level;
    if (!isOver) return this.turn.isWritten ? this.#watch() : undefined;
    this.level = 0;
    this.#end(this.turn);
    return this.#change("idle");
  }

  /// Gives the answer up where nothing more is played of it.
  #watch() {
    clearTimeout(this.#timer);
    const { turn } = this;
    this.#timer = setTimeout(() => {
      if (this.state !== "playing" || this.turn !== turn) return;
      this.#interrupt();
      this.level = 0;
      this.#change("idle", { kind: "playbackNotEnding" });
    }, patience);
  }

  #change(state, problem = this.problem) {
    if (this.state === "closed") return;
    this.state = state;
    this.problem = state === "listening" || state === "responding" ? null : problem;
    this.#options.onChange();
  }

  // MARK: The session

  #connect() {
    this.#session?.close();
    this.#session = new VoiceSession(this.#options, () => this.isHandsFree, {
      onEvent: (event) => this.#event(event), onLost: () => this.#disconnected(),
    });
  }

  #disconnected() {
    this.#closeMicrophone();
    if (this.turn && !this.turn.isOver) {
      if (this.state === "playing") this.#audio.flush();
      this.turn.isInterrupted = true;
      this.#end(this.turn);
    }
    this.#tell(true);
    // Where the server said why, that stays.
    this.#change("unavailable", this.problem?.kind === "modelFailed" ? this.problem : { kind: "connectionLost" });
  }

  #send(type, members) { this.#session?.send(type, members); }

  #configure() { this.#session?.configure(this.isHandsFree); }

  #event(event) {
    const { turn } = this;
    const isOfTurn = turn && !turn.isWritten && turn.response !== null && turn.response === event.response_id;
    switch (event.type) {
      case "session.created": return this.#created();
      case "input_audio_buffer.speech_started": return this.#speechStarted();
      case "input_audio_buffer.committed": return this.#committed(event.item_id);
      case "conversation.item.input_audio_transcription.delta": return this.#understood(event.item_id, (heard) => heard + event.delta, false);
      case "conversation.item.input_audio_transcription.completed": return this.#understood(event.item_id, () => event.transcript, true);
      case "conversation.item.input_audio_transcription.failed": return this.#understood(event.item_id, (heard) => heard, true);
      case "response.created": return this.#answering(event.response);
      case "response.output_text.delta":
      case "response.output_audio_transcript.delta":
        if (isOfTurn) turn.say(event.delta);
        return this.#options.onChange();
      case "response.output_audio.delta": return isOfTurn ? this.#sound(event) : undefined;
      case "response.done": return turn?.response === event.response.id && !turn.isWritten ? this.#written(event.response) : undefined;
      case "error": return this.#failed(event.error);
      default: return undefined;
    }
  }

  #created() {
    this.#change("idle", null);
    if (this.isHandsFree) this.#listen();
  }

  #speechStarted() {
    if (!this.isHandsFree || !["idle", "responding", "playing"].includes(this.state)) return;
    if (this.state !== "idle") this.#interrupt();
    this.#begin();
    this.#change("listening");
  }

  #committed(item) {
    if (this.state === "taking" || (this.state === "listening" && this.isHandsFree)) {
      this.turn.userItem = item;
      this.#change("responding");
    } else {
      // It was given up before the server knew.
      this.#send("response.cancel", { event_id: `end-${item}` });
      this.#send("conversation.item.delete", { event_id: `end-${item}`, item_id: item });
    }
  }

  #understood(item, text, isWhole) {
    const turn = this.#turns.find((other) => other.userItem === item);
    if (!turn) return;
    turn.heard = text(turn.heard);
    turn.isHeard = isWhole;
    this.#tell(false);
    this.#options.onChange();
  }

  #answering({ id, metadata }) {
    // One that was asked for before what goes on now belongs to nothing.
    if (this.state !== "responding" || this.turn.response || (metadata?.turn ? metadata.turn !== this.turn.id : !this.isHandsFree)) return;
    this.turn.response = id;
  }

  #sound({ item_id: item, delta }) {
    const samples = fromBase64(delta);
    if (samples.length === 0) return;
    if (this.turn.length === 0) this.#audio.begin();
    this.turn.item = item;
    this.turn.add(samples);
    this.#audio.play(samples);
    if (this.state === "responding") this.#change("playing");
  }

  #written({ status, status_details: details }) {
    const { turn } = this;
    turn.isWritten = true;
    if (status === "failed") {
      turn.isInterrupted = true;
      this.problem = { kind: "replyFailed", reason: details?.error?.message ?? "" };
    }
    if (this.state === "playing") {
      this.#audio.end();
      return this.#watch();
    }
    const { problem } = this;
    this.#end(turn);
    return this.#change("idle", problem);
  }

  #failed({ code, message, event_id: id }) {
    // What was to be ended was over before the server knew.
    if (id?.startsWith("end-")) return;
    if (!this.#session.isReady) {
      this.problem = { kind: "modelFailed", reason: message };
    } else if (code === "input_audio_buffer_commit_empty") {
      this.#nothing();
    } else if (["listening", "taking", "responding"].includes(this.state)) {
      this.#forget();
      if (!this.isHandsFree) this.#closeMicrophone();
      this.#change("idle", { kind: "replyFailed", reason: message });
    } else {
      this.#change(this.state, { kind: "sessionFailed", reason: message });
    }
  }
}
