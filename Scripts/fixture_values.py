"""What scripts for fixtures share: lists of values for their JSON files, weights and sounds that tests make too, and pieces of layers."""
import numpy as np


def listed(count, most):
    """Indices spread over `count` of them, about `most`, with the first and the last."""
    return sorted(set(range(0, count, max(1, count // most))) | {count - 1})


def numbers(values, digits):
    """All numbers of an array, row by row, rounded."""
    return [round(float(value), digits) for value in values.reshape(-1)]


def pattern(index, count, scale):
    """The numbers of the tensor `index` as MadeVocoder.values makes them: `scale` times numbers in -1..<1, or those of a norm for None."""
    with np.errstate(over="ignore"):
        z = np.uint64(index) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    value = (z >> np.uint64(40)).astype(np.float32) / np.float32(2**23) - np.float32(1)
    return np.float32(1) + np.float32(0.25) * value if scale is None else np.float32(scale) * value


def sound(count, rate=16000):
    """The same samples in Swift: a tone that rises, and noise."""
    time = np.arange(count, dtype=np.float64) / rate
    state, noise = 12345, np.empty(count)
    for index in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        noise[index] = state / 0x40000000 - 1
    return (0.3 * np.sin(2 * np.pi * (200 + 450 * time) * time) + 0.05 * noise).astype(np.float32)


def silu(x):
    return x / (1 + np.exp(-x))


def rotated(x, base):
    """Rotates `[places][heads][elements]`; the pairs are an element of the first half and its counterpart in the second."""
    half = x.shape[-1] // 2
    angles = np.arange(len(x))[:, None] * base ** (-np.arange(half) / half)
    cosines, sines = np.cos(angles)[:, None], np.sin(angles)[:, None]
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cosines - second * sines, second * cosines + first * sines], -1)


def finish(writer, weights):
    """Writes a file whose keys the writer has, with these tensors."""
    for name, array in weights.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
