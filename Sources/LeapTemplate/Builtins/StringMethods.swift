/// Calls the methods of one string.
struct StringMethods {
    let text: Text
    /// True if the string is a `Markup`, whose methods give markup and escape what they insert.
    let isMarkup: Bool
    let renderer: Renderer

    init(_ text: Text, isMarkup: Bool, _ renderer: Renderer) {
        self.text = text
        self.isMarkup = isMarkup
        self.renderer = renderer
    }

    func call(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        try renderer.touch(text, times: method.textCost)
        if method == .lower || method == .upper { try renderer.touch(caseOf: text) }
        switch method {
        case .strip, .lstrip, .rstrip: return try strip(method, arguments)
        case .split, .rsplit: return try split(method, arguments)
        case .replace: return try replace(arguments)
        case .startswith, .endswith: return try affix(method, arguments)
        case .find, .rfind, .index, .rindex, .count: return try search(method, arguments)
        case .join: return try join(arguments)
        case .format, .formatMap: return try format(method, arguments)
        case .splitlines:
            let bound = try arguments.bind("splitlines", ["keepends"])
            return .strings(
                try text.splitLines(keepEnds: bound[0]?.isTrue ?? false, renderer), markup: isMarkup)
        case .partition, .rpartition: return try partition(method, arguments)
        case .center, .ljust, .rjust: return try pad(method, arguments)
        case .zfill: return try zfill(arguments)
        case .removeprefix, .removesuffix:
            let part = try string(try arguments.positionalOnly(method.rawValue, 1...1)[0], method)
            try renderer.touch(part, times: TextCost.copy)
            if method == .removeprefix {
                return wrap(text.hasPrefix(part) ? Text(text.bytes[part.bytes.count...]) : text)
            }
            let isSuffix = !part.isEmpty && text.hasSuffix(part)
            return wrap(isSuffix ? Text(text.bytes[..<(text.bytes.count - part.bytes.count)]) : text)
        case .expandtabs: return try expandTabs(arguments)
        case .translate: return try translate(arguments)
        case .maketrans: return try makeTranslation(arguments)
        case .encode:
            throw TemplateError(.unsupported, "str.encode() is not supported: chat templates make text, not bytes")
        default:
            _ = try arguments.positionalOnly(method.rawValue, 0...0)
            return transform(method)
        }
    }

    /// The methods without arguments.
    private func transform(_ method: StringMethod) -> Value {
        switch method {
        case .lower: wrap(text.lowercased)
        case .upper: wrap(text.uppercased)
        case .title: wrap(text.titlecased)
        case .capitalize: wrap(text.capitalized)
        case .casefold: wrap(text.casefolded)
        case .swapcase: wrap(text.swapcased)
        case .isalnum: all(CharacterClasses.isAlphanumeric)
        case .isalpha: all(CharacterClasses.isAlpha)
        case .isdecimal: all(CharacterClasses.isDecimal)
        case .isdigit: all(CharacterClasses.isDigit)
        case .isnumeric: all(CharacterClasses.isNumeric)
        case .isspace: all(CharacterClasses.isSpace)
        case .isascii: .bool(text.isASCII)
        case .isprintable: .bool(text.codePoints.allSatisfy(CharacterClasses.isPrintable))
        case .isidentifier: .bool(text.isIdentifier)
        case .islower: .bool(text.isLowercase)
        case .isupper: .bool(text.isUppercase)
        case .istitle: .bool(text.isTitlecase)
        default: .none
        }
    }

    private func all(_ condition: (UInt32) -> Bool) -> Value {
        .bool(!text.isEmpty && text.codePoints.allSatisfy(condition))
    }

    func wrap(_ text: Text) -> Value { isMarkup ? .markup(text) : .string(text) }

    func string(_ value: Value, _ method: StringMethod) throws(TemplateError) -> Text {
        guard let text = value.text else {
            throw .type("\(method.rawValue)() argument must be str, not \(value.typeName)")
        }
        return text
    }

    func integer(_ value: Value) throws(TemplateError) -> Int {
        guard let index = value.index else {
            throw .type("'\(value.typeName)' object cannot be interpreted as an integer")
        }
        return index
    }

    /// An inserted string, escaped where this one is markup.
    func inserted(_ value: Value, _ method: StringMethod) throws(TemplateError) -> Text {
        let text = try string(value, method)
        if isMarkup, case .string = value { return text.htmlEscaped }
        return text
    }

