/// The public methods of Python's `str`.
enum StringMethod: String, Sendable, CaseIterable {
    case capitalize, casefold, center, count, encode, endswith, expandtabs, find, format
    case formatMap = "format_map"
    case index, isalnum, isalpha, isascii, isdecimal, isdigit, isidentifier, islower, isnumeric, isprintable
    case isspace, istitle, isupper, join, ljust, lower, lstrip, maketrans, partition, removeprefix, removesuffix
    case replace, rfind, rindex, rjust, rpartition, rsplit, rstrip, split, splitlines, startswith, strip, swapcase
    case title, translate, upper, zfill

    /// The factor by which each byte of the text counts as work; the arguments' share is accounted for where they are
    /// used.
    ///
    /// Whoever adds a method says it here.
    var textCost: Int {
        switch self {
        // They look at the arguments' length of the text, and say so.
        case .endswith, .startswith, .encode, .maketrans, .join: 0
        // They search the text for an argument, and say so.
        case .count, .find, .index, .partition, .replace, .rfind, .rindex, .rpartition, .split, .rsplit: 0
        case .lstrip, .rstrip, .strip, .removeprefix, .removesuffix, .isascii: TextCost.copy
        case .center, .ljust, .rjust, .zfill: 2 * TextCost.copy
        case .expandtabs: TextCost.search
        case .format, .formatMap, .isalnum, .isalpha, .isdecimal, .isdigit, .isidentifier, .islower, .isnumeric,
            .isprintable, .isspace, .istitle, .isupper, .splitlines:
            TextCost.decode
        // Those two are fast where the text is ASCII, and say so.
        case .lower, .upper: 0
        case .capitalize, .casefold, .swapcase, .title, .translate: TextCost.properties
        }
    }
}
