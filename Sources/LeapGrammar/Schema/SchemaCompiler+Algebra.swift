import LeapJSON

/// Intersection, union and complement of ``TypeSet``s.
extension SchemaCompiler {
    /// More alternatives of one type than this are refused: each is a way to go on for every byte of an answer.
    static let maximumAlternatives = 2_000

    func intersection(_ a: TypeSet, _ b: TypeSet) throws -> TypeSet {
        try spend(1 + ((a.points.count + b.points.count + 1) * (a.numbers.count + b.numbers.count + 1)) >> 3)
        var set = TypeSet()
        set.allowsNull = a.allowsNull && b.allowsNull
        set.allowsTrue = a.allowsTrue && b.allowsTrue
        set.allowsFalse = a.allowsFalse && b.allowsFalse
        var common = Set(a.points).intersection(b.points)
        set.points = a.points.filter(common.contains)
        var numbers: Set<NumberRange> = []
        for (points, ranges) in [(a.points, b.numbers), (b.points, a.numbers)] {
            for point in points {
                let fitting = ranges.filter { $0.contains(point) }
                if fitting.contains(where: { !$0.isIntegerSpelled && !$0.isFractionSpelled }) {
                    if common.insert(point).inserted { set.points.append(point) }
                    continue
                }
                for other in fitting {
                    var range = NumberRange.point(point)
                    (range.isIntegerSpelled, range.isFractionSpelled) = (
                        other.isIntegerSpelled, other.isFractionSpelled
                    )
                    if numbers.insert(range).inserted { set.numbers.append(range) }
                }
            }
        }
        set.points.sort()
        for x in a.numbers {
            for y in b.numbers {
                if let both = x.intersection(y), numbers.insert(both).inserted { set.numbers.append(both) }
            }
        }
        set.strings = terms.and([a.strings, b.strings])
        if terms[set.strings].kind == .and {
            set.strings = try isEmpty(term: set.strings, at: 0) ? TermStore.empty : set.strings
        }
        var arrays = Alternatives<ArrayShape>()
        for x in a.arrays {
            for y in b.arrays { if let both = try intersection(x, y) { try add(both, to: &arrays, 0) } }
        }
        set.arrays = arrays.all
        var objects = Alternatives<ObjectShape>()
        for x in a.objects {
            for y in b.objects { if let both = try intersection(x, y) { try add(both, to: &objects, 0) } }
        }
        set.objects = try withoutParts(objects.all)
        try check(set)
        return set
    }

    func union(_ a: TypeSet, _ b: TypeSet) throws -> TypeSet { try union(of: [a, b]) }

    /// The union of any number of sets, each read once.
    func union(of sets: [TypeSet]) throws -> TypeSet {
        try spend(sets.count)
        var set = TypeSet()
        var points: Set<ExactDecimal> = []
        var numbers: Set<NumberRange> = []
        var arrays: Set<ArrayShape> = []
        var objects: Set<ObjectShape> = []
        for part in sets {
            set.allowsNull = set.allowsNull || part.allowsNull
            set.allowsTrue = set.allowsTrue || part.allowsTrue
            set.allowsFalse = set.allowsFalse || part.allowsFalse
            points.formUnion(part.points)
            for range in part.numbers where numbers.insert(range).inserted { set.numbers.append(range) }
            for shape in part.arrays where arrays.insert(shape).inserted { set.arrays.append(shape) }
            for shape in part.objects where objects.insert(shape).inserted { set.objects.append(shape) }
            try check(set)
        }
        set.points = points.sorted()
        if numbers.contains(.any) { set.numbers = [.any] }
        set.strings = terms.or(sets.map(\.strings))
        if arrays.contains(ArrayShape()) { set.arrays = [ArrayShape()] }
        if objects.contains(ObjectShape()) { set.objects = [ObjectShape()] }
        set.objects = try withoutParts(set.objects)
        return set
    }

    private func check(_ set: TypeSet) throws(GrammarError) {
        guard set.numbers.count <= Self.maximumAlternatives, set.arrays.count <= Self.maximumAlternatives,
            set.objects.count <= Self.maximumAlternatives
        else {
            throw tooManyAlternatives(at: 0)
        }
    }

