/// Python's `str()` and `repr()`.
enum Repr {
    /// The allowance for printing a value.
    ///
    /// Every item counts: values can hold one another many times over, so that a few lists print as more than fits any
    /// machine.
    struct Allowance {
        /// The renderer whose allowance is used; nil for messages, which have only their length.
        let renderer: Renderer?
        /// The most bytes that the text may have, what stood before it included.
        let maxBytes: Int

        init(_ renderer: Renderer) {
            self.renderer = renderer
            maxBytes = renderer.limits.maxOutputBytes
        }

        init(messageOf maxBytes: Int) {
            renderer = nil
            self.maxBytes = maxBytes
        }

        /// Accounts for one more item, and fails where the text before it is as long as it may be.
        @inline(__always)
        func visit(_ out: [UInt8]) throws(TemplateError) {
            try renderer?.step()
            if out.count > maxBytes { throw .limit("a text of more than \(maxBytes) bytes is not allowed") }
        }

        /// Returns as much of a text as can be shown.
        func shown(_ text: Text) throws(TemplateError) -> Text {
            if let renderer {
                try renderer.touch(text, times: TextCost.decode)
                return text
            }
            return text.prefix(bytes: maxBytes)
        }
    }

    /// The bytes that are shown of a value in a message.
    private static let messageBytes = 200

    /// Appends `str(value)`.
    static func append(str value: Value, to out: inout [UInt8], _ renderer: Renderer) throws(TemplateError) {
        switch value {
        case .string(let text), .markup(let text):
            try renderer.checkSize(out.count + text.bytes.count)
            out += text.bytes
        case .undefined, .missing: break
        case .int(let i): append(i, to: &out)
        default: try append(repr: value, to: &out, Allowance(renderer))
        }
    }

    static func str(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
        if let text = value.text { return text }
        var out = [UInt8]()
        try append(str: value, to: &out, renderer)
        try renderer.charge(bytes: out.count)
        return Text(out)
    }

    static func repr(_ value: Value, asciiOnly: Bool = false, _ renderer: Renderer) throws(TemplateError) -> Text {
        var out = [UInt8]()
        try append(repr: value, to: &out, Allowance(renderer), asciiOnly: asciiOnly)
        try renderer.charge(bytes: out.count)
        return Text(out)
    }

    /// `repr` of a text, as a Swift string for messages, cut short where it is long.
    static func string(_ text: Text) -> String { message(.string(text)) }

    /// `repr` of any value for a message, cut short where it is long.
    static func message(_ value: Value) -> String {
        var out = [UInt8]()
        do throws(TemplateError) {
            try append(repr: value, to: &out, Allowance(messageOf: 2 * messageBytes))
        } catch {
            // Too long, and so cut below; or an integer whose digits Python does not show.
            guard error.code == .limit, out.count > messageBytes else {
                return "a value of type '\(value.typeName)'"
            }
        }
        guard out.count > messageBytes else { return String(decoding: out, as: UTF8.self) }
        let text = Text(out)
        let length = text.count
        return text.slice(SliceBounds(start: 0, stop: 160, step: 1, length: length), codePoints: length).string + "…"
    }

    static func append(_ integer: Int, to out: inout [UInt8]) {
        if integer >= 0, integer < 10 {
            out.append(0x30 + UInt8(integer))
        } else {
            out.append(contentsOf: String(integer).utf8)
        }
    }

    static func append(
        repr value: Value, to out: inout [UInt8], _ allowance: Allowance, asciiOnly: Bool = false, depth: Int = 0
    ) throws(TemplateError) {
        try allowance.visit(out)
        // Only namespaces can be nested without bound, or in cycles.
        guard depth <= TemplateLimits.maxValueDepth else {
            throw .limit("a value nests more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        switch value {
        case .undefined, .missing: out.append(ascii: "Undefined")
        case .none: out.append(ascii: "None")
        case .bool(let b): out.append(ascii: b ? "True" : "False")
        case .int(let i): append(i, to: &out)
        case .big(let box): try append(box.value, to: &out, allowance.renderer)
        case .float(let d):
            try allowance.renderer?.touch(floatDigits: 0)
            out += FloatText.repr(d)
        case .string(let text): out.append(reprOf: try allowance.shown(text), asciiOnly: asciiOnly)
        case .markup(let text):
            out.append(ascii: "Markup(")
            out.append(reprOf: try allowance.shown(text), asciiOnly: asciiOnly)
            out.append(ascii: ")")
        case .list(let box):
            out.append(ascii: "[")
            try append(items: box.items, to: &out, allowance, asciiOnly: asciiOnly, depth: depth)
            out.append(ascii: "]")
        case .tuple(let box):
            out.append(ascii: "(")
            try append(items: box.items, to: &out, allowance, asciiOnly: asciiOnly, depth: depth)
            out.append(ascii: box.items.count == 1 ? ",)" : ")")
        case .dict(let box):
            out.append(ascii: "{")
            for i in 0..<box.count {
                if i > 0 { out.append(ascii: ", ") }
                try append(repr: box.entries[i].key, to: &out, allowance, asciiOnly: asciiOnly, depth: depth + 1)
                out.append(ascii: ": ")
                try append(repr: box.entries[i].value, to: &out, allowance, asciiOnly: asciiOnly, depth: depth + 1)
            }
            out.append(ascii: "}")
        case .object(let object):
            if let namespace = object as? NamespaceObject {
                try append(namespace, to: &out, allowance, asciiOnly: asciiOnly, depth: depth)
            } else if let view = object as? DictView {
                out += Array("\(view.typeName)([".utf8)
                try append(items: view.items, to: &out, allowance, asciiOnly: asciiOnly, depth: depth)
                out.append(ascii: "])")
            } else {
                out += Array(object.repr.utf8)
            }
        }
    }

    static func append(
        _ integer: BigInt, to out: inout [UInt8], _ renderer: Renderer?
    ) throws(TemplateError) {
        try renderer?.touch(textOf: integer)
        let digits = integer.digits(radix: 10)
        guard digits.count <= TemplateLimits.maxIntegerDigits else {
            throw .value(
                "Exceeds the limit (\(TemplateLimits.maxIntegerDigits) digits) for integer string conversion")
        }
        if integer.isNegative { out.append(0x2D) }
        out += digits
    }

    private static func append(
        items: [Value], to out: inout [UInt8], _ allowance: Allowance, asciiOnly: Bool, depth: Int
    ) throws(TemplateError) {
        for (i, item) in items.enumerated() {
            if i > 0 { out.append(ascii: ", ") }
            try append(repr: item, to: &out, allowance, asciiOnly: asciiOnly, depth: depth + 1)
        }
    }

    private static func append(
        _ namespace: NamespaceObject, to out: inout [UInt8], _ allowance: Allowance, asciiOnly: Bool, depth: Int
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
            out.append(reprOf: try allowance.shown(entry.name), asciiOnly: asciiOnly)
            out.append(ascii: ": ")
            try append(repr: entry.value, to: &out, allowance, asciiOnly: asciiOnly, depth: depth + 1)
        }
        out.append(ascii: "}>")
    }
}
