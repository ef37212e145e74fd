package import LeapJSON

extension TemplateValue {
    /// Parses a JSON text (RFC 8259 only), with numbers like Python's `json`.
    ///
    /// An integer literal is an integer of any size; a number with a fraction or an exponent is a float. A byte-order
    /// mark at the start is skipped.
    ///
    /// - Throws: ``TemplateError`` with code `json` that names the byte offset.
    public init(json: String) throws(TemplateError) {
        try self.init(json: Array(json.utf8))
    }

    /// Parses a JSON text from its UTF-8 bytes.
    public init(json: [UInt8]) throws(TemplateError) {
        let value: JSONValue
        do throws(JSONParser.Failure) { value = try JSONParser.parse(json) } catch {
            throw TemplateError(.json, "invalid JSON: \(error)")
        }
        try Self.check(value, depth: 0)
        self.init(value)
    }

    /// Refuses what no template can be given.
    private static func check(_ value: JSONValue, depth: Int) throws(TemplateError) {
        guard depth < TemplateLimits.maxValueDepth else {
            throw TemplateError(.json, "invalid JSON: nested more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        switch value {
        case .number(let number):
            let digits = number.spelling.utf8.count
            guard number.isFloatSpelled || digits <= TemplateLimits.maxIntegerDigits else {
                throw TemplateError(
                    .json, "invalid JSON: an integer of more than \(TemplateLimits.maxIntegerDigits) digits")
            }
        case .array(let values): for value in values { try check(value, depth: depth + 1) }
        case .object(let object): for value in object.values { try check(value, depth: depth + 1) }
        case .null, .bool, .string: break
        }
    }

    /// Returns the JSON text of the value, like Python's `json.dumps(value, ensure_ascii=False)`.
    ///
    /// - Parameter indent: spaces per level; nil writes one line with `", "` and `": "`.
    public func json(indent: Int? = nil) throws(TemplateError) -> String {
        var writer = JSONWriter()
        if let indent {
            writer.indent = Text([UInt8](repeating: 0x20, count: max(0, indent)))
            writer.itemSeparator = ","
        }
        return try writer.text(of: self)
    }
}

extension JSONWriter {
    fileprivate func text(of value: TemplateValue) throws(TemplateError) -> String {
        var out = [UInt8]()
        var conversion = ValueConversion()
        try append(conversion.convert(value), to: &out, nil)
        return Text(out).string
    }
}

extension TemplateValue {
    /// A JSON value as templates take it: numbers as Python's `json` reads them.
    package init(_ json: JSONValue) {
        switch json {
        case .null: self = .none
        case .bool(let value): self = .bool(value)
        case .number(let number):
            if number.isFloatSpelled {
                // Python reads what is beyond the largest float as an infinity.
                self = .float(Double(number.spelling) ?? number.double)
            } else {
                self = Int(number.spelling).map { .int($0) } ?? .largeInteger(number.spelling)
            }
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map { TemplateValue($0) })
        case .object(let object): self = .object(TemplateObject(object))
        }
    }
}

extension TemplateObject {
    /// A JSON object as templates take it.
    package init(_ json: JSONObject) {
        self.init(json.members.map { ($0.key, TemplateValue($0.value)) })
    }
}
