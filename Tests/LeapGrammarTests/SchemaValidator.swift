import LeapGrammar
import LeapJSON

/// Checks an instance against a schema the plain way: keyword by keyword on the parsed value.
///
/// It shares the JSON reader and decimal comparison with the compiler, and nothing else; patterns go to Swift's own
/// regular expressions. `unevaluated…` and most formats are not checked.
struct SchemaValidator {
    let root: JSONValue
    private let isDraft4: Bool
    /// Keywords that say nothing in this schema's draft, or that its meta-schema leaves out.
    private var ignored: Set<String> = []

    init(_ schema: String) throws {
        root = try JSONParser.parse(schema)
        isDraft4 = root.object?["$schema"]?.string?.contains("draft-04") ?? false
        if isDraft4 { ignored = ["const", "contains", "propertyNames", "if", "then", "else"] }
        let vocabularies = root.object?["$defs"]?.object?.values.compactMap { $0.object?["$vocabulary"]?.object }.first
        if let vocabularies, !vocabularies.keys.contains(where: { $0.hasSuffix("/applicator") }) {
            ignored = ["not", "allOf", "anyOf", "oneOf", "properties", "items", "additionalProperties"]
        }
    }

    /// Returns what is wrong with a text; nil where it is a valid instance.
    func fault(_ text: String) throws -> String? {
        let value: JSONValue
        do { value = try JSONParser.parse(text) } catch { return "not JSON: \(error)" }
        return try fault(value, root, "")
    }

    private func isValid(_ value: JSONValue, _ schema: JSONValue) throws -> Bool { try fault(value, schema, "") == nil }

