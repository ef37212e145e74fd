/// Python's `json.dumps` with the options transformers' `tojson` filter offers.
struct JSONWriter {
    var ensureASCII = false
    /// The indentation of one level; nil writes everything on one line.
    var indent: Text?
    var itemSeparator: Text = ", "
    var keySeparator: Text = ": "
    var sortKeys = false

    /// Accounts for every item: values can hold one another many times over.
    ///
    /// - Parameter renderer: whom to account to; nil for values that come from a caller.
    func append(_ value: Value, to out: inout [UInt8], _ renderer: Renderer?, level: Int = 0) throws(TemplateError) {
        try renderer?.step()
        try renderer?.checkSize(out.count)
        switch value {
        case .string(let text), .markup(let text):
            try renderer?.touch(text, times: TextCost.search)
            out.append(jsonOf: text, asciiOnly: ensureASCII)
        case .none: out.append(ascii: "null")
        case .bool(let b): out.append(ascii: b ? "true" : "false")
        case .int(let i): Repr.append(i, to: &out)
        case .big(let box): try Repr.append(box.value, to: &out, renderer)
        case .float(let d):
            try renderer?.touch(floatDigits: 0)
            out += Self.number(d)
        case .list(let box), .tuple(let box):
            if box.items.isEmpty { return out.append(ascii: "[]") }
            out.append(ascii: "[")
            for (i, item) in box.items.enumerated() {
                try separate(i, level + 1, &out, renderer)
                try append(item, to: &out, renderer, level: level + 1)
            }
            try newline(level, &out, renderer)
            out.append(ascii: "]")
        case .dict(let box):
            if box.isEmpty { return out.append(ascii: "{}") }
            out.append(ascii: "{")
            let order = try order(of: box, renderer)
            for (i, entry) in order.enumerated() {
                try separate(i, level + 1, &out, renderer)
                let key = try Self.key(box.entries[entry].key, renderer)
                try renderer?.touch(key, times: TextCost.search)
                out.append(jsonOf: key, asciiOnly: ensureASCII)
                try renderer?.checkSize(out.count + keySeparator.bytes.count)
                out += keySeparator.bytes
                try append(box.entries[entry].value, to: &out, renderer, level: level + 1)
            }
            try newline(level, &out, renderer)
            out.append(ascii: "}")
        case .undefined, .missing, .object:
            throw .type("Object of type \(value.typeName) is not JSON serializable")
        }
    }

    static func number(_ value: Double) -> [UInt8] {
        if value.isNaN { return Array("NaN".utf8) }
        if value.isInfinite { return Array((value < 0 ? "-Infinity" : "Infinity").utf8) }
        return FloatText.repr(value)
    }

    private func separate(
        _ index: Int, _ level: Int, _ out: inout [UInt8], _ renderer: Renderer?
    ) throws(TemplateError) {
        if index > 0 {
            try renderer?.checkSize(out.count + itemSeparator.bytes.count)
            out += itemSeparator.bytes
        }
        try newline(level, &out, renderer)
    }

    private func newline(_ level: Int, _ out: inout [UInt8], _ renderer: Renderer?) throws(TemplateError) {
        guard let indent else { return }
        try renderer?.checkSize(out.count, adding: indent.bytes.count, times: level)
        out.append(0x0A)
        for _ in 0..<level { out += indent.bytes }
    }

    private static func key(_ key: Value, _ renderer: Renderer?) throws(TemplateError) -> Text {
        switch key {
        case .string(let text), .markup(let text): return text
        case .none: return "null"
        case .bool(let b): return b ? "true" : "false"
        case .float(let d): return Text(number(d))
        case .int(let i):
            var digits = [UInt8]()
            Repr.append(i, to: &digits)
            return Text(digits)
        case .big(let box):
            var digits = [UInt8]()
            try Repr.append(box.value, to: &digits, renderer)
            return Text(digits)
        default: throw .type("keys must be str, int, float, bool or None, not \(key.typeName)")
        }
    }

    private func order(of box: DictBox, _ renderer: Renderer?) throws(TemplateError) -> [Int] {
        let plain = Array(0..<box.count)
        guard sortKeys, let renderer else { return plain }
        let sorted = try Comparison.sorted(plain.map { .int($0) }, keys: box.keys, reverse: false, renderer)
        return sorted.compactMap(\.smallInteger)
    }
}
