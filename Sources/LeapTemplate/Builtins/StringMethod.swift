/// The public methods of Python's `str`.
enum StringMethod: String, Sendable {
    case capitalize, casefold, center, count, encode, endswith, expandtabs, find, format
    case formatMap = "format_map"
    case index, isalnum, isalpha, isascii, isdecimal, isdigit, isidentifier, islower, isnumeric, isprintable
    case isspace, istitle, isupper, join, ljust, lower, lstrip, maketrans, partition, removeprefix, removesuffix
    case replace, rfind, rindex, rjust, rpartition, rsplit, rstrip, split, splitlines, startswith, strip, swapcase
    case title, translate, upper, zfill
}
