// Filters that make text of text.
extension FilterCall {
    func toJSON() throws(TemplateError) -> Value {
        var out = [UInt8]()
        try jsonWriter().append(value, to: &out, renderer)
        try renderer.charge(bytes: out.count)
        return .string(Text(out))
    }

    /// The options of transformers' `tojson`.
    func jsonWriter() throws(TemplateError) -> JSONWriter {
        var writer = JSONWriter()
        if arguments.isEmpty { return writer }
        let bound = try bind(["ensure_ascii", "indent", "separators", "sort_keys"])
        writer.ensureASCII = bound[0]?.isTrue ?? false
        if let indent = bound[1], !indent.isNone {
            if let text = indent.text {
                writer.indent = text
            } else {
                let width = Swift.max(0, try integer(indent, default: 0))
                try renderer.checkSize(width)
                writer.indent = Text([UInt8](repeating: 0x20, count: width))
            }
            writer.itemSeparator = ","
        }
        if let separators = bound[2], !separators.isNone {
            let pair = try separators.items(renderer)
            guard pair.count == 2 else { throw .value("separators must be a pair, not \(pair.count) values") }
            guard let item = pair[0].text, let key = pair[1].text else { throw .type("separators must be strings") }
            writer.itemSeparator = item
            writer.keySeparator = key
        }
        writer.sortKeys = bound[3]?.isTrue ?? false
        return writer
    }

    func trim() throws(TemplateError) -> Value {
        let (text, isMarkup) = try softString()
        if arguments.isEmpty { return wrap(try text.stripped(.both, of: nil, renderer), markup: isMarkup) }
        let bound = try bind(["chars"])
        guard let characters = bound[0], !characters.isNone else {
            return wrap(try text.stripped(.both, of: nil, renderer), markup: isMarkup)
        }
        guard let set = characters.text else { throw .type("strip arg must be None or str") }
        return wrap(try text.stripped(.both, of: set, renderer), markup: isMarkup)
    }

    func changeCase() throws(TemplateError) -> Value {
        try noArguments()
        let (text, isMarkup) = try softString()
        if filter == .upper || filter == .lower { try renderer.touch(caseOf: text) }
        switch filter {
        case .upper: return wrap(text.uppercased, markup: isMarkup)
        case .lower: return wrap(text.lowercased, markup: isMarkup)
        case .capitalize: return wrap(text.capitalized, markup: isMarkup)
        default: return .string(Self.title(text))
        }
    }

    /// Jinja's own title case: words start after spaces, hyphens and opening brackets.
    private static func title(_ text: Text) -> Text {
        func separates(_ c: UInt32) -> Bool {
            CharacterClasses.isSpace(c) || c == 0x2D || c == 0x28 || c == 0x7B || c == 0x5B || c == 0x3C
        }
        var out = [UInt8]()
        var i = 0
        while i < text.bytes.count {
            let separators = text.skip(from: i, while: separates)
            let end = text.skip(from: separators) { !separates($0) }
            // A run of separators is a "word" too; its first code point has no case.
            out += text.bytes[i..<separators]
            if separators < end {
                var next = separators
                _ = text.bytes.codePoint(at: &next)
                out += Text(text.bytes[separators..<next]).uppercased.bytes
                out += Text(text.bytes[next..<end]).lowercased.bytes
            }
            i = end
        }
        return Text(out)
    }

    func replace() throws(TemplateError) -> Value {
        let bound = try bind(["old", "new", "count"], required: 2)
        let limit = bound[2].map(\.isNone) ?? true ? -1 : try integer(bound[2], default: -1)
        let old = try Repr.str(bound[0] ?? .none, renderer)
        let new = try Repr.str(bound[1] ?? .none, renderer)
        return .string(try StringMethods.replace(try Repr.str(value, renderer), old, new, limit, renderer))
    }

