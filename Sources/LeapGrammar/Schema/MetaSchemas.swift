import LeapJSON

/// The meta-schemas of the drafts, made from the table of keywords: what a schema may look like, as a schema.
enum MetaSchemas {
    /// The meta-schema, or the part of one, at an address without a fragment; nil where there is none.
    static func schema(at address: String) -> JSONValue? {
        for draft in Dialect.Draft.allCases where draft <= .draft7 {
            let own = "json-schema.org/\(draft.name)/schema"
            if address == "http://" + own || address == "https://" + own { return whole(draft, address) }
        }
        for draft in [Dialect.Draft.draft2019, .draft2020] {
            let base = "https://json-schema.org/draft/\(draft.name)/"
            guard address.hasPrefix(base) else { continue }
            let name = String(address.dropFirst(base.count))
            if name == "schema" { return assembled(draft, address) }
            return parts(draft).first { "meta/" + $0.name == name }.map { part(draft, address, $0.vocabulary) }
        }
        return nil
    }

    /// The parts of a draft and their names.
    private static func parts(_ draft: Dialect.Draft) -> [(name: String, vocabulary: Dialect.Vocabulary)] {
        var result: [(String, Dialect.Vocabulary)] = [
            ("core", .core), ("applicator", .applicator), ("validation", .validation), ("meta-data", .metaData),
            ("content", .content),
        ]
        result += draft == .draft2019 ? [("format", .format)] : [("format-annotation", .format)]
        if draft == .draft2020 { result += [("unevaluated", .unevaluated), ("format-assertion", .format)] }
        return result
    }

    // MARK: Documents

    /// Drafts 4 to 7: one document.
    private static func whole(_ draft: Dialect.Draft, _ address: String) -> JSONValue {
        var schema: JSONObject = [
            (draft == .draft4 ? "id" : "$id"): .string(address + "#"), "$schema": .string(address + "#"),
            "type": draft == .draft4 ? "object" : .array(["object", "boolean"]),
            "definitions": definitions(draft),
        ]
        schema["properties"] = properties(draft) { keyword in draft != .draft4 || keyword.name != "$ref" }
        if draft == .draft4 {
            schema["dependencies"] = .object([
                "exclusiveMaximum": .array(["maximum"]), "exclusiveMinimum": .array(["minimum"]),
            ])
        }
        return .object(schema)
    }

    /// From 2019-09 on: the document that puts the parts together.
    private static func assembled(_ draft: Dialect.Draft, _ address: String) -> JSONValue {
        var schema = head(draft, address)
        schema["allOf"] = .array(
            parts(draft).filter { $0.name != "format-assertion" }.map { .object(["$ref": .string("meta/" + $0.name)]) })
        // Keywords of earlier drafts are still described.
        var older: JSONObject = [
            "definitions": constraint(.schemaMap, draft),
            "dependencies": .object([
                "type": "object",
                "additionalProperties": .object([
                    "anyOf": .array([itself(draft), .object(["$ref": "meta/validation#/$defs/stringArray"])])
                ]),
            ]),
        ]
        if draft == .draft2020 {
            older["$recursiveAnchor"] = .object(["$ref": "meta/core#/$defs/anchorString"])
            older["$recursiveRef"] = .object(["$ref": "meta/core#/$defs/uriReferenceString"])
        }
        schema["properties"] = .object(older)
        return .object(schema)
    }

    /// From 2019-09 on: the document of one vocabulary.
    private static func part(
        _ draft: Dialect.Draft, _ address: String, _ vocabulary: Dialect.Vocabulary
    ) -> JSONValue {
        var schema = head(draft, address)
        schema["properties"] = properties(draft) { keyword in
            keyword.vocabulary == vocabulary && keyword.name != "definitions"
        }
        let uses = definitions(draft, of: vocabulary)
        if !uses.isEmpty { schema["$defs"] = .object(uses) }
        return .object(schema)
    }

    private static func head(_ draft: Dialect.Draft, _ address: String) -> JSONObject {
        var head: JSONObject = [
            "$schema": .string("https://json-schema.org/draft/\(draft.name)/schema"), "$id": .string(address),
            "type": .array(["object", "boolean"]),
        ]
        if draft == .draft2020 { head["$dynamicAnchor"] = "meta" } else { head["$recursiveAnchor"] = .bool(true) }
        return head
    }

    private static func properties(_ draft: Dialect.Draft, where isMember: (SchemaKeyword) -> Bool) -> JSONValue {
        let members = SchemaKeyword.all.filter { $0.drafts.contains(draft) && isMember($0) }
        return .object(JSONObject(members.map { ($0.name, constraint($0, draft)) }))
    }

    // MARK: What may stand behind a keyword

    private static func itself(_ draft: Dialect.Draft) -> JSONValue {
        switch draft {
        case .draft4, .draft6, .draft7: .object(["$ref": "#"])
        case .draft2019: .object(["$recursiveRef": "#"])
        case .draft2020: .object(["$dynamicRef": "#meta"])
        }
    }

