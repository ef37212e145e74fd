import LeapGrammar
import LeapJSON

/// Leaves out of a function's schema the parts that no grammar can enforce, so that the rest is enforced and the model
/// may call it.
///
/// The parts to leave out are found by compiling: an error names the place, the keyword there goes, and the rest is
/// tried again. The number of attempts and of bytes in all is limited; each schema is compiled within the work that any
/// schema may take.
struct SchemaRelaxation {
    /// The schema without the parts that were left out.
    private(set) var schema: JSONValue
    /// The parts that were left out, as JSON Pointers into the schema of the arguments, and the reasons.
    private(set) var faults: [(pointer: String, reason: String)] = []

    private let rule: CallNameRule
    private let options: GrammarOptions
    /// The extent to which the schema at a pointer is reduced already.
    private var reductions: [String: Int] = [:]
    /// Bytes of schemas that may still be compiled.
    private var remainingBytes = 8 << 20

    /// Faults that are looked for before nothing but the names of parameters is left.
    private static let maximumAttempts = 64

    /// Relaxes the schema of a function's arguments.
    ///
    /// - Parameters:
    ///   - rule: that of the style in which calls are written.
    ///   - options: those that the grammar of calls is compiled with.
    init(_ function: LeapFunction, rule: CallNameRule, options: GrammarOptions) {
        schema = function.argumentSchema
        self.rule = rule
        self.options = options
        if rule.separatesArguments { separateArguments() }
        for _ in 0..<Self.maximumAttempts {
            let found = nextFaults()
            if found.isEmpty { return }
            for error in found {
                note(error.pointer, error.reason)
                leaveOut(error)
            }
        }
        if !nextFaults().isEmpty {
            note("", "the schema cannot be enforced")
            schema = Self.arguments(Self.reduced(schema, to: .names))
        }
    }

    /// A schema of all arguments, which are an object.
    private static func arguments(_ schema: JSONValue) -> JSONValue {
        var object = schema.object ?? [:]
        object["type"] = "object"
        return .object(object)
    }

    private mutating func note(_ pointer: String, _ reason: String) {
        if !faults.contains(where: { $0.pointer == pointer }) { faults.append((pointer, reason)) }
    }

    // MARK: Finding faults

    /// Returns the errors because of which the schema cannot be enforced; empty where it can.
    private mutating func nextFaults() -> [GrammarError] {
        let closed = CallSchema.closed(schema, isRoot: true)
        guard let error = fault(compiling: closed) else {
            return rule.separatesArguments ? unusableParameters(of: closed) : []
        }
        guard error.code == .unsatisfiable, error.pointer.isEmpty else { return [error] }
        // Of an object that no value satisfies, a parameter is at fault more often than the object.
        let parameters = unusableParameters(of: closed)
        return parameters.isEmpty ? [error] : parameters
    }

    /// Returns the errors of parameters by themselves: calls in code have a place for each one, which has to have some
    /// value.
    private mutating func unusableParameters(of closed: JSONValue) -> [GrammarError] {
        var found: [GrammarError] = []
        for name in closed.object?["properties"]?.object?.keys ?? [] {
            guard let parameter = CallSchema.property(name, of: closed), let error = fault(compiling: parameter) else {
                continue
            }
            found.append(GrammarError(error.code, at: "/properties/" + CallSchema.escaped(name), error.reason))
        }
        return found
    }

