/// Python's `str.format`, with field access through the sandbox.
struct BraceFormat {
    /// The source of the fields' values.
    struct Source {
        enum Keywords {
            case arguments([(name: Text, value: Value)])
            case mapping(Value)
        }

        var positional: [Value]
        var keywords: Keywords
    }

    private let source: Source
    private let escapes: Bool
    private let renderer: Renderer
    private var automatic = 0
    private var numbering: Bool?

    init(source: Source, escapes: Bool, renderer: Renderer) {
        self.source = source
        self.escapes = escapes
        self.renderer = renderer
    }

    mutating func format(_ text: Text) throws(TemplateError) -> Text { try format(text, nesting: 2) }

    private mutating func format(_ text: Text, nesting: Int) throws(TemplateError) -> Text {
        if nesting < 0 { throw .value("Max string recursion exceeded") }
        try renderer.touch(text, times: TextCost.decode)
        let bytes = text.bytes
        var out = [UInt8]()
        var i = 0
        while i < bytes.count {
            let c = bytes[i]
            i += 1
            guard c == 0x7B || c == 0x7D else {
                out.append(c)
                continue
            }
            if i < bytes.count, bytes[i] == c {
                out.append(c)
                i += 1
                continue
            }
            if c == 0x7D { throw .value("Single '}' encountered in format string") }
            out += try field(bytes, &i, nesting).bytes
            try renderer.checkSize(out.count)
        }
        return Text(out)
    }

    private mutating func field(_ bytes: [UInt8], _ i: inout Int, _ nesting: Int) throws(TemplateError) -> Text {
        try renderer.step(4)
        let start = i
        var depth = 1
        var bracket = false
        var split: Int?
        var conversionAt: Int?
        while i < bytes.count {
            switch bytes[i] {
            case 0x7B: depth += 1
            case 0x7D: depth -= 1
            case 0x5B where split == nil && conversionAt == nil: bracket = true
            case 0x5D: bracket = false
            case 0x21 where depth == 1 && split == nil && conversionAt == nil && !bracket: conversionAt = i
            case 0x3A where depth == 1 && split == nil && !bracket: split = i
            default: break
            }
            if depth == 0 { break }
            i += 1
        }
        guard i < bytes.count else {
            throw .value(
                start == bytes.count ? "Single '{' encountered in format string" : "expected '}' before end of string")
        }
        let end = i
        i += 1
        let nameEnd = conversionAt ?? split ?? end
        let value = try self.value(Text(bytes[start..<nameEnd]))
        var shown = value
        if let at = conversionAt {
            let stop = split ?? end
            guard stop == at + 2 else { throw .value("expected ':' after conversion specifier") }
            switch bytes[at + 1] {
            case 0x73: shown = .string(try Repr.str(value, renderer))
            case 0x72: shown = .string(try Repr.repr(value, renderer))
            case 0x61: shown = .string(try Repr.repr(value, asciiOnly: true, renderer))
            default: throw .value("Unknown conversion specifier '\(Text([bytes[at + 1]]).string)'")
            }
        }
        let rawSpec = split.map { Text(bytes[($0 + 1)..<end]) } ?? .empty
        let spec = try format(rawSpec, nesting: nesting - 1)
        if escapes {
            if case .markup(let text) = shown {
                if !spec.isEmpty { throw .value("Unsupported format specification for Markup.") }
                return text
            }
            let text = try FormatSpec.format(shown, spec, renderer)
            try renderer.touch(text, times: TextCost.search)
            return text.htmlEscaped
        }
        return try FormatSpec.format(shown, spec, renderer)
    }

    /// Resolves `name`, `name.attribute`, `name[item]`, and automatic numbering.
    private mutating func value(_ field: Text) throws(TemplateError) -> Value {
        let bytes = field.bytes
        var i = bytes.firstIndex { $0 == 0x2E || $0 == 0x5B } ?? bytes.count
        var first = Text(bytes[..<i])
        if first.isEmpty {
            if numbering == false {
                throw .value("cannot switch from manual field specification to automatic field numbering")
            }
            numbering = true
            first = Text(String(automatic))
            automatic += 1
        } else if first.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            if numbering == true {
                throw .value("cannot switch from manual field specification to automatic field numbering")
            }
            numbering = false
        }
        var value = try argument(first)
        while i < bytes.count {
            if bytes[i] == 0x2E {
                let start = i + 1
                i = bytes[start...].firstIndex { $0 == 0x2E || $0 == 0x5B } ?? bytes.count
                if start == i { throw .value("Empty attribute in format string") }
                try renderer.touch(name: Text(bytes[start..<i]))
                value = try Access.attribute(value, AttributeKey(Text(bytes[start..<i])), renderer)
            } else if bytes[i] == 0x5B {
                let start = i + 1
                guard let close = bytes[start...].firstIndex(of: 0x5D) else {
                    throw .value("Missing ']' in format string")
                }
                let key = Text(bytes[start..<close])
                if key.isEmpty { throw .value("Empty attribute in format string") }
                let index = key.bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(key.string) : nil
                value = try Access.item(value, index.map { .int($0) } ?? .string(key), renderer)
                i = close + 1
            } else {
                throw .value("Only '.' or '[' may follow ']' in format field specifier")
            }
        }
        return value
    }

    private func argument(_ name: Text) throws(TemplateError) -> Value {
        if name.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            guard let index = Int(name.string), source.positional.indices.contains(index) else {
                throw .value("Replacement index \(name.string) out of range for positional args tuple")
            }
            return source.positional[index]
        }
        switch source.keywords {
        case .arguments(let keywords):
            try renderer.step(keywords.count / 4)
            if let found = keywords.first(where: { $0.name == name }) { return found.value }
        case .mapping(.dict(let box)):
            try renderer.touch(name, times: TextCost.search)
            if let found = box.value(for: name) { return found }
        case .mapping(let other): throw .type("'\(other.typeName)' object is not a mapping")
        }
        throw .value("KeyError: \(Repr.string(name))")
    }
}
