import LeapJSON

/// Alternatives of one type, each once, in the order in which they came.
struct Alternatives<Shape: Hashable> {
    private(set) var all: [Shape] = []
    private var known: Set<Shape> = []

    mutating func add(_ shape: Shape) { if known.insert(shape).inserted { all.append(shape) } }
}

/// Schemas without subschemas and references, by what they say.
struct Spellings {
    private struct Spelling: Hashable {
        var resource: Int
        var schema: JSONValue
    }

    private var known: [SchemaDocument.LocationID: Int?] = [:]
    private var numbers: [Spelling: Int] = [:]

    /// A number that a location shares with those that say the same in the same way; nil where that cannot be told
    /// without reading what is inside of it.
    mutating func number(of id: SchemaDocument.LocationID, _ document: SchemaDocument) -> Int? {
        let location = document[document[id].original]
        if let number = known[document[id].original] { return number }
        var result: Int?
        if case .object(let object) = location.value, object.keys.allSatisfy({ !$0.hasPrefix("$") }),
            object.values.allSatisfy(Self.isPlain)
        {
            let spelling = Spelling(resource: location.resource, schema: location.value)
            result = numbers[spelling] ?? numbers.count
            numbers[spelling] = result
        }
        known[document[id].original] = .some(result)
        return result
    }

    /// True if a value holds neither objects nor lists that could hold some.
    private static func isPlain(_ value: JSONValue) -> Bool {
        switch value {
        case .object: false
        case .array(let items):
            items.allSatisfy {
                switch $0 {
                case .object, .array: false
                default: true
                }
            }
        default: true
        }
    }
}

/// Keeping the number of alternatives small: each is a way to go on for every byte of an answer.
extension SchemaCompiler {
    /// More objects than this are not compared with one another.
    private static let comparedAlternatives = 400

    /// Adds an alternative, up to as many as a schema may have.
    func add<Shape>(
        _ shape: Shape, to alternatives: inout Alternatives<Shape>, _ id: SchemaDocument.LocationID
    ) throws(GrammarError) {
        alternatives.add(shape)
        guard alternatives.all.count <= Self.maximumAlternatives else { throw tooManyAlternatives(at: id) }
    }

    func tooManyAlternatives(at id: SchemaDocument.LocationID) -> GrammarError {
        GrammarError(
            .tooComplex, at: document.pointer(id),
            "the schema combines to more than \(Self.maximumAlternatives) alternatives; reduce its anyOf, oneOf, "
                + "allOf and not")
    }

    /// The objects of which no other one admits all values.
    func withoutParts(_ shapes: [ObjectShape]) throws(GrammarError) -> [ObjectShape] {
        guard shapes.count > 1, shapes.count <= Self.comparedAlternatives else { return shapes }
        var kept: [ObjectShape] = []
        for shape in shapes {
            try spend(1 + kept.count >> 2)
            if kept.contains(where: { isPart(shape, of: $0) }) { continue }
            kept.removeAll { isPart($0, of: shape) }
            kept.append(shape)
        }
        return kept
    }

    /// True if a comparison of two shapes shows that every object of one is one of the other.
    private func isPart(_ part: ObjectShape, of whole: ObjectShape) -> Bool {
        guard part.classes == whole.classes, part.minimum >= whole.minimum,
            whole.maximum.map({ part.maximum ?? .max <= $0 }) ?? true,
            whole.needs.allSatisfy(part.needs.contains), whole.dependencies.allSatisfy(part.dependencies.contains)
        else { return false }
        // Which members are declared matters where the others are left out.
        let mayDeclareMore =
            !options.closesObjects && whole.classes == [.init(names: TermStore.all, value: Self.anything)]
        guard part.properties.count == whole.properties.count || mayDeclareMore else { return false }
        var position = whole.properties.startIndex
        for property in part.properties {
            guard position < whole.properties.endIndex, whole.properties[position].key == property.key else {
                if mayDeclareMore { continue }
                return false
            }
            let other = whole.properties[position]
            position += 1
            if other.isRequired, !property.isRequired { return false }
            if property.value == Self.nothing || isAnything(other.value) || isSame(property.value, other.value) {
                continue
            }
            return false
        }
        return position == whole.properties.endIndex
    }

    /// True if two expressions are one, or schemas without subschemas and references that are spelled alike.
    private func isSame(_ a: ExpressionID, _ b: ExpressionID) -> Bool {
        if a == b { return true }
        guard case .location(let first) = expressions[Int(a)], case .location(let second) = expressions[Int(b)] else {
            return false
        }
        guard let spelling = spellings.number(of: first, document) else { return false }
        return spelling == spellings.number(of: second, document)
    }
}
