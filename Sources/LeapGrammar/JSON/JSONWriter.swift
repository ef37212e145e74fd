extension JSONValue {
    /// The text that Python's `json.dumps` gives with `ensure_ascii=False`: `, ` and `: ` between tokens.
    package func serialized(indent: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: indent, depth: 0)
        return bytes
    }

    private func write(to bytes: inout [UInt8], indent: Int?, depth: Int) {
        func newline(_ depth: Int) {
            guard let indent else { return }
            bytes.append(0x0A)
            bytes += [UInt8](repeating: 0x20, count: indent * depth)
        }
        func separator(_ isFirst: Bool) {
            if !isFirst { bytes += indent == nil ? [0x2C, 0x20] : [0x2C] }
            newline(depth + 1)
        }
        switch self {
        case .null: bytes += Array("null".utf8)
        case .bool(let flag): bytes += Array((flag ? "true" : "false").utf8)
        case .number(let value, let isFloat): bytes += Self.text(value, isFloat: isFloat)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let items):
            if items.isEmpty { return bytes += [0x5B, 0x5D] }
            bytes.append(0x5B)
            for (index, item) in items.enumerated() {
                separator(index == 0)
                item.write(to: &bytes, indent: indent, depth: depth + 1)
            }
            newline(depth)
            bytes.append(0x5D)
        case .object(let object):
            if object.isEmpty { return bytes += [0x7B, 0x7D] }
            bytes.append(0x7B)
            for (index, key) in object.keys.enumerated() {
                separator(index == 0)
                Self.write(key, to: &bytes)
                bytes += [0x3A, 0x20]
                object.values[index].write(to: &bytes, indent: indent, depth: depth + 1)
            }
            newline(depth)
            bytes.append(0x7D)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars { JSONSpelling.append(scalar, to: &bytes, escapesNonASCII: false) }
        bytes.append(0x22)
    }

    private static func text(_ value: ExactDecimal, isFloat: Bool) -> [UInt8] {
        guard isFloat, value.point > 16 || value.point < -3, !value.isZero else {
            return value.fixedText + (isFloat && value.isInteger ? Array(".0".utf8) : [])
        }
        var bytes: [UInt8] = value.isNegative ? [0x2D] : []
        bytes.append(value.digits[0] + 0x30)
        if value.digits.count > 1 { bytes += [0x2E] + value.digits.dropFirst().map { $0 + 0x30 } }
        let exponent = abs(value.point - 1)
        bytes += Array((value.point <= 0 ? "e-" : "e+").utf8)
        bytes += Array((exponent < 10 ? "0" : "").utf8) + Array(String(exponent).utf8)
        return bytes
    }
}