    func complement(_ set: TypeSet, _ id: SchemaDocument.LocationID) throws -> TypeSet {
        try spend()
        var result = TypeSet()
        result.allowsNull = !set.allowsNull
        result.allowsTrue = !set.allowsTrue
        result.allowsFalse = !set.allowsFalse
        var numbers: [NumberRange] = [.any]
        for range in set.numbers + set.points.map({ NumberRange.point($0) }) {
            var next = Alternatives<NumberRange>()
            for part in numbers {
                for outside in range.complement {
                    try spend(at: id)
                    if let both = part.intersection(outside) { try add(both, to: &next, id) }
                }
            }
            numbers = next.all
        }
        result.numbers = numbers
        result.strings = terms.not(set.strings)
        if try isEmpty(term: result.strings, at: id) { result.strings = TermStore.empty }
        var arrays = [ArrayShape()]
        for shape in set.arrays { arrays = try subtract(shape, from: arrays, id) }
        result.arrays = arrays
        var objects = [ObjectShape()]
        for shape in set.objects { objects = try subtract(shape, from: objects, id) }
        result.objects = objects
        try check(result)
        return result
    }

    // MARK: Arrays

    /// Sorts contradictions out; nil where nothing is left.
    func normalized(_ shape: ArrayShape) throws -> ArrayShape? {
        var shape = shape
        // A position without a value ends the array before it.
        if let end = shape.prefix.firstIndex(of: Self.nothing) {
            shape.prefix = Array(shape.prefix[..<end])
            shape.rest = Self.nothing
        }
        if shape.rest == Self.nothing {
            shape.maximum = min(shape.maximum ?? .max, shape.prefix.count)
        }
        if let maximum = shape.maximum {
            if maximum < shape.minimum { return nil }
            if shape.contains.contains(where: { $0.minimum > 0 && $0.minimum > maximum - $0.start }) { return nil }
            if maximum <= 1 { shape.isUnique = false }
            if shape.prefix.count > maximum { shape.prefix = Array(shape.prefix[..<maximum]) }
            if maximum <= shape.prefix.count { shape.rest = Self.nothing }
        }
        if !shape.isUnique { shape.uniquePointer = "" }
        if shape.contains.contains(where: { $0.minimum > $0.maximum ?? .max }) { return nil }
        return shape
    }

    func intersection(_ a: ArrayShape, _ b: ArrayShape) throws -> ArrayShape? {
        try spend(1 + a.prefix.count + b.prefix.count)
        if a == b { return a }
        var shape = ArrayShape()
        for index in 0..<max(a.prefix.count, b.prefix.count) {
            shape.prefix.append(and([a.item(at: index), b.item(at: index)]))
        }
        shape.rest = and([a.rest, b.rest])
        shape.minimum = max(a.minimum, b.minimum)
        shape.maximum = [a.maximum, b.maximum].compactMap { $0 }.min()
        shape.contains = a.contains + b.contains.filter { !a.contains.contains($0) }
        shape.isUnique = a.isUnique || b.isUnique
        shape.uniquePointer = a.isUnique ? a.uniquePointer : b.uniquePointer
        for index in 0..<min(shape.minimum, shape.prefix.count + 1) where try isEmpty(shape.item(at: index)) {
            return nil
        }
        return try normalized(shape)
    }

    private func subtract(
        _ shape: ArrayShape, from arrays: [ArrayShape], _ id: SchemaDocument.LocationID
    ) throws -> [ArrayShape] {
        var result = Alternatives<ArrayShape>()
        for violation in try violations(shape, id) {
            for array in arrays { if let both = try intersection(array, violation) { try add(both, to: &result, id) } }
        }
        return result.all
    }