    func indent() throws(TemplateError) -> Value {
        let bound = try bind(["width", "first", "blank"])
        var indention: Text
        if let text = bound[0]?.text {
            indention = text
        } else {
            let width = Swift.max(0, try integer(bound[0], default: 4))
            try renderer.checkSize(width)
            indention = Text([UInt8](repeating: 0x20, count: width))
        }
        if case .undefined(let u) = value { throw u.error }
        guard let text = value.text else {
            throw .type("unsupported operand type(s) for +=: '\(value.typeName)' and 'str'")
        }
        let isMarkup = if case .markup = value { true } else { false }
        if isMarkup, case .string? = bound[0] { indention = indention.htmlEscaped }
        let lines = try (text + "\n").splitLines(renderer)
        try renderer.charge(bytes: text.bytes.count, adding: indention.bytes.count, times: lines.count)
        let blank = bound[2]?.isTrue ?? false
        var out = [UInt8]()
        if bound[1]?.isTrue ?? false { out += indention.bytes }
        for (i, line) in lines.enumerated() {
            if i > 0 {
                out.append(0x0A)
                if blank || !line.isEmpty { out += indention.bytes }
            }
            out += line.bytes
        }
        return wrap(Text(out), markup: isMarkup)
    }

    func center() throws(TemplateError) -> Value {
        let bound = try bind(["width"])
        let width = try integer(bound[0], default: 80)
        let (text, isMarkup) = try softString()
        return wrap(try StringMethods.pad(text, .center, width: width, fill: " ", renderer), markup: isMarkup)
    }

    func format() throws(TemplateError) -> Value {
        if !arguments.positional.isEmpty, !arguments.keywords.isEmpty {
            throw .type("can't handle positional and keyword arguments at the same time")
        }
        let (text, isMarkup) = try softString()
        var values = Value.none
        if arguments.keywords.isEmpty {
            values = try .tuple(arguments.positional)
        } else {
            var builder = DictBuilder()
            for (name, value) in arguments.keywords { try builder.insert(.string(name), value, renderer) }
            values = .dict(try builder.build())
        }
        return wrap(try PercentFormat.apply(text, values, escaping: isMarkup, renderer), markup: isMarkup)
    }

    func truncate() throws(TemplateError) -> Value {
        let bound = try bind(["length", "killwords", "end", "leeway"])
        let length = try integer(bound[0], default: 255)
        let end = bound[2] ?? .string("...")
        guard let ending = end.text else { throw .type("object of type '\(end.typeName)' has no len()") }
        let leeway = bound[3].map(\.isNone) ?? true ? 5 : try integer(bound[3], default: 5)
        try renderer.touch(ending, times: TextCost.copy)
        guard length >= ending.count else { throw .value("expected length >= \(ending.count), got \(length)") }
        guard leeway >= 0 else { throw .value("expected leeway >= 0, got \(leeway)") }
        guard let count = try value.length(renderer) else {
            throw .type("object of type '\(value.typeName)' has no len()")
        }
        if count <= length || count - length <= leeway { return value }
        guard let text = value.text else { throw .type("'\(value.typeName)' object cannot be truncated") }
        let isMarkup = if case .markup = value { true } else { false }
        let kept = SliceBounds(start: 0, stop: length - ending.count, step: 1, length: count)
        var head = text.slice(kept, codePoints: count)
        if !(bound[1]?.isTrue ?? false) { head = try head.splitFromRight(" ", limit: 1, renderer)[0] }
        try renderer.charge(bytes: head.bytes.count + ending.bytes.count)
        return wrap(head + (isMarkup ? ending.htmlEscaped : ending), markup: isMarkup)
    }

    func wordcount() throws(TemplateError) -> Value {
        try noArguments()
        let text = try softString().text
        var count = 0
        var i = 0
        while i < text.bytes.count {
            i = text.skip(from: i) { !CharacterClasses.isWord($0) }
            guard i < text.bytes.count else { break }
            count += 1
            i = text.skip(from: i, while: CharacterClasses.isWord)
        }
        return .int(count)
    }

    func markup() throws(TemplateError) -> Value {
        try noArguments()
        switch filter {
        case .safe:
            return .markup(try Repr.str(value, renderer))
        case .striptags:
            return .string(try HTMLText.stripTags(try Repr.str(value, renderer), renderer))
        case .forceescape:
            return .markup(try Repr.str(value, renderer).htmlEscaped)
        default:
            if case .markup = value { return value }
            return .markup(try Repr.str(value, renderer).htmlEscaped)
        }
    }

