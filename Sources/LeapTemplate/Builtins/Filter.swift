/// Jinja's filters, with `tojson` as transformers replaces it.
enum Filter: String, Sendable, CaseIterable {
    case abs, attr, batch, capitalize, center, count, d, `default`, dictsort, e, escape, filesizeformat, first, float
    case forceescape, format, groupby, indent, int, items, join, last, length, list, lower, map, max, min, pprint
    case random, reject, rejectattr, replace, reverse, round, safe, select, selectattr, slice, sort, string, striptags
    case sum, title, tojson, trim, truncate, unique, upper, urlencode, urlize, wordcount, wordwrap, xmlattr

    /// The factor by which each byte counts as work where the value is a text; items of lists are accounted for as they
    /// are looked at, and arguments where they are used.
    ///
    /// Whoever adds a filter says it here.
    var textCost: Int {
        switch self {
        // They take a text as it is, go through it as through any iterable, or do not take one.
        case .abs, .attr, .batch, .d, .default, .dictsort, .first, .groupby, .items, .join, .last, .list, .map, .max,
            .min, .reject, .rejectattr, .round, .safe, .select, .selectattr, .slice, .sort, .string, .sum, .unique,
            .xmlattr:
            0
        // They measure, search or print the value, whatever it is, and say so.
        case .count, .length, .replace, .tojson: 0
        case .random, .trim, .truncate: 2 * TextCost.copy
        case .center: 2 * TextCost.copy
        case .e, .escape, .forceescape: TextCost.search
        case .filesizeformat, .float, .format, .indent, .int, .reverse, .urlencode, .wordcount: TextCost.decode
        // Those two are fast where the text is ASCII, and say so.
        case .lower, .upper: 0
        case .capitalize, .pprint, .striptags, .title, .urlize, .wordwrap: TextCost.properties
        }
    }
}

enum Filters {
    static func apply(
        _ filter: Filter, to value: Value, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        if let text = value.text {
            try renderer.touch(text, times: filter.textCost)
        } else if case .big(let box) = value {
            try renderer.touch(bytes: box.value.digits.count &* TextCost.decode)
        }
        let call = FilterCall(filter: filter, value: value, arguments: arguments, renderer: renderer)
        switch filter {
        case .tojson: return try call.toJSON()
        case .trim: return try call.trim()
        case .length, .count: return try call.length()
        case .default, .d: return try call.defaulted()
        case .string:
            try call.noArguments()
            return value.text == nil ? .string(try Repr.str(value, renderer)) : value
        case .join: return try call.join()
        case .items: return try call.items()
        case .list:
            try call.noArguments()
            let items = try value.items(renderer)
            try renderer.charge(items: items.count)
            return try .list(items)
        case .first, .last: return try call.end()
        case .upper, .lower, .title, .capitalize: return try call.changeCase()
        case .replace: return try call.replace()
        case .map: return try call.map()
        case .select, .reject, .selectattr, .rejectattr: return try call.select()
        case .indent: return try call.indent()
        case .int: return try call.int()
        case .float: return try call.float()
        case .abs: return try call.abs()
        case .round: return try call.round()
        case .sum: return try call.sum()
        case .min, .max: return try call.extreme()
        case .sort: return try call.sort()
        case .dictsort: return try call.dictsort()
        case .groupby: return try call.groupby()
        case .unique: return try call.unique()
        case .reverse: return try call.reverse()
        case .batch: return try call.batch()
        case .slice: return try call.slice()
        case .random: return try call.random()
        case .attr: return try call.attr()
        case .format: return try call.format()
        case .center: return try call.center()
        case .truncate: return try call.truncate()
        case .wordcount: return try call.wordcount()
        case .wordwrap: return try call.wordwrap()
        case .escape, .e, .forceescape, .safe, .striptags: return try call.markup()
        case .xmlattr: return try call.xmlattr()
        case .urlencode: return try call.urlencode()
        case .urlize: return try call.urlize()
        case .filesizeformat: return try call.filesizeformat()
        case .pprint:
            try call.noArguments()
            return .string(try PrettyPrinter.format(value, renderer))
        }
    }
}

/// One use of a filter.
struct FilterCall {
    let filter: Filter
    let value: Value
    let arguments: Arguments
    let renderer: Renderer

    var name: String { filter.rawValue }

    func noArguments() throws(TemplateError) {
        if !arguments.isEmpty { _ = try arguments.bind(name, []) }
    }

    func bind(_ parameters: [Text], required: Int = 0) throws(TemplateError) -> [Value?] {
        try arguments.bind(name, parameters, required: required)
    }

    /// MarkupSafe's `soft_str`: strings as they are, the rest as `str()`.
    func softString() throws(TemplateError) -> (text: Text, isMarkup: Bool) {
        if case .markup(let text) = value { return (text, true) }
        return (try Repr.str(value, renderer), false)
    }

    func wrap(_ text: Text, markup: Bool) -> Value { markup ? .markup(text) : .string(text) }

    func integer(_ value: Value?, default fallback: Int) throws(TemplateError) -> Int {
        guard let value else { return fallback }
        if case .undefined(let u) = value { throw u.error }
        guard let index = value.index else {
            throw .type("'\(value.typeName)' object cannot be interpreted as an integer")
        }
        return index
    }

    /// A function from an item to one of its attributes: dots reach into attributes, digits are indexes.
    func attributeGetter(
        _ attribute: Value?, default fallback: Value? = nil, foldsCase: Bool = false
    ) throws(TemplateError) -> (Value) throws(TemplateError) -> Value {
        let renderer = renderer
        let parts = try Self.attributeParts(attribute, renderer)
        return { (item: Value) throws(TemplateError) -> Value in
            var result = item
            for part in parts {
                try renderer.step()
                result = try Access.item(result, part, renderer)
                if let fallback, result.isUndefined { result = fallback }
            }
            return foldsCase ? try Self.folded(result, renderer) : result
        }
    }

    static func attributeParts(_ attribute: Value?, _ renderer: Renderer) throws(TemplateError) -> [Value] {
        guard let attribute, !attribute.isNone else { return [] }
        guard let text = attribute.text else { return [attribute] }
        var parts = [Value]()
        try renderer.touch(text, times: TextCost.decode)
        for part in try text.split(".", limit: -1, renderer) {
            let isDigits = !part.isEmpty && part.codePoints.allSatisfy(CharacterClasses.isDigit)
            if isDigits {
                guard let index = try NumberParsing.integer(part, base: 10, renderer) else {
                    throw .value("invalid literal for int() with base 10: \(Repr.string(part))")
                }
                parts.append(index)
            } else {
                parts.append(.string(part))
            }
        }
        return parts
    }

    static func folded(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Value {
        guard let text = value.text else { return value }
        try renderer.touch(caseOf: text)
        if case .markup = value { return .markup(text.lowercased) }
        return .string(text.lowercased)
    }
}
