// Sound as realtime sessions carry it: 16-bit samples of one channel.

/// Samples per second of a session, in both directions.
export const sessionRate = 24_000;

/// What is shown as nothing and as everything, in decibels of full scale.
const quietest = -50;
const loudest = -6;

/// How loud samples look on a meter, in 0...1: their power in decibels, as ears have it.
export function level(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(Math.max(sum / Math.max(1, samples.length), 1e-12));
  return Math.min(1, Math.max(0, (decibels - quietest) / (loudest - quietest)));
}

/// Samples as integers; those beyond -1...1 are cut.
export function toIntegers(samples) {
  return Int16Array.from(samples, (sample) => Math.round(Math.min(1, Math.max(-1, sample)) * 32767));
}

/// Integers as text.
export function toBase64(integers) {
  const bytes = new DataView(new ArrayBuffer(integers.length * 2));
  integers.forEach((value, index) => bytes.setInt16(index * 2, value, true));
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += 1) text += String.fromCharCode(bytes.getUint8(at));
  return btoa(text);
}

/// The samples of such a text; a last odd byte is left out.
export function fromBase64(text) {
  const bytes = atob(text);
  const samples = new Float32Array(Math.floor(bytes.length / 2));
  for (let index = 0; index < samples.length; index += 1) {
    const value = bytes.charCodeAt(index * 2) | bytes.charCodeAt(index * 2 + 1) << 8;
    samples[index] = (value << 16 >> 16) / 32768;
  }
  return samples;
}
