// Brings sound to another number of samples per second, piece by piece.

/// The zero crossings of the filter on each side, and its values from one to the next.
const crossings = 16;
const fineness = 256;

/// One side of a sinc under a Hann window.
const kernel = Float32Array.from({ length: crossings * fineness + 2 }, (_, index) => {
  const x = index / fineness;
  if (x === 0) return 1;
  return x >= crossings ? 0 : Math.sin(Math.PI * x) / (Math.PI * x) * (0.5 + 0.5 * Math.cos(Math.PI * x / crossings));
});

function filter(x) {
  const place = Math.abs(x) * fineness;
  const index = Math.floor(place);
  return index >= crossings * fineness ? 0 : kernel[index] + (kernel[index + 1] - kernel[index]) * (place - index);
}

/// Leaves out what the lower rate cannot carry, which would come back as another tone.
export class Resampler {
  #step;
  #cutoff;
  #reach;
  #kept;
  /// Where the next sample is taken, in the samples that are kept.
  #position;

  constructor(from, to) {
    this.#step = from / to;
    this.#cutoff = from > to ? 0.92 * to / from : 1;
    this.#reach = Math.ceil(crossings / this.#cutoff);
    this.#kept = new Float32Array(this.#reach);
    this.#position = this.#reach;
  }

  /// The samples that are known with these; the last of them follow with the next piece.
  process(samples) {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const count = Math.max(0, Math.ceil((all.length - this.#reach - this.#position) / this.#step));
    const result = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      let sum = 0;
      const last = Math.min(all.length - 1, Math.floor(this.#position + this.#reach));
      for (let at = Math.max(0, Math.ceil(this.#position - this.#reach)); at <= last; at += 1) {
        sum += all[at] * filter((at - this.#position) * this.#cutoff);
      }
      result[index] = sum * this.#cutoff;
      this.#position += this.#step;
    }
    const past = Math.min(all.length, Math.max(0, Math.floor(this.#position) - this.#reach));
    this.#kept = all.slice(past);
    this.#position -= past;
    return result;
  }
}
