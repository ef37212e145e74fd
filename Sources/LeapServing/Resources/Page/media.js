// Brings pictures and sound that the server does not read into forms that it does, as far as the browser reads them.

/// Bytes of a picture or a sound, at most.
const maxBytes = 20_000_000;
/// Pixels of a side of a picture that is written anew, at most: no model sees more.
const maxSide = 4096;
/// Samples per second of a sound that is written anew, and its seconds at most.
const sampleRate = 16_000;
const maxSeconds = 600;

const pictures = new Set(["image/png", "image/jpeg", "image/webp"]);
/// MP3 and Ogg are not among them: the browser reads them everywhere, the server where its system has a library for them.
const sounds = new Map([
  ["audio/wav", "audio/wav"], ["audio/x-wav", "audio/wav"], ["audio/wave", "audio/wav"], ["audio/vnd.wave", "audio/wav"],
  ["audio/flac", "audio/flac"], ["audio/x-flac", "audio/flac"],
]);

/// A picture or a sound as a `data:` address that the server reads.
///
/// Throws what is wrong with it, as the end of a sentence that begins with the file's name.
export async function mediaAddress(file, kind) {
  const isRead = (kind === "picture" ? pictures : sounds).has(file.type);
  const result = isRead ? file : kind === "picture" ? await drawn(file) : await recorded(file);
  if (result.size > maxBytes) throw new Error(`is too large: ${maxBytes / 1e6} MB are taken.`);
  return dataAddress(kind === "sound" && isRead ? new Blob([file], { type: sounds.get(file.type) }) : result);
}

/// A picture of any kind as PNG.
async function drawn(file) {
  let bitmap;
  try { bitmap = await createImageBitmap(file); } catch {
    throw new Error("is no picture that this browser reads: PNG, JPEG and WebP are taken.");
  }
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}

/// A sound of any kind as WAV of one channel.
async function recorded(file) {
  let buffer;
  try {
    buffer = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(await file.arrayBuffer());
  } catch {
    throw new Error("is no sound that this browser reads: WAV and FLAC are taken everywhere.");
  }
  if (buffer.duration > maxSeconds) throw new Error(`is too long: ${maxSeconds / 60} minutes are taken.`);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, index) => buffer.getChannelData(index));
  return waveFile(channels[0].map((_, index) => channels.reduce((sum, channel) => sum + channel[index], 0) / channels.length));
}

/// Samples in -1...1 as a WAV file of 16 bits.
export function waveFile(samples) {
  const file = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const word = (at, text) => [...text].forEach((letter, index) => file.setUint8(at + index, letter.charCodeAt(0)));
  word(0, "RIFF");
  file.setUint32(4, 36 + samples.length * 2, true);
  word(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sampleRate, true);
  file.setUint32(28, sampleRate * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  word(36, "data");
  file.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => file.setInt16(44 + index * 2, Math.round(Math.min(1, Math.max(-1, sample)) * 32767), true));
  return new Blob([file], { type: "audio/wav" });
}

function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error("cannot be read."));
    reader.readAsDataURL(blob);
  });
}
