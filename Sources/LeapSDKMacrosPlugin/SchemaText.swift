/// Schema text under construction: JSON that is known now, and places that are filled when the program asks.
struct SchemaText {
    private enum Segment {
        case json(String)
        case expression(String)
    }

    private var segments: [Segment] = []

    init(_ json: String = "") {
        self += json
    }

    static func += (text: inout SchemaText, json: String) {
        if !json.isEmpty { text.segments.append(.json(json)) }
    }

    static func += (text: inout SchemaText, other: SchemaText) {
        text.segments += other.segments
    }

    /// Appends a Swift expression whose value is JSON.
    mutating func append(expression: String) {
        segments.append(.expression(expression))
    }

    /// A Swift expression that gives the text: one raw string literal.
    var swiftExpression: String {
        // Enough number signs that nothing in the JSON can end the literal or start an interpolation.
        let json = segments.map { if case .json(let text) = $0 { text } else { "" } }.joined()
        var signs = "#"
        while json.contains("\"\(signs)") || json.contains("\\\(signs)") { signs += "#" }
        let content = segments.map { segment in
            switch segment {
            case .json(let text): text
            case .expression(let code): "\\\(signs)(\(code))"
            }
        }
        return "\(signs)\"\(content.joined())\"\(signs)"
    }
}

extension String {
    /// The text as a JSON string literal.
    var jsonLiteral: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The text as a Swift string literal.
    var swiftLiteral: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