    private static func defined(_ name: String, _ draft: Dialect.Draft) -> JSONValue {
        .object(["$ref": .string((draft <= .draft7 ? "#/definitions/" : "#/$defs/") + name)])
    }

    private static func count(_ draft: Dialect.Draft) -> String {
        draft == .draft4 ? "positiveInteger" : "nonNegativeInteger"
    }

    private static func text(format: String? = nil, pattern: String? = nil) -> JSONValue {
        var schema: JSONObject = ["type": "string"]
        if let format { schema["format"] = .string(format) }
        if let pattern { schema["pattern"] = .string(pattern) }
        return .object(schema)
    }

    private static func type(_ name: String) -> JSONValue { .object(["type": .string(name)]) }

    private static func map(_ values: JSONValue) -> JSONValue {
        .object(["type": "object", "additionalProperties": values])
    }

    private static func either(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        .object(["anyOf": .array([first, second])])
    }

    private static func constraint(_ keyword: SchemaKeyword, _ draft: Dialect.Draft) -> JSONValue {
        if keyword.name == "$id", draft >= .draft2019 { return text(format: "uri-reference", pattern: "^[^#]*#?$") }
        return constraint(keyword.content, draft)
    }

    private static func constraint(_ content: SchemaKeyword.Content, _ draft: Dialect.Draft) -> JSONValue {
        switch content {
        case .schema: return itself(draft)
        case .schemaOrBoolean: return either(type("boolean"), itself(draft))
        case .schemaOrSchemas: return either(itself(draft), defined("schemaArray", draft))
        case .schemas: return defined("schemaArray", draft)
        case .schemaMap: return map(itself(draft))
        case .patternMap:
            guard draft >= .draft6, var schema = map(itself(draft)).object else { return map(itself(draft)) }
            schema["propertyNames"] = .object(["format": "regex"])
            return .object(schema)
        case .dependencies: return map(either(itself(draft), defined("stringArray", draft)))
        case .boolean: return type("boolean")
        case .number: return type("number")
        case .positiveNumber:
            if draft >= .draft6 { return .object(["type": "number", "exclusiveMinimum": .integer(0)]) }
            return .object(["type": "number", "minimum": .integer(0), "exclusiveMinimum": .bool(true)])
        case .count: return defined(count(draft), draft)
        case .countOrZero: return defined(count(draft) + "Default0", draft)
        case .string: return type("string")
        case .pattern: return text(format: "regex")
        case .uri: return text(format: draft == .draft4 ? nil : "uri")
        case .uriReference, .localReference: return text(format: draft == .draft4 ? nil : "uri-reference")
        case .anchor: return text(pattern: draft == .draft2020 ? anchor : "^[A-Za-z][-A-Za-z0-9.:_]*$")
        case .types:
            let simple = defined("simpleTypes", draft)
            return either(simple, unique(simple, minimum: 1))
        case .values:
            if draft <= .draft6 { return unique(nil, minimum: 1) }
            return type("array")
        case .names, .someNames: return defined("stringArray", draft)
        case .nameMap: return map(defined("stringArray", draft))
        case .vocabularies:
            return .object([
                "type": "object", "propertyNames": text(format: "uri"), "additionalProperties": type("boolean"),
            ])
        case .list: return type("array")
        case .anything: return .object([:])
        }
    }

    private static let anchor = "^[A-Za-z_][-A-Za-z0-9._]*$"

    private static func unique(_ items: JSONValue?, minimum: Int64?) -> JSONValue {
        var schema: JSONObject = ["type": "array", "uniqueItems": .bool(true)]
        if let items { schema["items"] = items }
        if let minimum { schema["minItems"] = .integer(minimum) }
        return .object(schema)
    }

    // MARK: Definitions

    private static func definitions(_ draft: Dialect.Draft) -> JSONValue {
        var result = definitions(draft, of: .applicator)
        for (name, schema) in definitions(draft, of: .validation).members { result[name] = schema }
        return .object(result)
    }

    private static func definitions(_ draft: Dialect.Draft, of vocabulary: Dialect.Vocabulary) -> JSONObject {
        switch vocabulary {
        case .applicator:
            let list: JSONObject = ["type": "array", "minItems": .integer(1), "items": itself(draft)]
            return ["schemaArray": .object(list)]
        case .validation:
            let integer: JSONValue = .object(["type": "integer", "minimum": .integer(0)])
            return [
                count(draft): integer,
                count(draft) + "Default0": draft >= .draft2019 ? defined(count(draft), draft) : integer,
                "simpleTypes": .object([
                    "enum": .array(["array", "boolean", "integer", "null", "number", "object", "string"])
                ]),
                "stringArray": unique(type("string"), minimum: draft == .draft4 ? 1 : nil),
            ]
        case .core where draft == .draft2020:
            return [
                "anchorString": text(pattern: anchor), "uriString": text(format: "uri"),
                "uriReferenceString": text(format: "uri-reference"),
            ]
        default: return [:]
        }
    }
}