    func xmlattr() throws(TemplateError) -> Value {
        let bound = try bind(["autospace"])
        if case .undefined(let u) = value { throw u.error }
        guard case .dict(let box) = value else { throw .type("'\(value.typeName)' object has no attribute 'items'") }
        var parts = [UInt8]()
        for i in 0..<box.count where !box.entries[i].value.isNone && !box.entries[i].value.isUndefined {
            guard let key = box.entries[i].key.text else {
                throw .type("expected string or bytes-like object, got '\(box.entries[i].key.typeName)'")
            }
            let isBad = key.bytes.contains { ($0 >= 0x09 && $0 <= 0x0D) || [0x20, 0x2F, 0x3E, 0x3D].contains($0) }
            if isBad { throw .value("Invalid character in attribute name: \(Repr.string(key))") }
            try renderer.step()
            try renderer.touch(key, times: TextCost.decode)
            if !parts.isEmpty { parts.append(0x20) }
            parts.append(htmlEscaped: key)
            parts.append(ascii: "=\"")
            let shown = try Repr.str(box.entries[i].value, renderer)
            try renderer.touch(shown, times: TextCost.search)
            if case .markup(let text) = box.entries[i].value {
                parts += text.bytes
            } else {
                parts.append(htmlEscaped: shown)
            }
            parts.append(0x22)
            try renderer.checkSize(parts.count)
        }
        try renderer.charge(bytes: parts.count)
        if !parts.isEmpty, bound[0]?.isTrue ?? true { parts.insert(0x20, at: 0) }
        return .string(Text(parts))
    }

    func urlencode() throws(TemplateError) -> Value {
        try noArguments()
        if value.text != nil || !value.isIterable {
            return .string(URLText.quote(try Repr.str(value, renderer), forQuery: false))
        }
        var pairs = [[Value]]()
        if case .dict(let box) = value {
            try renderer.charge(parts: box.count &* 2)
            for i in 0..<box.count { pairs.append([box.entries[i].key, box.entries[i].value]) }
        } else {
            for item in try value.items(renderer) {
                try renderer.step()
                try renderer.charge(parts: 2)
                let pair = try item.items(renderer)
                guard pair.count == 2 else { throw .value("expected pairs of keys and values to encode") }
                pairs.append(pair)
            }
        }
        var out = [UInt8]()
        for pair in pairs {
            try renderer.step()
            if !out.isEmpty { out.append(0x26) }
            for (i, part) in pair.enumerated() {
                if i > 0 { out.append(0x3D) }
                let text = try Repr.str(part, renderer)
                try renderer.touch(text, times: TextCost.decode)
                out += URLText.quote(text, forQuery: true).bytes
                try renderer.checkSize(out.count)
            }
        }
        try renderer.charge(bytes: out.count)
        return .string(Text(out))
    }

    func filesizeformat() throws(TemplateError) -> Value {
        let bound = try bind(["binary"])
        let isBinary = bound[0]?.isTrue ?? false
        try renderer.touch(floatDigits: 0)
        let size: Double
        if let text = value.text {
            guard let parsed = NumberParsing.float(text) else {
                throw .value("could not convert string to float: \(Repr.string(text))")
            }
            size = parsed
        } else {
            if case .undefined(let u) = value { throw u.error }
            size = try Arithmetic.double(value)
        }
        let base = isBinary ? 1024.0 : 1000.0
        if size == 1 { return .string("1 Byte") }
        if size < base {
            guard size.isFinite else { throw .value("cannot convert float infinity to integer") }
            return .string(try Repr.str(Value(BigInt(truncating: size)), renderer) + " Bytes")
        }
        if size.isNaN { return .string(isBinary ? "nan YiB" : "nan YB") }
        let prefixes =
            isBinary
            ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
            : ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]
        var unit = base
        for (i, prefix) in prefixes.enumerated() {
            unit *= base
            if size < unit || i == prefixes.count - 1 {
                let shown = base * size / unit
                let digits = FloatText.special(shown) ?? FloatText.fixed(shown, decimals: 1)
                return .string(Text(digits) + Text(" " + prefix))
            }
        }
        return .none
    }
}