    private mutating func fault(compiling schema: JSONValue) -> GrammarError? {
        let byteCount = JSONWriter.bytes(schema).count
        remainingBytes -= byteCount
        guard remainingBytes >= 0 else {
            return GrammarError(.tooComplex, "the schema has too many parts that cannot be enforced")
        }
        do throws(GrammarError) {
            _ = try CompiledGrammar.jsonSchema(schema, byteCount: byteCount, options: options)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Leaving out

    /// The part that is kept of a schema that cannot be enforced as a whole.
    private enum Reduction: Int {
        /// The members of objects and the items of lists, and all types.
        case structure
        /// The type, and of an object the names of its properties.
        case type
        /// Of an object the names of its properties.
        case names
        /// No part at all.
        case nothing

        func keeps(_ keyword: String) -> Bool {
            switch keyword {
            case "description", "title": true
            case "properties": self != .nothing
            case "type", "required": self == .structure || self == .type
            case "items", "prefixItems", "additionalProperties", "$ref", "$defs", "definitions": self == .structure
            default: false
            }
        }
    }

    private mutating func leaveOut(_ error: GrammarError) {
        let tokens = CallSchema.tokens(of: error.pointer)
        let isOfWhole =
            [.unsatisfiable, .tooComplex].contains(error.code)
            && CallSchema.value(at: error.pointer, in: schema)?.object != nil
        if !tokens.isEmpty, !isOfWhole, let changed = Self.leavingOut(tokens[...], of: schema) {
            schema = changed
        } else {
            reduce(at: error.pointer, from: error.code == .tooComplex ? .type : .structure)
        }
    }

    /// The schema without the keyword at a pointer; nil where there is none.
    ///
    /// - Parameter keyword: the one whose value this is.
    private static func leavingOut(
        _ tokens: ArraySlice<String>, of value: JSONValue, keyword: String? = nil
    ) -> JSONValue? {
        guard let token = tokens.first else { return nil }
        switch value {
        case .object(var object):
            guard let member = object[token] else { return nil }
            if tokens.count > 1, let changed = leavingOut(tokens.dropFirst(), of: member, keyword: token) {
                object[token] = changed
            } else if let keyword, namingKeywords.contains(keyword) {
                // What is named stays, as anything.
                object[token] = .object([:])
            } else {
                // Also where the place is inside of the keyword's value.
                object[token] = token == "type" ? known(member) : nil
            }
            return .object(object)
        case .array(var values):
            guard tokens.count > 1, let index = Int(token), values.indices.contains(index),
                let changed = leavingOut(tokens.dropFirst(), of: values[index])
            else { return nil }
            values[index] = changed
            return .array(values)
        default: return nil
        }
    }

    /// Keywords whose value is an object of named schemas.
    private static let namingKeywords: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
    ]

    /// A type whose name is written in capitals, or several; nil for all others.
    private static func known(_ type: JSONValue) -> JSONValue? {
        let names = type.array?.compactMap(\.string) ?? type.string.map { [$0] } ?? []
        let known = names.map(SchemaView.known)
        guard known != names, known.allSatisfy(SchemaView.typeNames.contains) else { return nil }
        return type.string == nil ? .array(known.map { .string($0) }) : known.first.map { .string($0) }
    }

    /// Keeps less of the schema at a pointer than before; of the whole where nothing is there.
    private mutating func reduce(at pointer: String, from first: Reduction) {
        var pointer = pointer
        if CallSchema.value(at: pointer, in: schema)?.object == nil { pointer = "" }
        let step = max(reductions[pointer].map { $0 + 1 } ?? 0, first.rawValue)
        reductions[pointer] = step
        // Of all arguments the names stay.
        let last = pointer.isEmpty ? Reduction.names : .nothing
        let part = CallSchema.value(at: pointer, in: schema) ?? schema
        let reduced = Self.reduced(part, to: Reduction(rawValue: min(step, last.rawValue)) ?? last)
        schema = Self.replacing(CallSchema.tokens(of: pointer)[...], in: schema, by: reduced)
        if pointer.isEmpty { schema = Self.arguments(schema) }
    }

    private static func reduced(_ schema: JSONValue, to reduction: Reduction) -> JSONValue {
        guard let object = schema.object else { return .object([:]) }
        var kept = JSONObject(object.members.filter { reduction.keeps($0.key) }.map { ($0.key, $0.value) })
        if let type = kept["type"] { kept["type"] = known(type) ?? type }
        guard reduction != .structure else { return .object(kept) }
        if let type = kept["type"], !isType(type) { kept["type"] = nil }
        if let required = kept["required"], required.array?.allSatisfy({ $0.string != nil }) != true {
            kept["required"] = nil
        }
        kept["properties"] = kept["properties"]?.object.map { properties in
            .object(
                JSONObject(
                    properties.members.map { member in
                        (member.key, reduced(member.value, to: reduction == .type ? .type : .nothing))
                    }))
        }
        return .object(kept)
    }

    private static func isType(_ value: JSONValue) -> Bool {
        let names = value.array?.map(\.string) ?? [value.string]
        return !names.isEmpty && names.allSatisfy { $0.map(SchemaView.typeNames.contains) ?? false }
    }

    private static func replacing(
        _ tokens: ArraySlice<String>, in value: JSONValue, by new: JSONValue
    ) -> JSONValue {
        guard let token = tokens.first else { return new }
        switch value {
        case .object(var object):
            if let member = object[token] { object[token] = replacing(tokens.dropFirst(), in: member, by: new) }
            return .object(object)
        case .array(var values):
            if let index = Int(token), values.indices.contains(index) {
                values[index] = replacing(tokens.dropFirst(), in: values[index], by: new)
            }
            return .array(values)
        default: return value
        }
    }

    // MARK: Arguments one by one

    /// Takes keywords that tie arguments to one another out of the root; parameters that only they declare stay.
    private mutating func separateArguments() {
        guard var object = CallSchema.inlined(schema).object else { return }
        let tying = SeparateArguments.unsupported.filter {
            object[$0] != nil && !options.relaxedKeywords.contains($0)
        }
        guard !tying.isEmpty else {
            schema = .object(object)
            return
        }
        var properties = object["properties"]?.object ?? [:]
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for branch in object[keyword]?.array ?? [] {
                for (name, value) in CallSchema.resolved(branch, in: schema)?.object?["properties"]?.object?.members
                    ?? []
                where properties[name] == nil {
                    properties[name] = value
                }
            }
        }
        for keyword in tying {
            note("/" + CallSchema.escaped(keyword), SeparateArguments.reason(against: keyword))
            object[keyword] = nil
        }
        if !properties.isEmpty { object["properties"] = .object(properties) }
        schema = .object(object)
    }
}
