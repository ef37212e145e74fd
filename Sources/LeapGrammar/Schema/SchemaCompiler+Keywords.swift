import LeapJSON

/// Reading one schema object.
extension SchemaCompiler {
    static let directKeywords: Set<String> = [
        "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "pattern", "format", "items", "prefixItems", "additionalItems", "contains",
        "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "properties", "patternProperties",
        "additionalProperties", "propertyNames", "required", "minProperties", "maxProperties", "dependentRequired",
        "dependencies", "unevaluatedProperties", "unevaluatedItems",
    ]

    /// The schema object at a location, without what its dialect does not know and what is relaxed.
    func keywords(_ id: SchemaDocument.LocationID) throws(GrammarError) -> JSONObject {
        guard let object = document[id].value.object else {
            throw GrammarError(
                .invalidSchema, at: document.pointer(id),
                "a schema is an object or a boolean, but this is \(document[id].value.kind)")
        }
        if let fault = document.fault(at: id) { throw fault }
        let dialect = document.dialect(id)
        if dialect.isDraft3 { try refuseWhatDraft4GaveUp(id, object) }
        noteBooleanRequired(id, object)
        let standsAlone = dialect.referenceStandsAlone && object["$ref"] != nil && !isRelaxed("$ref")
        let isWhole = object.members.allSatisfy { key, value in
            !isRelaxed(key) && !(standsAlone && key != "$ref") && ignored(key, value, dialect) == nil
        }
        if isWhole { return object }
        var kept = JSONObject()
        for (key, value) in object.members where !isRelaxed(key) {
            if let reason = ignored(key, value, dialect) {
                note(id, key, reason)
            } else if standsAlone, key != "$ref" {
                guard SchemaKeyword.origin(of: key) != nil, key != "$schema", key != dialect.identifier else {
                    continue
                }
                note(
                    id, key, "\(dialect.name) ignores what is next to $ref; put this keyword and the $ref into an allOf"
                )
            } else {
                kept.set(key, value)
            }
        }
        return kept
    }

    /// Refuses the keywords of draft 3 that later drafts do not have: read by those they would go without effect.
    private func refuseWhatDraft4GaveUp(
        _ id: SchemaDocument.LocationID, _ object: JSONObject
    ) throws(GrammarError) {
        for (key, value) in object.members where !isRelaxed(key) {
            let remedy: String
            switch key {
            case "required" where value.bool == true:
                remedy = "name the property in the list 'required' of the object around it"
            case "divisibleBy": remedy = "write it as multipleOf"
            case "disallow": remedy = "write it as not"
            case "extends": remedy = "write it as allOf"
            default: continue
            }
            throw unsupported(
                id, key,
                "draft-03's meaning of this keyword is not enforced; \(remedy), and name a later draft in $schema")
        }
    }

    /// A property that says of itself that it is required, as draft 3 had it: later drafts see no object there, and
    /// nothing to check.
    private func noteBooleanRequired(_ id: SchemaDocument.LocationID, _ object: JSONObject) {
        guard let value = object["required"], value.bool != nil, let type = object["type"], !isRelaxed("required")
        else {
            return
        }
        let types = type.array ?? [type]
        if types.contains("object") || value.bool == false { return }
        note(id, "required", "a boolean is the form of draft-03; name the property in the object's list 'required'")
    }

    private func isRelaxed(_ key: String) -> Bool { options.relaxedKeywords.contains(key) }

    /// Returns the reason why a keyword does not count; nil where it does, and for annotations.
    private func ignored(_ key: String, _ value: JSONValue, _ dialect: Dialect) -> String? {
        guard let keyword = dialect.keyword(key) else {
            guard let origin = SchemaKeyword.origin(of: key) else { return nil }
            if SchemaKeyword.byDraft[dialect.draft.rawValue][key] != nil {
                return "the meta-schema omits the vocabulary of this keyword, so it is ignored"
            }
            return "a keyword of \(origin); the schema is read as \(dialect.name), which ignores it"
        }
        if keyword.content == .boolean, value.number != nil, dialect.draft == .draft4 {
            return "a number is the form of draft-06 and later; the schema is read as draft-04, which ignores it"
        }
        return nil
    }

    private func note(_ id: SchemaDocument.LocationID, _ key: String, _ reason: String) {
        guard notes.count < Self.maximumNotes else { return }
        let pointer = document.pointer(id, key)
        guard notedPointers.insert(pointer).inserted else { return }
        notes.append(GrammarNote(pointer: pointer, reason: reason))
    }

    func wrongType(_ id: SchemaDocument.LocationID, _ key: String, _ expected: String, _ found: JSONValue)
        -> GrammarError
    {
        GrammarError(
            .invalidSchema, at: document.pointer(id, key), "must be \(expected), but is \(found.kind)")
    }

    func unsupported(_ id: SchemaDocument.LocationID, _ key: String, _ reason: String) -> GrammarError {
        GrammarError(.unsupported, at: document.pointer(id, key), reason)
    }

    /// Subschemas in an array keyword.
    func subschemas(
        _ id: SchemaDocument.LocationID, _ key: String, _ value: JSONValue
    ) throws(GrammarError) -> [ExpressionID] {
        guard let items = value.array, !items.isEmpty else { throw wrongType(id, key, "a list of schemas", value) }
        return items.enumerated().map { location(document.child(id, key, value, String($0), $1)) }
    }

    func target(_ id: SchemaDocument.LocationID, _ key: String, _ value: JSONValue) throws(GrammarError) -> ExpressionID
    {
        guard let reference = value.string else { throw wrongType(id, key, "a string", value) }
        try spend(1 + reference.utf8.count >> 4, at: id)
        return location(try document.resolve(reference, key, from: id))
    }

