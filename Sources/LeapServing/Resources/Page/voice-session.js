// The realtime session of a spoken conversation: how it is set, and its events in both directions.

import * as api from "/page/api.js";

/// Milliseconds of silence that end what a person says.
const silence = 700;

export class VoiceSession {
  #options;
  #socket;
  /// Whether the server has begun it.
  isReady = false;

  /// - model, instructions, temperature, speaks, messages: as those of VoiceAssistant.
  /// - onEvent: called with each event of the server; onLost: called where the connection ends by itself.
  constructor(options, isHandsFree, { onEvent, onLost }) {
    this.#options = options;
    this.#socket = api.realtime(options.model);
    this.#socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === "session.created") this.#begin(isHandsFree());
      onEvent(event);
    };
    this.#socket.onclose = () => {
      this.isReady = false;
      onLost();
    };
  }

  send(type, members = {}) {
    if (this.isReady) this.#socket.send(JSON.stringify({ type, ...members }));
  }

  configure(isHandsFree) {
    const { instructions, temperature, speaks } = this.#options;
    const language = navigator.language.startsWith("ja") ? "ja" : "en";
    this.send("session.update", {
      session: {
        type: "realtime", instructions, temperature, output_modalities: [speaks ? "audio" : "text"],
        audio: {
          input: {
            transcription: { language },
            // Answers are ended by the page, as it alone knows how much of them was heard.
            turn_detection: isHandsFree ? { type: "server_vad", silence_duration_ms: silence, interrupt_response: false } : null,
          },
        },
      },
    });
  }

  #begin(isHandsFree) {
    this.isReady = true;
    this.configure(isHandsFree);
    for (const { role, content } of this.#options.messages()) {
      const part = { type: role === "assistant" ? "output_text" : "input_text", text: content };
      this.send("conversation.item.create", { item: { type: "message", role, content: [part] } });
    }
  }

  close() {
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.isReady = false;
    this.#socket.close();
  }
}
