import LeapJSON

/// Reads a schema into ``TypeSet``s: unions over types of conjunctions, on which intersection, union and complement are
/// exact.
///
/// Subschemas of arrays and objects stay references (``ExpressionID``) until they are needed.
final class SchemaCompiler {
    enum Expression: Hashable {
        case anything
        case nothing
        case demanded
        case location(SchemaDocument.LocationID)
        case not(ExpressionID)
        case and([ExpressionID])
        case or([ExpressionID])
        case typeSet(Int)
    }

    /// Internal signal: an emptiness check met a schema that is just being read.
    struct Unfinished: Error {}

    static let anything: ExpressionID = 0
    static let nothing: ExpressionID = 1
    /// Any value of a member that the schema itself asks for, by `additionalProperties: true` and the like.
    ///
    /// Only where objects are closed is it told from what a schema merely leaves open.
    static let demanded: ExpressionID = 2

    var document: SchemaDocument
    let options: GrammarOptions
    var terms = TermStore()
    var keys: [String] = []
    private var keyIndex: [[UInt8]: KeyID] = [:]
    private(set) var expressions: [Expression] = [.anything, .nothing, .demanded]
    private var expressionIndex: [Expression: ExpressionID] = [.anything: 0, .nothing: 1, .demanded: 2]
    private var evaluated: [TypeSet?] = [.any, TypeSet.none, .any]
    private var isEvaluating: Set<ExpressionID> = []
    private var emptiness: [ExpressionID: Bool] = [:]
    private var isCheckingEmptiness: Set<ExpressionID> = []
    private var typeSets: [TypeSet] = []
    var spellings = Spellings()
    private var patternTerms: [String: TermStore.ID] = [:]
    /// Notes on ignored keywords, one for each place.
    var notes: [GrammarNote] = []
    var notedPointers: Set<String> = []
    static let maximumNotes = 100
    private var depth = 0

    init(_ root: JSONValue, options: GrammarOptions) {
        document = SchemaDocument(root, ignoresDialect: options.relaxedKeywords.contains("$schema"))
        self.options = options
    }

    // MARK: Budgets

    /// Counts steps of work.
    func spend(_ amount: Int = 1, at location: SchemaDocument.LocationID = 0) throws(GrammarError) {
        terms.work.spend(amount)
        if terms.work.isExhausted { throw tooMuchWork(at: location) }
    }

    func tooMuchWork(at location: SchemaDocument.LocationID) -> GrammarError {
        GrammarError(
            .tooComplex, at: document.pointer(location),
            "the schema needs more than \(WorkBudget.compiling) steps to compile; reduce its anyOf, oneOf, allOf, not "
                + "and patterns")
    }

    // MARK: Keys and expressions

    func key(_ text: String) -> KeyID {
        let bytes = Array(text.utf8)
        if let id = keyIndex[bytes] { return id }
        let id = KeyID(keys.count)
        keys.append(text)
        keyIndex[bytes] = id
        return id
    }

    func expression(_ expression: Expression) -> ExpressionID {
        if let id = expressionIndex[expression] { return id }
        let id = ExpressionID(expressions.count)
        expressions.append(expression)
        evaluated.append(nil)
        expressionIndex[expression] = id
        return id
    }

    func expression(_ set: TypeSet) -> ExpressionID {
        if set.isEmpty { return Self.nothing }
        typeSets.append(set)
        let id = expression(.typeSet(typeSets.count - 1))
        evaluated[Int(id)] = set
        return id
    }

    func location(_ id: SchemaDocument.LocationID) -> ExpressionID {
        switch document[id].value {
        case .bool(true): Self.anything
        case .bool(false): Self.nothing
        case .object(let object) where object.isEmpty: Self.anything
        default: expression(.location(id))
        }
    }

    func and(_ parts: [ExpressionID]) -> ExpressionID {
        var members: [ExpressionID] = []
        var isDemanded = false
        for part in parts {
            switch expressions[Int(part)] {
            case .anything: continue
            case .demanded: isDemanded = true
            case .nothing: return Self.nothing
            case .and(let inner): members += inner
            default: members.append(part)
            }
        }
        let unique = Set(members).sorted()
        if unique.isEmpty { return isDemanded ? Self.demanded : Self.anything }
        if unique.count == 1 { return unique[0] }
        return expression(.and(unique))
    }

    func or(_ parts: [ExpressionID]) -> ExpressionID {
        if parts.contains(Self.demanded) { return Self.demanded }
        if parts.contains(Self.anything) { return Self.anything }
        let unique = Set(parts.filter { $0 != Self.nothing }).sorted()
        if unique.isEmpty { return Self.nothing }
        return unique.count == 1 ? unique[0] : expression(.or(unique))
    }

