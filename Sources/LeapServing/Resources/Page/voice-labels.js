// The texts of the spoken conversation, as those of LeapUi's widget.

const labels = {
  idle: "Tap to speak", opening: "Opening the microphone…", listening: "Listening…",
  taking: "Answering…", responding: "Answering…", playing: "Answering…",
};

/// The line that says what goes on.
export function statusText({ state, isHandsFree, problem }) {
  if (problem) return "Something went wrong";
  if (state === "unavailable") return "Loading the model…";
  return state === "idle" && isHandsFree ? "Speak" : labels[state] ?? "";
}

/// What can be done now.
export function hintText({ state, isHandsFree, problem }) {
  if (problem || ["unavailable", "opening", "taking"].includes(state)) return "";
  if (isHandsFree) return "A pause sends it. Speak to interrupt.";
  if (state === "listening") return "Let go to send, or tap once more.";
  if (state !== "idle") return "Press the button to interrupt and speak.";
  return matchMedia("(pointer: coarse)").matches ? "Or hold the button while you speak." : "Or hold the button, or the space key, while you speak.";
}

/// What the one button does.
export function actionText({ state, isHandsFree }) {
  if (state === "listening") return "Send";
  if (state === "opening" || state === "taking") return "Cancel";
  if (state === "responding" || state === "playing") return isHandsFree ? "Stop the answer" : "Interrupt and speak";
  return "Speak";
}

/// What went wrong, and what to do.
const problems = {
  insecure: () => "Browsers give the microphone to safe pages only: open this one at https:// or at http://localhost.",
  unsupported: () => "This browser cannot record for a page: use a newer one.",
  permissionDenied: () => "Recording is not permitted: allow the microphone for this page in the browser's settings.",
  microphoneMissing: () => "There is no microphone: connect one.",
  microphoneUnavailable: (reason) => `The microphone cannot be used: ${reason}`,
  microphoneLost: () => "The microphone is gone: connect it again, or choose another one.",
  nothingRecorded: () => "Nothing was recorded: speak, then send.",
  replyFailed: (reason) => `The reply failed: ${reason}`,
  playerUnavailable: (reason) => `Sound cannot be played: ${reason}`,
  playbackNotEnding: () => "The sound could not be played to its end: check the output device.",
  sessionFailed: (reason) => `The server says: ${reason}`,
  modelFailed: (reason) => `The model cannot be used: ${reason}`,
  connectionLost: () => "The connection to the server broke. Is it still running?",
};

export const problemText = ({ kind, reason }) => problems[kind](reason);

/// The kind of what the browser says where the microphone does not open.
export function microphoneProblem(error) {
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return { kind: "permissionDenied" };
  if (error.name === "NotFoundError") return { kind: "microphoneMissing" };
  return { kind: "microphoneUnavailable", reason: error.message };
}