    private func fault(_ value: JSONValue, _ schema: JSONValue, _ path: String) throws -> String? {
        if let flag = schema.bool { return flag ? nil : "\(path): false" }
        guard let object = schema.object else { return "\(path): no schema" }
        if let reference = object["$ref"]?.string, let target = resolve(reference) {
            if let fault = try fault(value, target, path) { return fault }
            if object["$schema"]?.string?.contains("draft-07") ?? false { return nil }
        }
        for (key, argument) in zip(object.keys, object.values)
        where try !ignored.contains(key) && !satisfies(value, key, argument, object, path) {
            return "\(path): \(key)"
        }
        return nil
    }

    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#") else { return nil }
        var current = root
        for part in reference.dropFirst().split(separator: "/") {
            let name = String(part).replacing("~1", with: "/").replacing("%20", with: " ")
            if let next = current.object?[name] {
                current = next
            } else if let index = Int(name), let items = current.array, index < items.count {
                current = items[index]
            } else {
                return nil
            }
        }
        return current
    }

    private func satisfies(
        _ value: JSONValue, _ key: String, _ argument: JSONValue, _ schema: JSONObject, _ path: String
    ) throws -> Bool {
        switch key {
        case "type": return (argument.array ?? [argument]).contains { isOfType(value, $0.string ?? "") }
        case "enum": return argument.array?.contains(value) ?? false
        case "const": return argument == value
        case "allOf": return try (argument.array ?? []).allSatisfy { try isValid(value, $0) }
        case "anyOf": return try (argument.array ?? []).contains { try isValid(value, $0) }
        case "oneOf": return try (argument.array ?? []).count { try isValid(value, $0) } == 1
        case "not": return try !isValid(value, argument)
        case "if":
            let branch = try isValid(value, argument) ? schema["then"] : schema["else"]
            return try branch.map { try isValid(value, $0) } ?? true
        default: break
        }
        switch value {
        case .number(let number): return satisfies(number.decimal, key, argument, schema)
        case .string(let text): return try satisfies(text, key, argument)
        case .array(let items): return try satisfies(items, key, argument, schema)
        case .object(let members): return try satisfies(members, value, key, argument, schema)
        default: return true
        }
    }

    private func isOfType(_ value: JSONValue, _ name: String) -> Bool {
        switch (value, name) {
        case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.array, "array"), (.object, "object"),
            (.number, "number"):
            true
        case (.number(let number), "integer"):
            number.decimal.isInteger && !(isDraft4 && number.isFloatSpelled)
        default: false
        }
    }

    // MARK: Numbers and strings

    private func satisfies(_ number: ExactDecimal, _ key: String, _ argument: JSONValue, _ schema: JSONObject) -> Bool {
        guard let bound = argument.number?.decimal else { return true }
        switch key {
        case "minimum": return schema["exclusiveMinimum"]?.bool == true ? number > bound : number >= bound
        case "maximum": return schema["exclusiveMaximum"]?.bool == true ? number < bound : number <= bound
        case "exclusiveMinimum": return number > bound
        case "exclusiveMaximum": return number < bound
        case "multipleOf": return isMultiple(number, of: bound)
        default: return true
        }
    }

    /// Long division digit by digit.
    private func isMultiple(_ number: ExactDecimal, of divisor: ExactDecimal) -> Bool {
        if number.isZero { return true }
        let (whole, fraction) = number.fixed
        let (divisorWhole, divisorFraction) = divisor.fixed
        let places = divisorFraction.count
        if fraction.count > places { return false }
        let modulus = (divisorWhole + divisorFraction).reduce(0) { $0 * 10 + Int($1) }
        let digits = whole + fraction + [UInt8](repeating: 0, count: places - fraction.count)
        return digits.reduce(0) { ($0 * 10 + Int($1)) % modulus } == 0
    }

    private func satisfies(_ text: String, _ key: String, _ argument: JSONValue) throws -> Bool {
        switch key {
        case "minLength": return text.unicodeScalars.count >= argument.integer ?? 0
        case "maxLength": return text.unicodeScalars.count <= argument.integer ?? .max
        case "pattern": return try matches(text, argument.string ?? "")
        case "format":
            switch argument.string {
            case "date": return try matches(text, "^[0-9]{4}-[01][0-9]-[0-3][0-9]$")
            case "uuid": return try matches(text, "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
            case "ipv4":
                let parts = text.split(separator: ".", omittingEmptySubsequences: false)
                return parts.count == 4 && parts.allSatisfy { (Int($0) ?? 256) < 256 && $0.utf8.count <= 3 }
            default: return true
            }
        default: return true
        }
    }

    /// A search, by Unicode scalars.
    private func matches(_ text: String, _ pattern: String) throws -> Bool {
        try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses().firstMatch(in: text) != nil
    }

    // MARK: Arrays and objects

    private func satisfies(
        _ items: [JSONValue], _ key: String, _ argument: JSONValue, _ schema: JSONObject
    ) throws -> Bool {
        let prefix = schema["prefixItems"]?.array ?? schema["items"]?.array ?? []
        switch key {
        case "prefixItems": return try zip(items, prefix).allSatisfy { try isValid($0, $1) }
        case "items":
            if argument.array != nil { return try zip(items, prefix).allSatisfy { try isValid($0, $1) } }
            return try items.dropFirst(prefix.count).allSatisfy { try isValid($0, argument) }
        case "additionalItems":
            return try schema["items"]?.array == nil
                || items.dropFirst(prefix.count).allSatisfy { try isValid($0, argument) }
        case "minItems": return items.count >= argument.integer ?? 0
        case "maxItems": return items.count <= argument.integer ?? .max
        case "uniqueItems":
            return argument.bool != true
                || items.indices.allSatisfy { index in !items[..<index].contains(items[index]) }
        case "contains":
            let count = try items.count { try isValid($0, argument) }
            return count >= schema["minContains"]?.integer ?? 1
                && count <= schema["maxContains"]?.integer ?? .max
        default: return true
        }
    }

    private func satisfies(
        _ members: JSONObject, _ whole: JSONValue, _ key: String, _ argument: JSONValue, _ schema: JSONObject
    ) throws -> Bool {
        switch key {
        case "properties":
            return try zip(members.keys, members.values).allSatisfy { name, value in
                try argument.object?[name].map { try isValid(value, $0) } ?? true
            }
        case "patternProperties":
            guard let patterns = argument.object else { return false }
            return try zip(members.keys, members.values).allSatisfy { name, value in
                try zip(patterns.keys, patterns.values).allSatisfy { pattern, schema in
                    try !matches(name, pattern) || isValid(value, schema)
                }
            }
        case "additionalProperties":
            let patterns = schema["patternProperties"]?.object?.keys ?? []
            return try zip(members.keys, members.values).allSatisfy { name, value in
                try schema["properties"]?.object?[name] != nil || patterns.contains { try matches(name, $0) }
                    || isValid(value, argument)
            }
        case "propertyNames": return try members.keys.allSatisfy { try isValid(.string($0), argument) }
        case "required": return (argument.array ?? []).allSatisfy { members[$0.string ?? ""] != nil }
        case "minProperties": return members.count >= argument.integer ?? 0
        case "maxProperties": return members.count <= argument.integer ?? .max
        case "dependentRequired", "dependencies", "dependentSchemas":
            guard let dependencies = argument.object else { return false }
            return try zip(dependencies.keys, dependencies.values).allSatisfy { name, need in
                if members[name] == nil { return true }
                if let names = need.array { return names.allSatisfy { members[$0.string ?? ""] != nil } }
                return try isValid(whole, need)
            }
        default: return true
        }
    }
}
