/// Python's `str()` and `repr()`.
enum Repr {
    /// Appends `str(value)`.
    static func append(str value: Value, to out: inout [UInt8]) throws(TemplateError) {
        switch value {
        case .string(let text), .markup(let text): out += text.bytes
        case .undefined, .missing: break
        case .int(let i): append(i, to: &out)
        default: try append(repr: value, to: &out)
        }
    }

    static func str(_ value: Value) throws(TemplateError) -> Text {
        if let text = value.text { return text }
        var out = [UInt8]()
        try append(str: value, to: &out)
        return Text(out)
    }

    static func repr(_ value: Value) throws(TemplateError) -> Text {
        var out = [UInt8]()
        try append(repr: value, to: &out)
        return Text(out)
    }

    /// `repr` of a text, as a Swift string for messages.
    static func string(_ text: Text) -> String {
        var out = [UInt8]()
        out.append(reprOf: text)
        return String(decoding: out, as: UTF8.self)
    }

    /// `repr` of any value for a message, cut short where it is long.
    static func message(_ value: Value) -> String {
        guard let text = try? repr(value) else { return "a value of type '\(value.typeName)'" }
        return text.bytes.count > 200
            ? text.slice(SliceBounds(start: 0, stop: 160, step: 1, length: text.count), codePoints: text.count).string
                + "…" : text.string
    }

    static func append(_ integer: Int, to out: inout [UInt8]) {
        if integer >= 0, integer < 10 {
            out.append(0x30 + UInt8(integer))
        } else {
            out.append(contentsOf: String(integer).utf8)
        }
    }

    static func append(
        repr value: Value, to out: inout [UInt8], asciiOnly: Bool = false, depth: Int = 0
    ) throws(TemplateError) {
        // Only namespaces can be nested without bound, or in cycles.
        guard depth <= TemplateLimits.maxValueDepth else {
            throw .limit("a value nests more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        switch value {
        case .undefined, .missing: out.append(ascii: "Undefined")
        case .none: out.append(ascii: "None")
        case .bool(let b): out.append(ascii: b ? "True" : "False")
        case .int(let i): append(i, to: &out)
        case .big(let box): try append(box.value, to: &out)
        case .float(let d): out += FloatText.repr(d)
        case .string(let text): out.append(reprOf: text, asciiOnly: asciiOnly)
        case .markup(let text):
            out.append(ascii: "Markup(")
            out.append(reprOf: text, asciiOnly: asciiOnly)
            out.append(ascii: ")")
        case .list(let box):
            out.append(ascii: "[")
            try append(items: box.items, to: &out, asciiOnly: asciiOnly, depth: depth)
            out.append(ascii: "]")
        case .tuple(let box):
            out.append(ascii: "(")
            try append(items: box.items, to: &out, asciiOnly: asciiOnly, depth: depth)
            out.append(ascii: box.items.count == 1 ? ",)" : ")")
        case .dict(let box):
            out.append(ascii: "{")
            for i in 0..<box.count {
                if i > 0 { out.append(ascii: ", ") }
                try append(repr: box.entries[i].key, to: &out, asciiOnly: asciiOnly, depth: depth + 1)
                out.append(ascii: ": ")
                try append(repr: box.entries[i].value, to: &out, asciiOnly: asciiOnly, depth: depth + 1)
            }
            out.append(ascii: "}")
        case .object(let object):
            if let namespace = object as? NamespaceObject {
                try append(namespace, to: &out, asciiOnly: asciiOnly, depth: depth)
            } else if let view = object as? DictView {
                out += Array("\(view.typeName)([".utf8)
                try append(items: view.items, to: &out, asciiOnly: asciiOnly, depth: depth)
                out.append(ascii: "])")
            } else {
                out += Array(object.repr.utf8)
            }
        }
    }

    static func append(_ integer: BigInt, to out: inout [UInt8]) throws(TemplateError) {
        let digits = integer.digits(radix: 10)
        guard digits.count <= TemplateLimits.maxIntegerDigits else {
            throw .value(
                "Exceeds the limit (\(TemplateLimits.maxIntegerDigits) digits) for integer string conversion")
        }
        if integer.isNegative { out.append(0x2D) }
        out += digits
    }

    private static func append(
        items: [Value], to out: inout [UInt8], asciiOnly: Bool, depth: Int
    ) throws(TemplateError) {
        for (i, item) in items.enumerated() {
            if i > 0 { out.append(ascii: ", ") }
            try append(repr: item, to: &out, asciiOnly: asciiOnly, depth: depth + 1)
        }
    }

    private static func append(
        _ namespace: NamespaceObject, to out: inout [UInt8], asciiOnly: Bool, depth: Int
    ) throws(TemplateError) {
        if namespace.isPrinting {
            out.append(ascii: "<Namespace {...}>")
            return
        }
        namespace.isPrinting = true
        defer { namespace.isPrinting = false }
        out.append(ascii: "<Namespace {")
        for (i, entry) in namespace.entries.enumerated() {
            if i > 0 { out.append(ascii: ", ") }
            out.append(reprOf: entry.name, asciiOnly: asciiOnly)
            out.append(ascii: ": ")
            try append(repr: entry.value, to: &out, asciiOnly: asciiOnly, depth: depth + 1)
        }
        out.append(ascii: "}>")
    }
}