    private func strip(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        var characters: Text?
        if !arguments.isEmpty {
            let given = try arguments.positionalOnly(method.rawValue, 0...1)
            if let value = given.first, !value.isNone {
                guard let set = value.text else { throw .type("\(method.rawValue) arg must be None or str") }
                characters = set
            }
        }
        let side: Text.Side = method == .strip ? .both : method == .lstrip ? .left : .right
        return wrap(try text.stripped(side, of: characters, renderer))
    }

    private func split(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        let bound = try arguments.bind(method.rawValue, ["sep", "maxsplit"])
        let limit = try bound[1].map { value throws(TemplateError) in try integer(value) } ?? -1
        let fromRight = method == .rsplit
        guard let separator = bound[0], !separator.isNone else {
            try renderer.touch(text, times: TextCost.decode)
            return .strings(
                fromRight
                    ? try text.splitOnSpaceFromRight(limit: limit, renderer)
                    : try text.splitOnSpace(limit: limit, renderer),
                markup: isMarkup)
        }
        guard let by = separator.text else { throw .type("must be str or None, not \(separator.typeName)") }
        if by.isEmpty { throw .value("empty separator") }
        try renderer.charge(bytes: text.bytes.count)
        try renderer.touch(text, searchedFor: by)
        return .strings(
            fromRight
                ? try text.splitFromRight(by, limit: limit, renderer) : try text.split(by, limit: limit, renderer),
            markup: isMarkup)
    }

    private func replace(_ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly("replace", 2...3)
        let old = try string(given[0], .replace)
        let new = try inserted(given[1], .replace)
        let limit = given.count > 2 ? try integer(given[2]) : -1
        return wrap(try Self.replace(text, old, new, limit, renderer))
    }

    /// Replaces after making sure that the result is not too large.
    static func replace(
        _ text: Text, _ old: Text, _ new: Text, _ limit: Int, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        try renderer.touch(text, searchedFor: old)
        if new.bytes.count > old.bytes.count, text.bytes.count > 1024 || new.bytes.count > 64 {
            let found = text.occurrences(of: old, in: 0..<text.bytes.count)
            let replaced = limit < 0 ? found : min(found, limit)
            try renderer.charge(bytes: text.bytes.count, adding: new.bytes.count - old.bytes.count, times: replaced)
        } else {
            // A short text between whose code points something short is put is still short.
            try renderer.touch(text, times: new.bytes.count > old.bytes.count ? new.bytes.count + 1 : TextCost.copy)
        }
        return text.replacing(old, with: new, limit: limit)
    }

    private func affix(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly(method.rawValue, 1...3)
        var candidates = [Text]()
        if case .tuple(let box) = given[0] {
            for item in box.items {
                try renderer.step()
                candidates.append(try string(item, method))
            }
        } else {
            guard let one = given[0].text else {
                throw .type(
                    "\(method.rawValue) first arg must be str or a tuple of str, not \(given[0].typeName)")
            }
            candidates = [one]
        }
        guard let range = try window(given) else { return .bool(false) }
        for candidate in candidates where candidate.bytes.count <= range.count {
            try renderer.touch(candidate, times: TextCost.copy)
            let at = method == .startswith ? range.lowerBound : range.upperBound - candidate.bytes.count
            if text.bytes.matches(candidate.bytes, at: at) { return .bool(true) }
        }
        return .bool(false)
    }

    /// The byte range that the optional second and third arguments choose.
    private func window(_ given: [Value]) throws(TemplateError) -> Range<Int>? {
        func bound(_ i: Int) throws(TemplateError) -> Int? {
            guard given.count > i, !given[i].isNone else { return nil }
            guard let index = given[i].index else {
                throw .type("slice indices must be integers or None or have an __index__ method")
            }
            return index
        }
        if given.count > 1 { try renderer.touch(text, times: TextCost.search) }
        return text.window(try bound(1), try bound(2))
    }

    private func search(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly(method.rawValue, 1...3)
        let needle = try string(given[0], method)
        try renderer.touch(text, searchedFor: needle)
        let range = try window(given)
        if method == .count { return .int(range.map { text.occurrences(of: needle, in: $0) } ?? 0) }
        let found = range.flatMap { range in
            method == .find || method == .index
                ? text.bytes.firstOffset(of: needle.bytes, in: range)
                : text.bytes.lastOffset(of: needle.bytes, in: range)
        }
        if let found { return .int(text.codePointIndex(ofByte: found)) }
        if method == .index || method == .rindex { throw .value("substring not found") }
        return .int(-1)
    }
}
