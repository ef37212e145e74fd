import LeapJSON

/// The keywords that constrain a value itself: types, numbers, strings, arrays, objects, enumerations.
extension SchemaCompiler {
    func direct(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws -> TypeSet {
        try spend(object.count, at: id)
        var set = TypeSet()
        let types = try admittedTypes(id, object)
        set.allowsNull = types.contains("null")
        set.allowsTrue = types.contains("boolean")
        set.allowsFalse = set.allowsTrue
        if types.contains("number") || types.contains("integer") {
            if let range = try numberRange(id, object, isInteger: !types.contains("number")) { set.numbers = [range] }
        }
        if types.contains("string") { set.strings = try strings(id, object) }
        if types.contains("array") { set.arrays = try arrayShapes(id, object) }
        if types.contains("object") { set.objects = try objectShapes(id, object) }
        if let value = object["const"] {
            set = try intersection(set, literal(value))
        }
        if let value = object["enum"] {
            guard let values = value.array else { throw wrongType(id, "enum", "a list", value) }
            if values.isEmpty {
                throw GrammarError(
                    .unsatisfiable, at: document.pointer(id, "enum"), "an empty enum allows no value")
            }
            set = try intersection(set, literals(values))
        }
        return set
    }

    private func admittedTypes(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws(GrammarError) -> Set<
        String
    > {
        let all: Set<String> = ["null", "boolean", "number", "string", "array", "object"]
        guard let value = object["type"] else { return all }
        let known = all.union(["integer"])
        var result: Set<String> = []
        for item in value.array ?? [value] {
            guard let name = item.string else { throw wrongType(id, "type", "a type name or a list of them", item) }
            guard known.contains(name) else {
                throw GrammarError(
                    .invalidSchema, at: document.pointer(id, "type"),
                    "\"\(name)\" is not a JSON type; use null, boolean, integer, number, string, array or object")
            }
            result.insert(name)
        }
        return result
    }

    // MARK: Numbers

    private func numberRange(
        _ id: SchemaDocument.LocationID, _ object: JSONObject, isInteger: Bool
    ) throws(GrammarError) -> NumberRange? {
        let dialect = document.dialect(id)
        // Where no draft is named, draft 4's spelling is read as well.
        let mayBeBoolean = dialect.draft == .draft4 || !dialect.isStated
        var range = isInteger ? NumberRange.integer : .any
        range.isIntegerSpelled = isInteger && dialect.draft == .draft4
        func number(_ key: String) throws(GrammarError) -> ExactDecimal? {
            guard let value = object[key] else { return nil }
            if mayBeBoolean, key.hasPrefix("exclusive"), value.bool != nil { return nil }
            guard let number = value.number?.decimal else { throw wrongType(id, key, "a number", value) }
            return number
        }
        func add(_ other: NumberRange) -> Bool {
            guard let next = range.intersection(other) else { return false }
            range = next
            return true
        }
        func exclusive(_ key: String) -> Bool { object[key]?.bool == true }
        if let value = try number("minimum") {
            let bound = NumberRange.Bound(value: value, isExclusive: exclusive("exclusiveMinimum"))
            if !add(NumberRange(lower: bound)) { return nil }
        }
        if let value = try number("maximum") {
            let bound = NumberRange.Bound(value: value, isExclusive: exclusive("exclusiveMaximum"))
            if !add(NumberRange(upper: bound)) { return nil }
        }
        if let value = try number("exclusiveMinimum") {
            if !add(NumberRange(lower: .init(value: value, isExclusive: true))) { return nil }
        }
        if let value = try number("exclusiveMaximum") {
            if !add(NumberRange(upper: .init(value: value, isExclusive: true))) { return nil }
        }
        if let value = try number("multipleOf") {
            guard !value.isZero, !value.isNegative else {
                throw GrammarError(
                    .invalidSchema, at: document.pointer(id, "multipleOf"), "must be greater than 0")
            }
            if !add(NumberRange(multiples: [value])) { return nil }
        }
        return range
    }

    // MARK: Strings

    /// A count keyword as a non-negative integer.
    func count(_ id: SchemaDocument.LocationID, _ object: JSONObject, _ key: String) throws(GrammarError) -> Int? {
        guard let value = object[key] else { return nil }
        guard let number = value.number?.decimal, number.isInteger, !number.isNegative else {
            throw wrongType(id, key, "a non-negative integer", value)
        }
        return number.intValue ?? Int(Int32.max)
    }

    private func strings(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws(GrammarError) -> TermStore.ID {
        var parts: [TermStore.ID] = []
        let minimum = try count(id, object, "minLength") ?? 0
        let maximum = try count(id, object, "maxLength")
        if let maximum, maximum < minimum { return TermStore.empty }
        guard minimum < Int(Int32.max / 8) else {
            throw unsupported(id, "minLength", "a string of \(minimum) characters is longer than any answer")
        }
        if minimum > 0 || maximum != nil {
            parts.append(
                terms.repetition(
                    TermStore.anyCharacter, Int32(minimum), maximum.map { Int32(min($0, Int(Int32.max - 1))) } ?? -1))
        }
        if let value = object["pattern"] {
            guard let text = value.string else { throw wrongType(id, "pattern", "a string", value) }
            parts.append(try pattern(text, at: document.child(id, "pattern", value)))
        }
        if let value = object["format"] {
            guard let name = value.string else { throw wrongType(id, "format", "a string", value) }
            if let text = Formats.pattern(name) {
                parts.append(try pattern("^(?:" + text + ")$", at: document.child(id, "format", value)))
            }
        }
        let term = terms.and(parts)
        if parts.count > 1, try isEmpty(term: term, at: id) { return TermStore.empty }
        return term
    }

    // MARK: Enumerations

    func literals(_ values: [JSONValue]) throws -> TypeSet {
        var set = TypeSet()
        var texts: [String] = []
        var points: Set<ExactDecimal> = []
        var arrays: Set<ArrayShape> = []
        var objects: Set<ObjectShape> = []
        for value in values {
            try spend()
            switch value {
            case .null: set.allowsNull = true
            case .bool(true): set.allowsTrue = true
            case .bool(false): set.allowsFalse = true
            case .number(let number):
                let decimal = number.decimal
                if points.insert(decimal).inserted { set.points.append(decimal) }
            case .string(let text): texts.append(text)
            case .array(let items):
                var shape = ArrayShape(rest: Self.nothing, minimum: items.count, maximum: items.count)
                for item in items { shape.prefix.append(expression(try literal(item))) }
                if arrays.insert(shape).inserted { set.arrays.append(shape) }
            case .object(let object):
                var shape = ObjectShape(classes: [])
                for (name, item) in zip(object.keys, object.values) {
                    shape.properties.append(
                        ObjectShape.Property(
                            key: key(name), value: expression(try literal(item)), isRequired: true))
                }
                if objects.insert(shape).inserted { set.objects.append(shape) }
            }
        }
        if !texts.isEmpty { set.strings = terms.oneOf(texts) }
        set.points.sort()
        return set
    }

    private func literal(_ value: JSONValue) throws -> TypeSet { try literals([value]) }

    // MARK: Arrays

    private func arrayShapes(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws -> [ArrayShape] {
        var shape = ArrayShape()
        shape.minimum = try count(id, object, "minItems") ?? 0
        shape.maximum = try count(id, object, "maxItems")
        if let prefix = object["prefixItems"] {
            shape.prefix = try subschemas(id, "prefixItems", prefix)
        }
        if let items = object["items"] {
            if let list = items.array, document.dialect(id).keyword("items")?.content == .schemaOrSchemas {
                // Tuples, spelled as before 2020-12.
                shape.prefix = list.enumerated().map {
                    location(document.child(id, "items", items, String($0), $1))
                }
                if let rest = object["additionalItems"] {
                    shape.rest = location(document.child(id, "additionalItems", rest))
                }
            } else {
                shape.rest = location(document.child(id, "items", items))
            }
        }
        if let value = object["contains"] {
            let item = location(document.child(id, "contains", value))
            let minimum = try count(id, object, "minContains") ?? 1
            let maximum = try count(id, object, "maxContains")
            if minimum > 0 || maximum != nil {
                shape.contains = [
                    ArrayShape.Contains(item: item, start: 0, minimum: minimum, maximum: maximum)
                ]
            }
        }
        if let value = object["uniqueItems"] {
            guard let flag = value.bool else { throw wrongType(id, "uniqueItems", "a boolean", value) }
            shape.isUnique = flag
            if flag { shape.uniquePointer = document.pointer(id, "uniqueItems") }
        }
        guard let result = try normalized(shape) else { return [] }
        guard result.minimum < Int(Int32.max / 8) else {
            throw unsupported(id, "minItems", "an array of \(result.minimum) items is longer than any answer")
        }
        if let contains = result.contains.first, contains.minimum > ArrayCompletion.maximumDepth {
            throw GrammarError(
                .tooComplex, at: document.pointer(id, "minContains"),
                "\(contains.minimum) items that contains counts are more than the \(ArrayCompletion.maximumDepth) that "
                    + "can be enforced; ask for fewer, or relax minContains")
        }
        return [result]
    }

    // MARK: Objects

    private func objectShapes(_ id: SchemaDocument.LocationID, _ object: JSONObject) throws -> [ObjectShape] {
        var shape = ObjectShape(classes: [])
        shape.minimum = try count(id, object, "minProperties") ?? 0
        shape.maximum = try count(id, object, "maxProperties")
        let patterns = try patternProperties(id, object)
        var additional = Self.anything
        if let value = object["additionalProperties"] {
            additional = demanded(location(document.child(id, "additionalProperties", value)))
        } else if object["propertyNames"] != nil {
            // Whoever says how names look expects names that are not listed.
            additional = demanded(additional)
        }
        func matching(_ name: String) -> [ExpressionID] {
            patterns.filter { terms.matches($0.names, name) }.map(\.value)
        }
        if let value = object["properties"] {
            guard let members = value.object else { throw wrongType(id, "properties", "an object", value) }
            for (name, schema) in zip(members.keys, members.values) {
                try spend()
                let own = location(document.child(id, "properties", value, name, schema))
                let all = patterns.isEmpty ? own : and([own] + matching(name))
                shape.properties.append(ObjectShape.Property(key: key(name), value: all))
            }
        }
        if let value = object["required"], !(document.dialect(id).isDraft3 && value.bool == false) {
            guard let names = value.array else {
                // Draft 3 put a boolean here; draft 4 and later give it no meaning on its own.
                throw wrongType(id, "required", "a list of names", value)
            }
            var index: [KeyID: Int] = [:]
            for (position, property) in shape.properties.enumerated() { index[property.key] = position }
            for item in names {
                guard let name = item.string else { throw wrongType(id, "required", "a list of names", item) }
                let key = key(name)
                if let position = index[key] {
                    shape.properties[position].isRequired = true
                } else {
                    let matched = matching(name)
                    let value = matched.isEmpty ? additional : and(matched)
                    index[key] = shape.properties.count
                    shape.properties.append(ObjectShape.Property(key: key, value: value, isRequired: true))
                }
            }
        }
        shape.classes = try keyClasses(id, patterns, additional)
        for keyword in ["dependentRequired", "dependencies"] {
            guard let value = object[keyword] else { continue }
            guard let members = value.object else { throw wrongType(id, keyword, "an object", value) }
            for (name, needs) in zip(members.keys, members.values) {
                guard let list = needs.array ?? needs.string.map({ [.string($0)] }) else { continue }
                let keys = list.compactMap(\.string).map { key($0) }
                if !keys.isEmpty { shape.dependencies.append(.init(key: key(name), needs: keys)) }
            }
        }
        if let value = object["propertyNames"] {
            let names = try evaluate(location(document.child(id, "propertyNames", value))).strings
            try restrictNames(&shape, to: names, at: id)
        }
        return try normalized(shape, at: id).map { [$0] } ?? []
    }

    private func patternProperties(
        _ id: SchemaDocument.LocationID, _ object: JSONObject
    ) throws -> [ObjectShape.KeyClass] {
        guard let value = object["patternProperties"] else { return [] }
        guard let members = value.object else { throw wrongType(id, "patternProperties", "an object", value) }
        var result: [ObjectShape.KeyClass] = []
        for (text, schema) in zip(members.keys, members.values) {
            let child = document.child(id, "patternProperties", value, text, schema)
            result.append(ObjectShape.KeyClass(names: try pattern(text, at: child), value: demanded(location(child))))
        }
        return result
    }

    /// Splits all names by which of the patterns they match.
    private func keyClasses(
        _ id: SchemaDocument.LocationID, _ patterns: [ObjectShape.KeyClass], _ additional: ExpressionID
    ) throws -> [ObjectShape.KeyClass] {
        var open: [(names: TermStore.ID, values: [ExpressionID])] = [(TermStore.all, [])]
        for pattern in patterns {
            var next: [(names: TermStore.ID, values: [ExpressionID])] = []
            for item in open {
                try spend(4, at: id)
                let inside = terms.and([item.names, pattern.names])
                if try !isEmpty(term: inside, at: id) { next.append((inside, item.values + [pattern.value])) }
                let outside = terms.and([item.names, terms.not(pattern.names)])
                if try !isEmpty(term: outside, at: id) { next.append((outside, item.values)) }
            }
            open = next
            guard open.count <= 128 else {
                throw GrammarError(
                    .tooComplex, at: document.pointer(id, "patternProperties"),
                    "the patterns overlap in more than 128 ways")
            }
        }
        return mergedClasses(
            open.map { .init(names: $0.names, value: $0.values.isEmpty ? additional : and($0.values)) })
    }

    /// Joins classes of equal value and drops those without one.
    func mergedClasses(_ classes: [ObjectShape.KeyClass]) -> [ObjectShape.KeyClass] {
        var order: [ExpressionID] = []
        var names: [ExpressionID: [TermStore.ID]] = [:]
        for item in classes where item.value != Self.nothing {
            if names[item.value] == nil { order.append(item.value) }
            names[item.value, default: []].append(item.names)
        }
        return order.map { value in
            let parts = names[value] ?? []
            // A partition of all names into equal classes is all names.
            let whole = order.count == 1 && parts.count == classes.count && classes.count > 1
            return ObjectShape.KeyClass(names: whole ? partitionUnion(parts) : terms.or(parts), value: value)
        }
    }

    private func partitionUnion(_ parts: [TermStore.ID]) -> TermStore.ID {
        let union = terms.or(parts)
        return terms.cost(terms.not(union)) == TermStore.unreachable && !terms.work.isExhausted ? TermStore.all : union
    }

    private func restrictNames(
        _ shape: inout ObjectShape, to names: TermStore.ID, at id: SchemaDocument.LocationID
    ) throws {
        if names == TermStore.all { return }
        for index in shape.properties.indices where !terms.matches(names, keys[Int(shape.properties[index].key)]) {
            shape.properties[index].value = Self.nothing
        }
        var classes: [ObjectShape.KeyClass] = []
        for item in shape.classes {
            let both = terms.and([item.names, names])
            if try !isEmpty(term: both, at: id) { classes.append(.init(names: both, value: item.value)) }
        }
        shape.classes = classes
    }
}
