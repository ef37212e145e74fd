extension StringMethods {
    func join(_ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly("join", 1...1)
        guard let iterator = try given[0].makeIterator(renderer) else { throw .type("can only join an iterable") }
        var out = [UInt8]()
        var index = 0
        while let item = try iterator.next(renderer) {
            try renderer.step()
            if index > 0 {
                try renderer.checkSize(out.count + text.bytes.count)
                out += text.bytes
            }
            if isMarkup, case .markup(let part) = item {
                out += part.bytes
            } else if isMarkup {
                let part = try Repr.str(item, renderer)
                try renderer.touch(part, times: TextCost.search)
                out.append(htmlEscaped: part)
            } else {
                guard let part = item.text else {
                    throw .type("sequence item \(index): expected str instance, \(item.typeName) found")
                }
                out += part.bytes
            }
            try renderer.checkSize(out.count)
            index += 1
        }
        try renderer.charge(bytes: out.count)
        return wrap(Text(out))
    }

    func format(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        var source = BraceFormat.Source(positional: arguments.positional, keywords: .arguments(arguments.keywords))
        if method == .formatMap {
            let given = try arguments.positionalOnly("format_map", 1...1)
            source = BraceFormat.Source(positional: [], keywords: .mapping(given[0]))
        }
        var formatter = BraceFormat(source: source, escapes: isMarkup, renderer: renderer)
        let out = try formatter.format(text)
        try renderer.charge(bytes: out.bytes.count)
        return wrap(out)
    }

    func partition(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        let by = try string(try arguments.positionalOnly(method.rawValue, 1...1)[0], method)
        if by.isEmpty { throw .value("empty separator") }
        try renderer.touch(text, searchedFor: by)
        try renderer.charge(parts: 4)
        let all = 0..<text.bytes.count
        let found =
            method == .partition
            ? text.bytes.firstOffset(of: by.bytes, in: all) : text.bytes.lastOffset(of: by.bytes, in: all)
        guard let found else {
            let parts = method == .partition ? [text, .empty, .empty] : [.empty, .empty, text]
            return try .tuple(parts.map(wrap))
        }
        let parts = [Text(text.bytes[..<found]), by, Text(text.bytes[(found + by.bytes.count)...])]
        return try .tuple(parts.map(wrap))
    }

    func pad(_ method: StringMethod, _ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly(method.rawValue, 1...2)
        let width = try integer(given[0])
        let fill = given.count > 1 ? try inserted(given[1], method) : " "
        try renderer.touch(fill, times: TextCost.copy)
        guard fill.count == 1 else { throw .type("The fill character must be exactly one character long") }
        return wrap(try Self.pad(text, method, width: width, fill: fill, renderer))
    }

    static func pad(
        _ text: Text, _ method: StringMethod, width: Int, fill: Text, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        let length = text.count
        guard width > length else { return text }
        let missing = width - length
        try renderer.charge(bytes: text.bytes.count, adding: fill.bytes.count, times: missing)
        let left: Int
        switch method {
        case .ljust: left = 0
        case .rjust: left = missing
        // CPython puts the odd one on the left when the width is odd.
        default: left = missing / 2 + (missing & width & 1)
        }
        var out = [UInt8]()
        for _ in 0..<left { out += fill.bytes }
        out += text.bytes
        for _ in 0..<(missing - left) { out += fill.bytes }
        return Text(out)
    }

    func zfill(_ arguments: Arguments) throws(TemplateError) -> Value {
        let width = try integer(try arguments.positionalOnly("zfill", 1...1)[0])
        let length = text.count
        guard width > length else { return wrap(text) }
        let missing = width - length
        try renderer.charge(bytes: text.bytes.count, adding: 1, times: missing)
        let hasSign = text.bytes.first == 0x2B || text.bytes.first == 0x2D
        var out = [UInt8]()
        if hasSign { out.append(text.bytes[0]) }
        out += [UInt8](repeating: 0x30, count: missing)
        out += hasSign ? text.bytes[1...] : text.bytes[...]
        return wrap(Text(out))
    }

    func expandTabs(_ arguments: Arguments) throws(TemplateError) -> Value {
        let bound = try arguments.bind("expandtabs", ["tabsize"])
        let size = try bound[0].map { value throws(TemplateError) in try integer(value) } ?? 8
        let tabs = text.bytes.count { $0 == 0x09 }
        try renderer.charge(bytes: text.bytes.count, adding: max(size, 0), times: tabs)
        var out = [UInt8]()
        var column = 0
        for byte in text.bytes {
            if byte == 0x09 {
                guard size > 0 else { continue }
                let spaces = size - column % size
                out += [UInt8](repeating: 0x20, count: spaces)
                column += spaces
                continue
            }
            out.append(byte)
            if byte == 0x0A || byte == 0x0D { column = 0 } else if byte & 0xC0 != 0x80 { column += 1 }
        }
        return wrap(Text(out))
    }

    func translate(_ arguments: Arguments) throws(TemplateError) -> Value {
        let table = try arguments.positionalOnly("translate", 1...1)[0]
        var out = [UInt8]()
        for c in text.codePoints {
            try renderer.step()
            let mapped = try Access.item(table, .int(Int(c)), renderer)
            switch mapped {
            case .undefined: out.append(codePoint: c)
            case .none: break
            case .string(let text), .markup(let text): out += text.bytes
            default:
                guard let point = mapped.smallInteger, point >= 0, point < 0x110000 else {
                    throw .type("character mapping must return integer, None or str")
                }
                out.append(codePoint: UInt32(point))
            }
            try renderer.checkSize(out.count)
        }
        try renderer.charge(bytes: out.count)
        return wrap(Text(out))
    }

    func makeTranslation(_ arguments: Arguments) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly("maketrans", 1...3)
        var builder = DictBuilder()
        if given.count == 1 {
            guard case .dict(let box) = given[0] else {
                throw .type("if you give only one argument to maketrans it must be a dict")
            }
            for i in 0..<box.count {
                try renderer.step()
                if let key = box.entries[i].key.text {
                    try renderer.touch(key, times: TextCost.copy)
                    guard key.count == 1 else {
                        throw .value("string keys in translate table must be of length 1")
                    }
                    try builder.insert(.int(Int(key.codePoints[0])), box.entries[i].value, renderer)
                } else {
                    guard box.entries[i].key.smallInteger != nil else {
                        throw .type("keys in translate table must be strings or integers")
                    }
                    try builder.insert(box.entries[i].key, box.entries[i].value, renderer)
                }
            }
            return .dict(try builder.build())
        }
        for value in given {
            if let text = value.text { try renderer.touch(text, times: TextCost.decode) }
        }
        let from = try string(given[0], .maketrans).codePoints
        let to = try string(given[1], .maketrans).codePoints
        guard from.count == to.count else {
            throw .value("the first two maketrans arguments must have equal length")
        }
        for (a, b) in zip(from, to) { try builder.insert(.int(Int(a)), .int(Int(b)), renderer) }
        if given.count > 2 {
            for c in try string(given[2], .maketrans).codePoints { try builder.insert(.int(Int(c)), .none, renderer) }
        }
        return .dict(try builder.build())
    }
}

extension Text {
    var isIdentifier: Bool {
        let points = codePoints
        guard let first = points.first, CharacterClasses.isIdentifierStart(first) else { return false }
        return points.dropFirst().allSatisfy(CharacterClasses.isIdentifierPart)
    }

    /// `islower`: at least one cased code point, and none upper or title case.
    var isLowercase: Bool {
        let points = codePoints
        return points.contains(where: CharacterClasses.isLower)
            && !points.contains { CharacterClasses.isUpper($0) || CharacterClasses.isTitle($0) }
    }

    var isUppercase: Bool {
        let points = codePoints
        return points.contains(where: CharacterClasses.isUpper)
            && !points.contains { CharacterClasses.isLower($0) || CharacterClasses.isTitle($0) }
    }

    var isTitlecase: Bool {
        var seen = false
        var previousCased = false
        for c in codePoints {
            if CharacterClasses.isUpper(c) || CharacterClasses.isTitle(c) {
                if previousCased { return false }
                previousCased = true
                seen = true
            } else if CharacterClasses.isLower(c) {
                guard previousCased else { return false }
                seen = true
            } else {
                previousCased = false
            }
        }
        return seen
    }
}
