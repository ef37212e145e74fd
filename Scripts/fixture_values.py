"""Values of arrays as the JSON files of fixtures list them, and weights that tests make too."""
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
