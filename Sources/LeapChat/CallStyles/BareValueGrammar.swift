import LeapGrammar
import LeapJSON

/// The values of a parameter in Gemma 4's syntax, as a grammar: bare keys and strings between marks at every depth, no
/// spaces.
///
/// Lists and objects are taken apart here; what stands in them is held to its schema. Members stand in the order of
/// their names, as the model's template writes them. Keywords that tie elements or members to one another
/// (`uniqueItems`, `contains`, `patternProperties` and such) are not enforced: calls are checked for them once they
/// were read.
struct BareValueGrammar {
    typealias Piece = GrammarComposition.Piece

    /// Schemas that are taken apart; further ones admit any value.
    private static let maxSchemas = 2000
    /// Schemas inside of one another.
    private static let maxDepth = 32
    /// Elements of a list that are counted.
    private static let maxCounted = 64

    /// The parameter's schema, which references lead into.
    private let root: JSONValue
    /// The parameter, for errors.
    private let name: String
    private let quote: Piece
    private var remaining = Self.maxSchemas
    /// Bytes of schemas with references that are still compiled, each with all that it may refer to.
    private var remainingBytes = 4 << 20
    /// Rules of what is referred to, by the references.
    private var referred: [String: Piece] = [:]
    private var anything: Piece?

    private init(_ root: JSONValue, _ name: String, _ quote: Piece) {
        (self.root, self.name, self.quote) = (root, name, quote)
    }

    /// The values of a schema.
    ///
    /// - Parameter name: what errors point to.
    static func value(_ schema: JSONValue, name: String, in calls: inout CallGrammar) -> Piece {
        var grammar = BareValueGrammar(schema, name, calls.mark(Gemma4FunctionCallParser.quote))
        return grammar.value(schema, at: "", depth: 0, &calls)
    }

    // MARK: Values