    func evaluate(location id: SchemaDocument.LocationID) throws -> TypeSet {
        if let flag = document[id].value.bool { return flag ? .any : .none }
        let object = try keywords(id)
        if document.dialect(id).referenceStandsAlone, let reference = object["$ref"] {
            return try evaluate(try target(id, "$ref", reference))
        }
        var result: TypeSet?
        func restrict(_ set: TypeSet) throws { result = try result.map { try intersection($0, set) } ?? set }
        var isDirectDone = false
        for (key, value) in zip(object.keys, object.values) {
            switch key {
            case "$ref", "$dynamicRef", "$recursiveRef": try restrict(evaluate(target(id, key, value)))
            case "allOf": for part in try subschemas(id, key, value) { try restrict(evaluate(part)) }
            default:
                guard !isDirectDone, Self.directKeywords.contains(key) else { continue }
                isDirectDone = true
                try restrict(direct(id, object))
            }
        }
        for (key, value) in zip(object.keys, object.values) {
            switch key {
            case "anyOf":
                try restrict(union(of: subschemas(id, key, value).map { try evaluate($0) }))
            case "oneOf": try restrict(exactlyOne(subschemas(id, key, value), id))
            case "not":
                try restrict(evaluate(not(location(document.child(id, key, value)))))
            case "if":
                for part in try conditional(id, object) { try restrict(evaluate(part)) }
            case "dependentSchemas", "dependencies":
                // (Not "absent, or present and so": the fewer alternatives say something of their own, the more of them
                // are part of one another.)
                for (present, schema) in try dependentSchemas(id, key, value) {
                    try restrict(evaluate(or([not(present), schema])))
                }
            default: break
            }
        }
        if object["unevaluatedProperties"] != nil || object["unevaluatedItems"] != nil {
            try restrict(unevaluated(id, object))
        }
        return result ?? .any
    }

    /// `if` as implications: [¬if ∨ then, if ∨ else].
    private func conditional(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws(GrammarError)
        -> [ExpressionID]
    {
        guard let condition = object["if"] else { return [] }
        let test = location(document.child(id, "if", condition))
        var yes = Self.anything
        var no = Self.anything
        if let value = object["then"] { yes = location(document.child(id, "then", value)) }
        if let value = object["else"] { no = location(document.child(id, "else", value)) }
        if yes == Self.anything, no == Self.anything { return [] }
        return [or([and([test, yes]), and([not(test), no])])]
    }

    /// (an expression for "the key is there", the schema that then holds).
    private func dependentSchemas(
        _ id: SchemaDocument.LocationID, _ key: String, _ value: JSONValue
    ) throws(GrammarError) -> [(ExpressionID, ExpressionID)] {
        guard let members = value.object else { throw wrongType(id, key, "an object", value) }
        var result: [(ExpressionID, ExpressionID)] = []
        for (name, schema) in zip(members.keys, members.values) where schema.array == nil {
            if key == "dependencies", schema.string != nil { continue }
            let target = location(document.child(id, key, value, name, schema))
            if target != Self.anything { result.append((presence(of: self.key(name)), target)) }
        }
        return result
    }

    /// "An object that has the key.".
    func presence(of key: KeyID) -> ExpressionID {
        var shape = ObjectShape()
        shape.properties = [ObjectShape.Property(key: key, value: Self.anything, isRequired: true)]
        return expression(TypeSet(objects: [shape]))
    }

    // MARK: The complement of a schema, keyword by keyword

    func complement(_ id: ExpressionID) throws -> TypeSet {
        switch expressions[Int(id)] {
        case .anything, .demanded: return .none
        case .nothing: return .any
        case .not(let inner): return try evaluate(inner)
        case .and(let parts):
            var result = TypeSet.none
            for part in parts { result = try union(result, evaluate(not(part))) }
            return result
        case .or(let parts):
            var result = TypeSet.any
            for part in parts { result = try intersection(result, evaluate(not(part))) }
            return result
        case .typeSet: return try complement(evaluate(id), 0)
        case .location(let location): return try naming(location) { try complement(location: location) }
        }
    }

    private func complement(location id: SchemaDocument.LocationID) throws -> TypeSet {
        if let flag = document[id].value.bool { return flag ? .none : .any }
        let object = try keywords(id)
        if document.dialect(id).referenceStandsAlone, let reference = object["$ref"] {
            return try evaluate(not(target(id, "$ref", reference)))
        }
        if object["unevaluatedProperties"] != nil || object["unevaluatedItems"] != nil {
            throw unsupported(id, "unevaluatedProperties", "the complement of unevaluated* cannot be enforced exactly")
        }
        var result = TypeSet.none
        func add(_ expression: ExpressionID) throws { result = try union(result, evaluate(expression)) }
        var isDirectDone = false
        for (key, value) in zip(object.keys, object.values) {
            switch key {
            case "$ref", "$dynamicRef", "$recursiveRef": try add(not(target(id, key, value)))
            case "allOf": for part in try subschemas(id, key, value) { try add(not(part)) }
            case "anyOf":
                var all = TypeSet.any
                for part in try subschemas(id, key, value) { all = try intersection(all, evaluate(not(part))) }
                result = try union(result, all)
            case "oneOf":
                result = try union(result, complement(exactlyOne(subschemas(id, key, value), id), id))
            case "not": try add(location(document.child(id, key, value)))
            case "if": for part in try conditional(id, object) { try add(not(part)) }
            case "dependentSchemas", "dependencies":
                for (present, schema) in try dependentSchemas(id, key, value) {
                    try add(and([present, not(schema)]))
                }
                fallthrough
            default:
                guard !isDirectDone, Self.directKeywords.contains(key) else { continue }
                isDirectDone = true
                result = try union(result, complement(direct(id, object), id))
            }
        }
        return result
    }
}
