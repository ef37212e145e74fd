/// Turns the values a caller gives into the ones templates work with.
///
/// Conversations repeat few short texts (`role`, `content`, `type`, `string`, …), so each is copied once per rendering.
struct ValueConversion {
    private var known: [(tag: UInt64, text: Text)?] = Array(repeating: nil, count: Self.slots)

    private static let slots = 128
    private static let longestKept = 24

    /// Fails where the value nests too deeply.
    mutating func convert(_ value: TemplateValue, depth: Int = 0) throws(TemplateError) -> Value {
        guard depth < TemplateLimits.maxValueDepth else {
            throw .limit("a value given to the template nests more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        switch value {
        case .undefined: return .missing
        case .none: return .none
        case .bool(let b): return .bool(b)
        case .int(let i): return .int(i)
        case .largeInteger(let digits):
            guard let integer = try NumberParsing.integer(Text(digits), base: 10, nil) else {
                throw .value(
                    "\"\(digits)\" is not a decimal integer of at most \(TemplateLimits.maxIntegerDigits) digits")
            }
            return integer
        case .float(let d): return .float(d)
        case .string(let string): return .string(text(string).text)
        case .array(let items):
            var values = [Value]()
            values.reserveCapacity(items.count)
            for item in items {
                let value = try convert(item, depth: depth + 1)
                if case .missing = value { continue }
                values.append(value)
            }
            return try .list(values)
        case .object(let object):
            var builder = DictBuilder()
            builder.reserve(object.count)
            for (key, item) in object {
                let value = try convert(item, depth: depth + 1)
                if case .missing = value { continue }
                let (name, tag) = text(key)
                builder.append(new: name, tag: tag, value)
            }
            return .dict(try builder.build())
        }
    }

    /// The text of a string and its tag, shared with the ones before where it is short.
    private mutating func text(_ string: String) -> (text: Text, tag: UInt64) {
        var string = string
        let count = string.utf8.count
        if count > Self.longestKept { return (Text(string), string.withUTF8 { Text.tag(of: $0) }) }
        let (tag, slot, kept) = string.withUTF8 { bytes -> (UInt64, Int, Text?) in
            let tag = Text.tag(of: bytes)
            let slot = Int(truncatingIfNeeded: (tag &* 0x9E37_79B9_7F4A_7C15) >> 57) & (Self.slots - 1)
            guard let entry = known[slot], entry.tag == tag,
                bytes.count <= Text.wholeTagLength || bytes.elementsEqual(entry.text.bytes)
            else { return (tag, slot, nil) }
            return (tag, slot, entry.text)
        }
        if let kept { return (kept, tag) }
        let text = Text(string)
        known[slot] = (tag, text)
        return (text, tag)
    }
}
