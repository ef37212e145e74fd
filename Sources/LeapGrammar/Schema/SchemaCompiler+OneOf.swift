import LeapJSON

/// `oneOf` and `unevaluated…`.
extension SchemaCompiler {
    /// Values that exactly one of the schemas admits.
    ///
    /// Overlapping branches are taken apart by complement.
    func exactlyOne(_ parts: [ExpressionID], _ id: SchemaDocument.LocationID) throws -> TypeSet {
        let sets = try parts.map { try evaluate($0) }
        var result = TypeSet()
        result.allowsNull = sets.count(where: \.allowsNull) == 1
        result.allowsTrue = sets.count(where: \.allowsTrue) == 1
        result.allowsFalse = sets.count(where: \.allowsFalse) == 1
        var parts = [result]
        for (index, set) in sets.enumerated() {
            var own = TypeSet()
            own.numbers = set.numbers
            own.points = set.points
            own.strings = set.strings
            own.arrays = set.arrays
            own.objects = set.objects
            for (otherIndex, other) in sets.enumerated() where otherIndex != index {
                own = try subtract(other, from: own, id)
            }
            parts.append(own)
        }
        return try union(of: parts)
    }

    /// `set ∧ ¬other`, leaving alone what cannot overlap.
    private func subtract(_ other: TypeSet, from set: TypeSet, _ id: SchemaDocument.LocationID) throws -> TypeSet {
        var set = set
        if !set.numbers.isEmpty || !set.points.isEmpty, !other.numbers.isEmpty || !other.points.isEmpty {
            let mine = TypeSet(numbers: set.numbers, points: set.points)
            let theirs = TypeSet(numbers: other.numbers, points: other.points)
            let common = try intersection(mine, theirs)
            if !common.numbers.isEmpty || !common.points.isEmpty {
                let rest = try intersection(mine, complement(theirs, id))
                set.numbers = rest.numbers
                set.points = rest.points
            }
        }
        if set.strings != TermStore.empty, other.strings != TermStore.empty {
            let common = terms.and([set.strings, other.strings])
            if try !isEmpty(term: common, at: id) {
                set.strings = terms.and([set.strings, terms.not(other.strings)])
                if try isEmpty(term: set.strings, at: id) { set.strings = TermStore.empty }
            }
        }
        for shape in other.arrays {
            var kept = Alternatives<ArrayShape>()
            for mine in set.arrays {
                if try intersection(mine, shape) == nil {
                    try add(mine, to: &kept, id)
                } else {
                    let rest = try complement(TypeSet(arrays: [shape]), id).arrays
                    for part in rest { if let both = try intersection(mine, part) { try add(both, to: &kept, id) } }
                }
            }
            set.arrays = kept.all
        }
        for shape in other.objects {
            var kept = Alternatives<ObjectShape>()
            for mine in set.objects {
                if try intersection(mine, shape) == nil {
                    try add(mine, to: &kept, id)
                } else {
                    for part in try subtract(shape, from: [mine], id) { try add(part, to: &kept, id) }
                }
            }
            set.objects = try withoutParts(kept.all)
        }
        return set
    }

    // MARK: unevaluatedProperties, unevaluatedItems

    private struct Evaluated {
        var names: [TermStore.ID] = []
        var prefix = 0
        var allItems = false
    }

    /// The constraint of `unevaluated…` where what other keywords evaluate does not depend on the instance.
    func unevaluated(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws -> TypeSet {
        var found = Evaluated()
        try collect(id, object, isSelf: true, into: &found, depth: 0)
        var set = TypeSet.any
        if let value = object["unevaluatedProperties"] {
            let schema = demanded(location(document.child(id, "unevaluatedProperties", value)))
            let names = terms.or(found.names)
            let classes = [
                ObjectShape.KeyClass(names: names, value: Self.anything),
                ObjectShape.KeyClass(names: terms.not(names), value: schema),
            ].filter { $0.names != TermStore.empty }
            set.objects = [ObjectShape(classes: mergedClasses(classes))]
            if let shape = try normalized(set.objects[0], at: id) { set.objects = [shape] }
        }
        if let value = object["unevaluatedItems"], !found.allItems {
            let schema = location(document.child(id, "unevaluatedItems", value))
            var shape = ArrayShape()
            shape.prefix = [ExpressionID](repeating: Self.anything, count: found.prefix)
            shape.rest = schema
            set.arrays = try normalized(shape).map { [$0] } ?? []
        }
        return set
    }

    private func collect(
        _ id: SchemaDocument.LocationID, _ object: JSONObject, isSelf: Bool, into found: inout Evaluated, depth: Int
    ) throws {
        guard depth < 32 else { throw unsupported(id, "unevaluatedProperties", "references nest too deeply") }
        if let members = object["properties"]?.object { found.names.append(terms.oneOf(members.keys)) }
        if let members = object["patternProperties"]?.object {
            for text in members.keys { found.names.append(try pattern(text, at: id)) }
        }
        if object["additionalProperties"] != nil || !isSelf && object["unevaluatedProperties"] != nil {
            found.names.append(TermStore.all)
        }
        if let items = object["prefixItems"]?.array { found.prefix = max(found.prefix, items.count) }
        if let items = object["items"] {
            if let list = items.array, object["additionalItems"] == nil {
                found.prefix = max(found.prefix, list.count)
            } else {
                found.allItems = true
            }
        }
        if !isSelf, object["unevaluatedItems"] != nil { found.allItems = true }
        if object["contains"] != nil, document.dialect(id).draft >= .draft2020, !found.allItems {
            throw unsupported(
                id, "contains", "unevaluatedItems next to contains depends on the instance and cannot be enforced")
        }
        for key in ["anyOf", "oneOf", "if", "then", "else", "dependentSchemas"] {
            guard let value = object[key] else { continue }
            if try evaluatesSomething(id, key, value) {
                throw unsupported(
                    id, key,
                    "unevaluatedProperties or unevaluatedItems next to \(key) depends on the instance and "
                        + "cannot be enforced; list the properties next to it or relax unevaluated*")
            }
        }
        if let parts = object["allOf"] {
            for part in try subschemas(id, "allOf", parts) { try collect(part, into: &found, depth: depth + 1) }
        }
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let value = object[key] { try collect(target(id, key, value), into: &found, depth: depth + 1) }
        }
    }

    private func collect(_ expression: ExpressionID, into found: inout Evaluated, depth: Int) throws {
        guard case .location(let id) = expressions[Int(expression)], document[id].value.object != nil else { return }
        try collect(id, keywords(id), isSelf: false, into: &found, depth: depth)
    }

    /// True if a conditional keyword's subschemas could mark properties or items as evaluated.
    private func evaluatesSomething(_ id: SchemaDocument.LocationID, _ key: String, _ value: JSONValue) throws -> Bool {
        let marks: Set<String> = [
            "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
            "unevaluatedItems", "contains", "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if",
            "then", "else", "dependentSchemas",
        ]
        let parts: [JSONValue]
        switch key {
        case "anyOf", "oneOf": parts = value.array ?? []
        case "dependentSchemas": parts = value.object?.values ?? []
        default: parts = [value]
        }
        return parts.contains { part in part.object?.keys.contains { marks.contains($0) } ?? false }
    }
}
