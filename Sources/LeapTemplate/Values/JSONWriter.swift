/// Python's `json.dumps` with the options transformers' `tojson` filter offers.
struct JSONWriter {
    var ensureASCII = false
    /// The indentation of one level; nil writes everything on one line.
    var indent: Text?
    var itemSeparator: Text = ", "
    var keySeparator: Text = ": "
    var sortKeys = false

    func append(_ value: Value, to out: inout [UInt8], _ renderer: Renderer?, level: Int = 0) throws(TemplateError) {
        switch value {
        case .string(let text), .markup(let text): out.append(jsonOf: text, asciiOnly: ensureASCII)
        case .none: out.append(ascii: "null")
        case .bool(let b): out.append(ascii: b ? "true" : "false")
        case .int(let i): Repr.append(i, to: &out)
        case .big(let box): try Repr.append(box.value, to: &out)
        case .float(let d): out += Self.number(d)
        case .list(let box), .tuple(let box):
            if box.items.isEmpty { return out.append(ascii: "[]") }
            out.append(ascii: "[")
            for (i, item) in box.items.enumerated() {
                separate(i, level + 1, &out)
                try append(item, to: &out, renderer, level: level + 1)
            }
            newline(level, &out)
            out.append(ascii: "]")
        case .dict(let box):
            if box.isEmpty { return out.append(ascii: "{}") }
            out.append(ascii: "{")
            let order = try order(of: box, renderer)
            for (i, entry) in order.enumerated() {
                separate(i, level + 1, &out)
                out.append(jsonOf: try Self.key(box.entries[entry].key), asciiOnly: ensureASCII)
                out += keySeparator.bytes
                try append(box.entries[entry].value, to: &out, renderer, level: level + 1)
            }
            newline(level, &out)
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

    private func separate(_ index: Int, _ level: Int, _ out: inout [UInt8]) {
        if index > 0 { out += itemSeparator.bytes }
        newline(level, &out)
    }

    private func newline(_ level: Int, _ out: inout [UInt8]) {
        guard let indent else { return }
        out.append(0x0A)
        for _ in 0..<level { out += indent.bytes }
    }

    private static func key(_ key: Value) throws(TemplateError) -> Text {
        switch key {
        case .string(let text), .markup(let text): return text
        case .none: return "null"
        case .bool(let b): return b ? "true" : "false"
        case .float(let d): return Text(number(d))
        case .int, .big: return try Repr.str(key)
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
