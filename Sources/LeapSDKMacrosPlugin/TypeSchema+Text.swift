extension TypeSchema {
    /// The schema of a value of this type.
    func schema(description: String?, constraints: GuideConstraints) -> SchemaText {
        let described = description.map { #","description":\#($0.jsonLiteral)"# } ?? ""
        switch self {
        case .optional(let wrapped):
            return wrapped.schema(description: description, constraints: constraints)
        case .string(let keywords):
            let pattern = constraints.pattern.map { #","pattern":\#($0.jsonLiteral)"# }
            let values = constraints.values.map { #","enum":[\#($0.map(\.jsonLiteral).joined(separator: ","))]"# }
            return SchemaText(#"{"type":"string"\#(described)\#(pattern ?? keywords)\#(values ?? "")}"#)
        case .integer(let minimum, let maximum):
            let bounds = Self.bounds(constraints.minimum ?? minimum, constraints.maximum ?? maximum)
            return SchemaText(#"{"type":"integer"\#(described)\#(bounds)}"#)
        case .number(let minimum, let maximum):
            let bounds = Self.bounds(constraints.minimum ?? minimum, constraints.maximum ?? maximum)
            return SchemaText(#"{"type":"number"\#(described)\#(bounds)}"#)
        case .boolean:
            return SchemaText(#"{"type":"boolean"\#(described)}"#)
        case .array(let element):
            var text = SchemaText(#"{"type":"array"\#(described),"items":"#)
            text += element.schema(description: nil, constraints: constraints.element ?? GuideConstraints())
            if let count = constraints.minimumCount { text += #","minItems":\#(count)"# }
            if let count = constraints.maximumCount { text += #","maxItems":\#(count)"# }
            text += "}"
            return text
        case .dictionary(let key, let value):
            var text = SchemaText(#"{"type":"object"\#(described)"#)
            text += key.keyword
            text += #","additionalProperties":"#
            text += value.schema(description: nil, constraints: GuideConstraints())
            text += "}"
            return text
        case .nested(let name):
            var text = SchemaText()
            text.append(
                expression: "context.schema(of: \(name).self, description: \(description?.swiftLiteral ?? "nil"))")
            return text
        }
    }

    private static func bounds(_ minimum: String?, _ maximum: String?) -> String {
        (minimum.map { #","minimum":\#($0)"# } ?? "") + (maximum.map { #","maximum":\#($0)"# } ?? "")
    }
}
