// Pictures and sound as the server reads them, by its own decoders; what it does not read, the browser brings into a form that it does.

import { checkAttachment } from "/page/api.js";
import { mediaPart } from "/page/tree.js";

/// Bytes of a picture or a sound, at most.
const maxBytes = 20_000_000;
/// Pixels of a side of a picture that is written anew, at most: no model sees more.
const maxSide = 4096;
/// Samples per second of a sound that is written anew, and its seconds at most.
const sampleRate = 16_000;
const maxSeconds = 600;

/// A picture or a sound as the server reads it: `{data, note}`, a `data:` address and what is in it.
///
/// What the server reads goes as it is. What is of a format that it does not read, or too large for it, is brought into another by the browser.
/// Throws what is wrong with it, as the end of a sentence that begins with the file's name.
export async function readable(file, kind) {
  try {
    if (file.size > maxBytes) throw Object.assign(new Error(`it has more than ${maxBytes / 1e6} MB`), { status: 413, code: "file_too_large" });
    return await checked(file, kind);
  } catch (error) {
    const isOfFormat = error.code === "file_too_large" || (error.param === "part" && error.code !== "damaged_file");
    if (!isOfFormat) throw sentence(error);
    const other = kind === "picture" ? await drawn(file, error) : await recorded(file, error);
    if (other.size > maxBytes) throw new Error(`is too large: ${maxBytes / 1e6} MB are taken.`);
    try { return await checked(other, kind); } catch (second) { throw sentence(second); }
  }
}

const sentence = (error) => new Error(error.isGone ? `was not read: ${error.message}` : `cannot be read: ${error.message.replace(/\.$/, "")}.`);

/// What the server finds in a file.
async function checked(file, kind) {
  const data = await dataAddress(file);
  const found = await checkAttachment(mediaPart({ kind, data }));
  return { data, note: kind === "picture" ? `${found.width} × ${found.height}` : duration(found.seconds) };
}

const duration = (seconds) => (seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`);

/// A picture of any kind as PNG.
async function drawn(file, refusal) {
  let bitmap;
  try { bitmap = await createImageBitmap(file); } catch { throw sentence(refusal); }
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}

/// A sound of any kind as WAV of one channel.
async function recorded(file, refusal) {
  let buffer;
  try {
    buffer = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(await file.arrayBuffer());
  } catch { throw sentence(refusal); }
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