    func not(_ id: ExpressionID) -> ExpressionID {
        switch expressions[Int(id)] {
        case .anything, .demanded: Self.nothing
        case .nothing: Self.anything
        case .not(let inner): inner
        default: expression(.not(id))
        }
    }

    /// True if an expression admits every value.
    func isAnything(_ id: ExpressionID) -> Bool { id == Self.anything || id == Self.demanded }

    /// The value of a member that the schema itself asks for.
    func demanded(_ id: ExpressionID) -> ExpressionID {
        id == Self.anything && options.closesObjects ? Self.demanded : id
    }

    // MARK: Evaluation

    /// The values of an expression, by type.
    ///
    /// - Throws: ``GrammarError``, or `Unfinished` inside an emptiness check.
    func evaluate(_ id: ExpressionID) throws -> TypeSet {
        if let known = evaluated[Int(id)] { return known }
        guard isEvaluating.insert(id).inserted else {
            if !isCheckingEmptiness.isEmpty { throw Unfinished() }
            throw GrammarError(
                .unresolvedReference, at: pointer(of: id),
                "the schema refers to itself without a property or item in between, so it has no base case")
        }
        depth += 1
        defer {
            isEvaluating.remove(id)
            depth -= 1
        }
        guard depth < 150 else {
            throw GrammarError(.tooComplex, at: pointer(of: id), "schemas nest more than 150 applicators deep")
        }
        try spend()
        let result: TypeSet
        switch expressions[Int(id)] {
        case .anything, .demanded: result = .any
        case .nothing: result = .none
        case .location(let location): result = try naming(location) { try evaluate(location: location) }
        case .not(let inner): result = try complement(inner)
        case .and(let parts):
            var set = try evaluate(parts[0])
            for part in parts.dropFirst() { set = try intersection(set, try evaluate(part)) }
            result = set
        case .or(let parts):
            result = try union(of: parts.map { try evaluate($0) })
        case .typeSet(let index): result = typeSets[index]
        }
        evaluated[Int(id)] = result
        return result
    }

    /// Puts a location into errors that name no place.
    func naming<R>(_ location: SchemaDocument.LocationID, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as GrammarError {
            throw error.placed(at: document.pointer(location))
        }
    }

    /// A place to blame for an expression.
    func pointer(of id: ExpressionID) -> String {
        switch expressions[Int(id)] {
        case .location(let location): document.pointer(location)
        case .not(let inner): pointer(of: inner)
        case .and(let parts), .or(let parts): parts.first.map { pointer(of: $0) } ?? ""
        default: ""
        }
    }

    /// True only where no value satisfies the expression.
    func isEmpty(_ id: ExpressionID) throws -> Bool {
        if let known = emptiness[id] { return known }
        if isCheckingEmptiness.contains(id) || isCheckingEmptiness.count > 24 { return false }
        isCheckingEmptiness.insert(id)
        defer { isCheckingEmptiness.remove(id) }
        let set: TypeSet
        do { set = try evaluate(id) } catch is Unfinished { return false }
        let result = try isEmpty(set)
        if isCheckingEmptiness.count == 1 || !result { emptiness[id] = result }
        if result { emptiness[id] = true }
        return result
    }

    private func isEmpty(_ set: TypeSet) throws -> Bool {
        if set.allowsNull || set.allowsTrue || set.allowsFalse || !set.points.isEmpty { return false }
        if !set.numbers.isEmpty { return false }
        if try !isEmpty(term: set.strings, at: 0) { return false }
        for shape in set.arrays where try !isEmpty(shape) { return false }
        for shape in set.objects where try !isEmpty(shape) { return false }
        return true
    }

    private func isEmpty(_ shape: ArrayShape) throws -> Bool {
        for index in 0..<min(shape.minimum, shape.prefix.count + 1) where try isEmpty(shape.item(at: index)) {
            return true
        }
        return false
    }

    private func isEmpty(_ shape: ObjectShape) throws -> Bool {
        for property in shape.properties where property.isRequired {
            if try isEmpty(property.value) { return true }
        }
        return false
    }

    // MARK: Patterns

    func pattern(_ text: String, at location: SchemaDocument.LocationID) throws(GrammarError) -> TermStore.ID {
        if let known = patternTerms[text] { return known }
        do throws(GrammarError) {
            let term = try terms.searching(text)
            patternTerms[text] = term
            return term
        } catch {
            throw GrammarError(error.code, at: document.pointer(location), error.reason)
        }
    }

    /// A term's emptiness, or an error where that could not be found out.
    func isEmpty(term: TermStore.ID, at location: SchemaDocument.LocationID) throws(GrammarError) -> Bool {
        let result = terms.cost(term) == TermStore.unreachable
        if terms.work.isExhausted {
            throw GrammarError(
                .tooComplex, at: document.pointer(location),
                "checking whether the combined patterns match a common text needs more than \(WorkBudget.compiling) "
                    + "steps; simplify the patterns")
        }
        return result
    }
}
