"""Values of arrays as the JSON files of fixtures list them."""


def listed(count, most):
    """Indices spread over `count` of them, about `most`, with the first and the last."""
    return sorted(set(range(0, count, max(1, count // most))) | {count - 1})


def numbers(values, digits):
    """All numbers of an array, row by row, rounded."""
    return [round(float(value), digits) for value in values.reshape(-1)]