    private mutating func value(_ schema: JSONValue, at pointer: String, depth: Int, _ calls: inout CallGrammar)
        -> Piece
    {
        guard remaining > 0, depth < Self.maxDepth else { return anyValue(&calls) }
        remaining -= 1
        guard let object = schema.object else {
            return schema == .bool(false) ? scalar(schema, pointer, &calls) : anyValue(&calls)
        }
        if let reference = object["$ref"]?.string { return target(of: reference, at: pointer, depth: depth, &calls) }
        let types = CallSchema.types(of: schema, in: root)
        if types == nil, Self.saysNothing(object) { return anyValue(&calls) }
        var choices: [Piece] = []
        if types?.isDisjoint(with: [.string, .number, .boolean, .null]) != true {
            choices.append(scalar(schema, pointer, &calls))
        }
        choices += containers(schema, at: pointer, types, depth: depth, &calls)
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    /// Keywords that say something about values.
    private static let keywords: Set<String> = [
        "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "properties", "required", "items", "prefixItems",
        "additionalProperties", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
    ]

    private static func saysNothing(_ object: JSONObject) -> Bool { object.keys.allSatisfy { !keywords.contains($0) } }

    /// The strings, numbers and words of a schema.
    private mutating func scalar(_ schema: JSONValue, _ pointer: String, _ calls: inout CallGrammar) -> Piece {
        calls.marked(
            document(schema, pointer), name: name, quote: quote, without: Gemma4FunctionCallParser.quote)
    }

    /// A schema within the root as a document of its own, whose references still lead into the root.
    private mutating func document(_ schema: JSONValue, _ pointer: String) -> JSONValue {
        guard CallSchema.hasReferences(schema), var object = root.object else { return schema }
        if !pointer.isEmpty { object["$ref"] = .string("#" + pointer) }
        remainingBytes -= JSONWriter.bytes(root).count
        return remainingBytes > 0 ? .object(object) : .bool(true)
    }

    /// The values of what a reference leads to, a rule of their own: they may hold themselves.
    private mutating func target(
        of reference: String, at pointer: String, depth: Int, _ calls: inout CallGrammar
    ) -> Piece {
        if let known = referred[reference] { return known }
        guard let schema = CallSchema.target(of: reference, in: root) else {
            // The compiler says what is wrong with it.
            return calls.value(root, name: name)
        }
        return calls.recursiveRule { calls, rule in
            referred[reference] = rule
            return value(schema, at: String(reference.dropFirst()), depth: depth + 1, &calls)
        }
    }

    /// Any value.
    private mutating func anyValue(_ calls: inout CallGrammar) -> Piece {
        if let anything { return anything }
        let made = calls.recursiveRule { calls, rule in
            anything = rule
            let list = Self.list([], rest: rule, 0, nil, &calls)
            let object = freeObject([], rule, &calls)
            return .choice([scalar(.bool(true), "", &calls), list, object])
        }
        anything = made
        return made
    }

    // MARK: Lists and objects

    /// The lists and objects of a schema.
    private mutating func containers(
        _ schema: JSONValue, at pointer: String, _ types: Set<CallSchema.ValueType>?, depth: Int,
        _ calls: inout CallGrammar
    ) -> [Piece] {
        guard remaining > 0, depth < Self.maxDepth, let object = schema.object else { return [] }
        remaining -= 1
        if let reference = object["$ref"]?.string {
            guard let target = CallSchema.target(of: reference, in: root) else { return [] }
            return containers(
                target, at: String(reference.dropFirst()), CallSchema.types(of: target, in: root), depth: depth + 1,
                &calls)
        }
        if let values = object["enum"]?.array ?? object["const"].map({ [$0] }) {
            return values.filter { $0.array != nil || $0.object != nil }.map { literal($0, calls) }
        }
        for keyword in ["anyOf", "oneOf"] {
            guard let branches = object[keyword]?.array else { continue }
            var found: [Piece] = []
            for (index, branch) in branches.enumerated() {
                found += containers(
                    branch, at: "\(pointer)/\(keyword)/\(index)", CallSchema.types(of: branch, in: root),
                    depth: depth + 1, &calls)
            }
            return found
        }
        var found: [Piece] = []
        if types?.contains(.array) != false { found.append(list(object, at: pointer, depth: depth, &calls)) }
        if types?.contains(.object) != false {
            found.append(members(ObjectParts(schema, at: pointer, in: root), depth: depth, &calls))
        }
        return found
    }

    private mutating func list(
        _ object: JSONObject, at pointer: String, depth: Int, _ calls: inout CallGrammar
    ) -> Piece {
        let items = object["items"] ?? .bool(true)
        let prefix = object["prefixItems"]?.array ?? items.array ?? []
        let prefixName = object["prefixItems"] == nil ? "items" : "prefixItems"
        var elements: [Piece] = []
        for (index, schema) in prefix.prefix(Self.maxCounted).enumerated() {
            elements.append(value(schema, at: "\(pointer)/\(prefixName)/\(index)", depth: depth + 1, &calls))
        }
        let rest =
            items.array == nil
            ? value(items, at: "\(pointer)/items", depth: depth + 1, &calls) : anyValue(&calls)
        return Self.list(
            elements, rest: calls.rule(rest), object["minItems"]?.integer ?? 0, object["maxItems"]?.integer, &calls)
    }

    /// A list.
    ///
    /// - Parameters:
    ///   - first: its first elements.
    ///   - rest: each of those behind them.
    private static func list(
        _ first: [Piece], rest: Piece, _ least: Int, _ most: Int?, _ calls: inout CallGrammar
    ) -> Piece {
        let isBounded = most.map { $0 <= maxCounted } ?? false
        let counted = isBounded ? max(0, most ?? 0) : max(first.count, min(least, maxCounted), 1)
        // Behind the element of an index: what may follow it.
        var after = Piece.sequence([])
        if !isBounded {
            after = calls.recursiveRule { _, rule in
                .choice([.sequence([.text(","), rest, rule]), .sequence([])])
            }
        }
        for index in (0..<counted).reversed() {
            let element = index < first.count ? first[index] : rest
            let given = Piece.sequence((index > 0 ? [.text(",")] : []) + [element, after])
            after = calls.rule(index < least ? given : .choice([given, .sequence([])]))
        }
        return .sequence([.text("["), after, .text("]")])
    }

    private mutating func members(_ parts: ObjectParts, depth: Int, _ calls: inout CallGrammar) -> Piece {
        var written: [(isRequired: Bool, piece: Piece)] = []
        for property in parts.properties.sorted(by: { CallGrammar.isOrdered($0.name, $1.name) }) {
            let member = Piece.sequence([
                key(property.name), .text(":"), value(property.schema, at: property.pointer, depth: depth + 1, &calls),
            ])
            // It stands in several places of the object, and others in it.
            written.append((parts.required.contains(property.name), calls.rule(member)))
        }
        guard !parts.isOpen else {
            let other = parts.additional.map { value($0.schema, at: $0.pointer, depth: depth + 1, &calls) }
            return freeObject(written.map(\.piece), other ?? anyValue(&calls), &calls)
        }
        return .sequence([.text("{"), calls.members(written, separator: .text(",")), .text("}")])
    }

    /// An object whose members may have any names besides, in any order.
    private func freeObject(_ known: [Piece], _ other: Piece, _ calls: inout CallGrammar) -> Piece {
        let anyKey = calls.plain(
            .object(["type": "string", "pattern": .string(#"^[^:,{}\[\]<>"'\s]+$"#)]), name: name,
            without: Gemma4FunctionCallParser.quote)
        let member = calls.rule(.choice(known + [.sequence([anyKey, .text(":"), other])]))
        let more = calls.recursiveRule { _, rule in
            .choice([.sequence([.text(","), member, rule]), .sequence([])])
        }
        return .sequence([.text("{"), .choice([.sequence([member, more]), .sequence([])]), .text("}")])
    }

    private func key(_ name: String) -> Piece {
        BareKeyReader.isBare(name) ? .text(name) : .sequence([quote, .text(name), quote])
    }

    /// One value.
    private func literal(_ value: JSONValue, _ calls: CallGrammar) -> Piece {
        func joined(_ pieces: [Piece]) -> [Piece] {
            pieces.enumerated().flatMap { $0 == 0 ? [$1] : [.text(","), $1] }
        }
        switch value {
        case .string(let text): return .sequence([quote, .text(text), quote])
        case .array(let values):
            return .sequence([.text("[")] + joined(values.map { literal($0, calls) }) + [.text("]")])
        case .object(let object):
            let members = object.members.sorted { CallGrammar.isOrdered($0.key, $1.key) }.map {
                Piece.sequence([key($0.key), .text(":"), literal($0.value, calls)])
            }
            return .sequence([.text("{")] + joined(members) + [.text("}")])
        default: return .text(JSONWriter.string(value))
        }
    }
}

/// The members that a schema asks of objects, those of its parts (`allOf`) included.
private struct ObjectParts {
    private(set) var properties: [(name: String, schema: JSONValue, pointer: String)] = []
    private(set) var required: Set<String> = []
    /// The schema of members of other names, where there is one.
    private(set) var additional: (schema: JSONValue, pointer: String)?
    /// True if members of other names may stand there.
    private(set) var isOpen = false

    private static let maxDepth = 8

    init(_ schema: JSONValue, at pointer: String, in root: JSONValue) {
        read(schema, at: pointer, in: root, depth: 0)
        for name in required.sorted() where !properties.contains(where: { $0.name == name }) {
            properties.append((name, .bool(true), pointer))
        }
        // An object that declares nothing may have anything.
        if properties.isEmpty, additional == nil, !isClosed { isOpen = true }
    }

    private var isClosed = false

    private mutating func read(_ schema: JSONValue, at pointer: String, in root: JSONValue, depth: Int) {
        guard depth < Self.maxDepth, let object = schema.object else { return }
        if let reference = object["$ref"]?.string, let target = CallSchema.target(of: reference, in: root) {
            read(target, at: String(reference.dropFirst()), in: root, depth: depth + 1)
        }
        for member in object["properties"]?.object?.members ?? []
        where !properties.contains(where: { $0.name == member.key }) {
            properties.append((member.key, member.value, "\(pointer)/properties/\(CallSchema.escaped(member.key))"))
        }
        required.formUnion(object["required"]?.array?.compactMap(\.string) ?? [])
        switch object["additionalProperties"] {
        case .bool(false): isClosed = true
        case .bool(true): isOpen = true
        case let other?:
            isOpen = true
            additional = (other, pointer + "/additionalProperties")
        case nil: if object["patternProperties"] != nil { isOpen = true }
        }
        for (index, part) in (object["allOf"]?.array ?? []).enumerated() {
            read(part, at: "\(pointer)/allOf/\(index)", in: root, depth: depth + 1)
        }
    }
}