    /// Shapes whose union is every array outside a shape.
    private func violations(_ shape: ArrayShape, _ id: SchemaDocument.LocationID) throws -> [ArrayShape] {
        if shape.isUnique {
            throw unsupported(id, "uniqueItems", "the complement of uniqueItems cannot be enforced exactly")
        }
        var result: [ArrayShape] = []
        for (index, item) in shape.prefix.enumerated() where item != Self.anything {
            var other = ArrayShape()
            other.prefix = [ExpressionID](repeating: Self.anything, count: index) + [not(item)]
            other.minimum = index + 1
            result.append(other)
        }
        if shape.rest == Self.nothing {
            var other = ArrayShape()
            other.minimum = shape.prefix.count + 1
            result.append(other)
        } else if shape.rest != Self.anything {
            var other = ArrayShape()
            other.contains = [
                ArrayShape.Contains(item: not(shape.rest), start: shape.prefix.count, minimum: 1, maximum: nil)
            ]
            other.minimum = shape.prefix.count + 1
            result.append(other)
        }
        if shape.minimum > 0 { result.append(ArrayShape(maximum: shape.minimum - 1)) }
        if let maximum = shape.maximum { result.append(ArrayShape(minimum: maximum + 1)) }
        for contains in shape.contains {
            if contains.minimum > 0 {
                var other = contains
                other.maximum = contains.minimum - 1
                other.minimum = 0
                result.append(ArrayShape(contains: [other]))
            }
            if let maximum = contains.maximum {
                var other = contains
                other.minimum = maximum + 1
                other.maximum = nil
                result.append(ArrayShape(contains: [other]))
            }
        }
        return try result.compactMap { try normalized($0) }
    }

    // MARK: Objects

    /// Returns the expression that a shape asks of a key's value.
    func value(of key: KeyID, in shape: ObjectShape) -> ExpressionID {
        if let index = shape.index(of: key) { return shape.properties[index].value }
        return undeclaredValue(of: key, in: shape)
    }

    private func undeclaredValue(of key: KeyID, in shape: ObjectShape) -> ExpressionID {
        if shape.classes.count > 1 { terms.work.spend(shape.classes.count) }
        for item in shape.classes {
            if item.names == TermStore.all || terms.matches(item.names, keys[Int(key)]) { return item.value }
        }
        return Self.nothing
    }

    /// Sorts contradictions out; nil where nothing is left.
    func normalized(_ shape: ObjectShape, at id: SchemaDocument.LocationID) throws -> ObjectShape? {
        var shape = shape
        if let maximum = shape.maximum, maximum < shape.minimum { return nil }
        if shape.properties.contains(where: { $0.isRequired && $0.value == Self.nothing }) { return nil }
        // A class with finitely many names is a list of optional properties.
        for item in shape.classes where terms[item.names].kind == .trie || item.names == TermStore.epsilon {
            let texts = item.names == TermStore.epsilon ? [[]] : terms.tries.texts(terms[item.names].a)
            guard texts.count <= 2_000 else { continue }
            let names = texts.map { text in
                var string = ""
                for point in text { string.unicodeScalars.append(Unicode.Scalar(point) ?? "\u{FFFD}") }
                return string
            }
            var declared = Set(shape.properties.map(\.key))
            for name in names.sorted() where declared.insert(key(name)).inserted {
                shape.properties.append(ObjectShape.Property(key: key(name), value: item.value))
            }
            shape.classes.removeAll { $0 == item }
        }
        if shape.maximum == 0 { shape.classes = [] }
        let required = shape.properties.reduce(0) { $0 + ($1.isRequired ? 1 : 0) }
        if let maximum = shape.maximum, required > maximum { return nil }
        if shape.classes.isEmpty, shape.properties.count(where: { $0.value != Self.nothing }) < shape.minimum {
            return nil
        }
        return shape
    }

    func intersection(_ a: ObjectShape, _ b: ObjectShape) throws -> ObjectShape? {
        try spend(2 + (a.properties.count + b.properties.count) * 2)
        if a == b { return a }
        let any = ObjectShape()
        if a == any { return b }
        if b == any { return a }
        var shape = ObjectShape(classes: [])
        var indexOfB: [KeyID: Int] = [:]
        for (index, property) in b.properties.enumerated() { indexOfB[property.key] = index }
        var isInA: Set<KeyID> = []
        func add(_ property: ObjectShape.Property) throws -> Bool {
            if property.isRequired, try isEmpty(property.value) { return false }
            shape.properties.append(property)
            return true
        }
        for property in a.properties {
            isInA.insert(property.key)
            var merged = property
            if let index = indexOfB[property.key] {
                merged.value = and([property.value, b.properties[index].value])
                merged.isRequired = property.isRequired || b.properties[index].isRequired
            } else {
                merged.value = and([property.value, undeclaredValue(of: property.key, in: b)])
            }
            if try !add(merged) { return nil }
        }
        for property in b.properties where !isInA.contains(property.key) {
            var merged = property
            merged.value = and([property.value, undeclaredValue(of: property.key, in: a)])
            if try !add(merged) { return nil }
        }
        var classes: [ObjectShape.KeyClass] = []
        for x in a.classes {
            for y in b.classes {
                try spend()
                let value = and([x.value, y.value])
                if value == Self.nothing { continue }
                let names = terms.and([x.names, y.names])
                if terms[names].kind == .and || terms[names].kind == .not, try isEmpty(term: names, at: 0) { continue }
                if names != TermStore.empty { classes.append(.init(names: names, value: value)) }
            }
        }
        shape.classes = classes.count > 1 ? mergedClasses(classes) : classes
        shape.minimum = max(a.minimum, b.minimum)
        shape.maximum = [a.maximum, b.maximum].compactMap { $0 }.min()
        shape.dependencies = a.dependencies + b.dependencies.filter { !a.dependencies.contains($0) }
        shape.needs = a.needs + b.needs.filter { !a.needs.contains($0) }
        return try normalized(shape, at: 0)
    }

    func subtract(
        _ shape: ObjectShape, from objects: [ObjectShape], _ id: SchemaDocument.LocationID
    ) throws -> [ObjectShape] {
        var result = Alternatives<ObjectShape>()
        for violation in try violations(shape, id) {
            for object in objects {
                if let both = try intersection(object, violation) { try add(both, to: &result, id) }
            }
        }
        return try withoutParts(result.all)
    }

    /// Shapes whose union is every object outside a shape.
    private func violations(_ shape: ObjectShape, _ id: SchemaDocument.LocationID) throws -> [ObjectShape] {
        var result: [ObjectShape] = []
        for property in shape.properties {
            try spend(at: id)
            if property.isRequired {
                var other = ObjectShape()
                other.properties = [.init(key: property.key, value: Self.nothing)]
                result.append(other)
            }
            if !isAnything(property.value) {
                var other = ObjectShape()
                other.properties = [.init(key: property.key, value: not(property.value), isRequired: true)]
                result.append(other)
            }
        }
        let declared = terms.oneOf(shape.properties.map { keys[Int($0.key)] })
        func outside(_ names: TermStore.ID) throws -> TermStore.ID {
            let rest = terms.and([names, terms.not(declared)])
            return try isEmpty(term: rest, at: id) ? TermStore.empty : rest
        }
        var covered: [TermStore.ID] = []
        for item in shape.classes {
            covered.append(item.names)
            if isAnything(item.value) { continue }
            let names = try outside(item.names)
            if names == TermStore.empty { continue }
            result.append(ObjectShape(needs: [.init(names: names, value: not(item.value))]))
        }
        let uncovered = try outside(terms.not(terms.or(covered)))
        if uncovered != TermStore.empty {
            result.append(ObjectShape(needs: [.init(names: uncovered, value: Self.anything)]))
        }
        if shape.minimum > 0 { result.append(ObjectShape(maximum: shape.minimum - 1)) }
        if let maximum = shape.maximum { result.append(ObjectShape(minimum: maximum + 1)) }
        for dependency in shape.dependencies {
            for need in dependency.needs where need != dependency.key {
                var other = ObjectShape()
                other.properties = [
                    .init(key: dependency.key, value: Self.anything, isRequired: true),
                    .init(key: need, value: Self.nothing),
                ]
                result.append(other)
            }
        }
        for need in shape.needs {
            var other = ObjectShape(classes: [
                .init(names: need.names, value: not(need.value)),
                .init(names: terms.not(need.names), value: Self.anything),
            ])
            other.classes = mergedClasses(other.classes)
            result.append(other)
        }
        return try result.compactMap { try normalized($0, at: id) }
    }
}
