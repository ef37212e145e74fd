import LeapJSON

/// Turns the compiler's expressions into the numbered nodes of a ``GrammarProgram``.
struct ProgramBuilder {
    private let compiler: SchemaCompiler
    private let options: GrammarOptions
    private(set) var program = GrammarProgram()
    private var nodeIDs: [ExpressionID: Int32] = [:]
    /// The expression that is being filled; with those of the arrays and objects below, the places that errors name.
    private var current = SchemaCompiler.anything
    private var arrayPlaces: [ExpressionID] = []
    private var objectPlaces: [ExpressionID] = []
    private var pending: [(node: Int32, expression: ExpressionID)] = []
    private var numberIDs: [NumberRange: Int32] = [:]
    private var arrayIDs: [ArrayShape: Int32] = [:]
    private var objectIDs: [ObjectShape: Int32] = [:]
    /// Arrays whose items the ``Ledger`` keeps apart, with the place of `uniqueItems`.
    private var tracked: [(array: Int32, pointer: String)] = []
    private static let maximumNodes = 30_000

    init(_ compiler: SchemaCompiler) {
        self.compiler = compiler
        options = compiler.options
    }

    /// The program of a schema, and what of the schema has no effect.
    static func program(
        of root: JSONValue, options: GrammarOptions
    ) throws(GrammarError) -> (GrammarProgram, [GrammarNote]) {
        let compiler = SchemaCompiler(root, options: options)
        do {
            var builder = ProgramBuilder(compiler)
            let start = try builder.node(compiler.location(compiler.document.start))
            try builder.finish()
            guard builder.program.nodes[Int(start)].cost != TermStore.unreachable else {
                throw builder.contradiction(in: compiler.location(compiler.document.start))
            }
            builder.program.start = .value(start)
            return (builder.program, compiler.notes)
        } catch let error as GrammarError {
            throw error
        } catch {
            throw GrammarError(.tooComplex, "the schema could not be compiled: \(error)")
        }
    }

    /// The node of an expression, to be filled by ``finish()``.
    mutating func node(_ expression: ExpressionID) throws -> Int32 {
        let expression = expression == SchemaCompiler.demanded ? SchemaCompiler.anything : expression
        if let id = nodeIDs[expression] { return id }
        let id = Int32(program.nodes.count)
        guard id < Self.maximumNodes else {
            throw GrammarError(.tooComplex, "the schema expands to more than \(Self.maximumNodes) nodes")
        }
        program.nodes.append(GrammarProgram.ValueNode())
        nodeIDs[expression] = id
        pending.append((id, expression))
        return id
    }

    mutating func finish() throws {
        while let (id, expression) = pending.popLast() {
            current = expression
            do {
                program.nodes[Int(id)] = try fill(compiler.evaluate(expression))
            } catch let error as GrammarError {
                throw error.placed(at: compiler.pointer(of: expression))
            }
        }
        program.terms = compiler.terms
        compiler.terms = TermStore()
        program.whitespace = options.whitespace
        ProgramCosts.settle(&program)
        if program.terms.work.isExhausted { throw compiler.tooMuchWork(at: 0) }
        try refuseWhatWasNotSearched()
        try requireRoom()
    }

    /// The error for an expression of which no value was found, with the place that is to blame.
    func contradiction(in expression: ExpressionID) -> GrammarError {
        compiler.terms = program.terms
        let search = ContradictionSearch(compiler: compiler) { expression in
            nodeIDs[expression].map { program.nodes[Int($0)].cost != TermStore.unreachable } ?? true
        }
        let place = search.pointer(in: expression)
        return GrammarError(
            .unsatisfiable, at: place,
            place == compiler.pointer(of: expression)
                ? "no value satisfies the schema"
                : "no value satisfies this part of the schema, but the values around it require one")
    }

    /// An array of which no value was found is empty only if every way to fill it was tried.
    private mutating func refuseWhatWasNotSearched() throws(GrammarError) {
        var isFillable = [Bool](repeating: false, count: program.arrays.count)
        for node in program.nodes { for id in node.arrays { isFillable[Int(id)] = true } }
        for (shape, id) in arrayIDs.sorted(by: { $0.value < $1.value }) where !isFillable[Int(id)] {
            let array = program.arrays[Int(id)]
            if array.items.isEmpty { continue }
            program.terms.work.spend(ArrayCompletion.steps(array))
            if program.terms.work.isExhausted { throw compiler.tooMuchWork(at: 0) }
            let completion = ArrayCompletion(array, ArrayState(array))
            guard completion.ranOut, !completion.isPossible else { continue }
            guard let contains = shape.contains.first else {
                throw GrammarError(
                    .tooComplex, at: compiler.pointer(of: arrayPlaces[Int(id)]),
                    "\(array.minimum) items of an array are longer than any answer; lower minItems")
            }
            throw GrammarError(
                .tooComplex, at: compiler.pointer(of: contains.item),
                "the combination of contains, minContains and minItems needs a lookahead of more than "
                    + "\(ArrayCompletion.maximumDepth) items or 20,000 states; ask for fewer items")
        }
    }

    /// Throws where fewer different items or keys exist than the schema asks for.
    private func requireRoom() throws(GrammarError) {
        let isCounted = program.objects.contains { $0.tracksKeys && $0.tracksCount && $0.minimum > 1 }
        guard isCounted || tracked.contains(where: { program.arrays[Int($0.array)].minimum > 1 }) else { return }
        var engine = GrammarAutomaton(program)
        for (id, pointer) in tracked {
            let array = program.arrays[Int(id)]
            for choice in array.items.joined()
            where engine.counts.valueCount(choice.node, &engine.terms) < min(array.minimum, ValueCounts.endless) {
                throw GrammarError(
                    .unsupported, at: pointer,
                    "minItems requires \(array.minimum) different items, but some item may have only "
                        + "\(engine.counts.valueCount(choice.node, &engine.terms)) values; lower minItems or relax uniqueItems"
                )
            }
        }
        for (object, place) in zip(program.objects, objectPlaces) where object.tracksKeys && object.tracksCount {
            var names = -Int(object.texts.count) + object.keys.count { !$0.choices.isEmpty }
            for item in object.classes {
                names += Int(engine.terms.textCount(item.names, limit: ValueCounts.endless))
            }
            if names < Int(object.minimum) {
                throw GrammarError(
                    .unsupported, at: compiler.pointer(of: place),
                    "minProperties requires \(object.minimum) properties, but there are fewer names")
            }
        }
    }

    private mutating func fill(_ set: TypeSet) throws -> GrammarProgram.ValueNode {
        try compiler.spend(2)
        var node = GrammarProgram.ValueNode()
        var literals: [[UInt32]] = []
        func add(_ text: [UInt8]) { literals.append(text.map { UInt32($0) }) }
        let isPython = options.spellsLiteralsAsPython
        if set.allowsNull { add(Array((isPython ? "None" : "null").utf8)) }
        if set.allowsTrue { add(Array((isPython ? "True" : "true").utf8)) }
        if set.allowsFalse { add(Array((isPython ? "False" : "false").utf8)) }
        let isPlain = options.numbers == .plain
        for point in set.points { for text in Self.spellings(of: point, isPlain: isPlain) { add(text) } }
        let literal = program.literals.build(literals)
        if literal >= 0 { node.literal = literal }
        node.literalCount = Int32(
            set.points.count + [set.allowsNull, set.allowsTrue, set.allowsFalse].count { $0 })
        for range in set.numbers {
            if let id = try number(isPlain ? range.plain : range) { node.numbers.append(id) }
        }
        node.string = set.strings
        for shape in set.arrays { if let id = try array(shape) { node.arrays.append(id) } }
        for shape in set.objects { node.objects.append(try object(shape)) }
        return node
    }

    /// Returns the ways to write a number: plain, with `.0` where it is an integer, and with an exponent where it is
    /// long.
    ///
    /// In plain spelling an integer of at most 40 digits is written one way.
    private static func spellings(of point: ExactDecimal, isPlain: Bool) -> [[UInt8]] {
        var result: [[UInt8]] = []
        if abs(point.point) <= 40 {
            result.append(point.fixedText)
            if isPlain, point.isInteger { return result }
            if point.isInteger { result.append(point.fixedText + Array(".0".utf8)) }
        }
        if point.isZero {
            result += [Array("-0".utf8), Array("-0.0".utf8)]
        } else if point.point > 15 || point.point < -3 {
            var mantissa: [UInt8] = point.isNegative ? [UInt8(ascii: "-")] : []
            mantissa.append(point.digits[0] + UInt8(ascii: "0"))
            if point.digits.count > 1 {
                mantissa.append(UInt8(ascii: "."))
                mantissa += point.digits.dropFirst().map { $0 + UInt8(ascii: "0") }
            }
            let exponent = point.point - 1
            let digits = Array(String(abs(exponent)).utf8)
            let padded = digits.count < 2 ? [UInt8(ascii: "0")] + digits : digits
            for letter in ["e", "E"] {
                for form in Set([digits, padded]) {
                    result.append(mantissa + Array((letter + (exponent < 0 ? "-" : "+")).utf8) + form)
                    if exponent >= 0 { result.append(mantissa + Array(letter.utf8) + form) }
                }
            }
        }
        return result
    }

    private mutating func number(_ range: NumberRange) throws -> Int32? {
        if let id = numberIDs[range] { return id }
        let automaton = try NumberAutomaton.of(range)
        try compiler.spend(automaton.stateCount)
        if automaton.isEmpty { return nil }
        let id = Int32(program.numbers.count)
        program.numbers.append(automaton)
        numberIDs[range] = id
        return id
    }

    // MARK: Arrays

    private mutating func array(_ shape: ArrayShape) throws -> Int32? {
        if let id = arrayIDs[shape] { return id }
        let id = Int32(program.arrays.count)
        arrayIDs[shape] = id
        arrayPlaces.append(current)
        program.arrays.append(
            GrammarProgram.ArrayProgram(
                minimum: Int32(clamping: shape.minimum), maximum: shape.maximum.map { Int32(clamping: $0) }))
        if shape.isUnique, try !isTriviallyUnique(shape) {
            if try fillUnique(id, shape) { return id }
            program.arrays[Int(id)].isTracked = true
            tracked.append((id, shape.uniquePointer))
        }
        guard shape.contains.count <= 5 else {
            throw GrammarError(.tooComplex, "more than 5 contains on one array")
        }
        program.arrays[Int(id)].contains = shape.contains.map {
            .init(
                start: Int32(clamping: $0.start), minimum: Int32(clamping: $0.minimum),
                maximum: $0.maximum.map { Int32(clamping: $0) })
        }
        let prefix = max(shape.prefix.count, shape.contains.map(\.start).max() ?? 0)
        guard prefix < 4_096 else { throw GrammarError(.tooComplex, "an array of more than 4,096 positions") }
        var items: [[GrammarProgram.Choice]] = []
        for index in 0...prefix {
            let base = shape.item(at: index)
            var choices: [GrammarProgram.Choice] = []
            for claims in 0..<(1 << shape.contains.count) {
                try compiler.spend()
                var parts = [base]
                var isPossible = true
                for (bit, contains) in shape.contains.enumerated() {
                    if claims >> bit & 1 == 1 {
                        if contains.start > index { isPossible = false }
                        parts.append(contains.item)
                    } else if contains.maximum != nil, contains.start <= index {
                        parts.append(compiler.not(contains.item))
                    }
                }
                let value = compiler.and(parts)
                if isPossible, value != SchemaCompiler.nothing {
                    choices.append(.init(node: try node(value), claims: Int32(claims)))
                }
            }
            items.append(choices)
        }
        program.arrays[Int(id)].items = items
        return id
    }

    /// Positions that exclude one another by schema need no bookkeeping.
    private func isTriviallyUnique(_ shape: ArrayShape) throws -> Bool {
        guard let maximum = shape.maximum, maximum <= 8 else { return false }
        for i in 0..<maximum {
            for j in 0..<i where try !compiler.isEmpty(compiler.and([shape.item(at: i), shape.item(at: j)])) {
                return false
            }
        }
        return true
    }

    /// `uniqueItems` over a few values: every value is a choice of its own.
    ///
    /// - Returns: False where there are more values than that.
    private mutating func fillUnique(_ id: Int32, _ shape: ArrayShape) throws -> Bool {
        guard shape.contains.isEmpty, shape.prefix.isEmpty,
            let values = finiteValues(try compiler.evaluate(shape.rest)), values.count <= 512
        else { return false }
        var choices: [GrammarProgram.Choice] = []
        for (number, value) in values.enumerated() {
            let expression = compiler.expression(try compiler.literals([value]))
            choices.append(.init(node: try node(expression), claims: Int32(number)))
        }
        let items = [choices]
        program.arrays[Int(id)].items = items
        program.arrays[Int(id)].isUnique = true
        let hasNumbers = values.contains { $0.number != nil }
        guard !hasNumbers else { return true }
        var spelled: [(value: Int32, bytes: [UInt8])] = []
        for (number, value) in values.enumerated() {
            if let text = value.string {
                for spelling in Self.spellings(of: text) {
                    spelled.append((Int32(number), [UInt8(ascii: "\"")] + spelling))
                }
            } else {
                spelled.append((Int32(number), JSONWriter.bytes(value, style: .python)))
            }
        }
        spelled.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        program.arrays[Int(id)].spelled = spelled
        program.arrays[Int(id)].spelledValues = spelled.map { ($0.value, Int32($0.bytes.count)) }
        return true
    }

    private func finiteValues(_ set: TypeSet) -> [JSONValue]? {
        guard set.numbers.isEmpty, set.arrays.isEmpty, set.objects.isEmpty else { return nil }
        var values: [JSONValue] = []
        if set.allowsNull { values.append(.null) }
        if set.allowsTrue { values.append(.bool(true)) }
        if set.allowsFalse { values.append(.bool(false)) }
        values += set.points.map { .number(JSONNumber($0)) }
        switch compiler.terms[set.strings].kind {
        case .empty: break
        case .epsilon: values.append(.string(""))
        case .trie:
            let texts = compiler.terms.tries.texts(compiler.terms[set.strings].a)
            guard texts.count <= 512 else { return nil }
            for text in texts {
                var string = ""
                for point in text { string.unicodeScalars.append(Unicode.Scalar(point) ?? "\u{FFFD}") }
                values.append(.string(string))
            }
        default: return nil
        }
        return values
    }

    // MARK: Objects

    private mutating func object(_ shape: ObjectShape) throws -> Int32 {
        if let id = objectIDs[shape] { return id }
        let id = Int32(program.objects.count)
        objectIDs[shape] = id
        var shape = shape
        declareDependencies(of: &shape)
        if options.closesObjects { shape.leaveOutUndeclared() }
        let empty = try emptyObject(shape)
        objectPlaces.append(current)
        program.objects.append(empty)
        let keys = try keys(of: shape)
        let classes = try classes(of: shape)
        program.objects[Int(id)].keys = keys
        program.objects[Int(id)].classes = classes
        program.objects[Int(id)].dependencies = Self.dependencies(of: shape)
        let spelled = keys.enumerated().flatMap { key in
            key.element.spellings.map { (key: Int32(key.offset), bytes: $0) }
        }
        program.objects[Int(id)].spelled = spelled.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        program.objects[Int(id)].texts = keys.map(\.text).sorted { $0.lexicographicallyPrecedes($1) }
        return id
    }

    /// Makes a property of every key that a dependency names.
    private func declareDependencies(of shape: inout ObjectShape) {
        for dependency in shape.dependencies {
            for key in dependency.needs + [dependency.key] where shape.index(of: key) == nil {
                shape.properties.append(
                    ObjectShape.Property(key: key, value: compiler.value(of: key, in: shape)))
            }
        }
    }

    /// The object of a shape without its keys.
    private func emptyObject(_ shape: ObjectShape) throws -> GrammarProgram.ObjectProgram {
        guard shape.needs.count <= 4 else {
            throw GrammarError(.tooComplex, "a complement requires more than 4 undeclared properties at once")
        }
        let isOrdered = options.propertyOrder == .declared
        let required = shape.properties.count(where: \.isRequired)
        let hasMinimum = shape.minimum > required
        guard shape.minimum <= (shape.needs.isEmpty ? 1_000 : 16) || shape.classes.isEmpty else {
            throw GrammarError(
                .tooComplex,
                "minProperties \(shape.minimum) with undeclared keys is more than can be counted; lower it")
        }
        return GrammarProgram.ObjectProgram(
            minimum: Int32(clamping: shape.minimum), maximum: shape.maximum.map { Int32(clamping: $0) },
            needCount: Int32(shape.needs.count),
            tracksSeen: !isOrdered || !shape.dependencies.isEmpty,
            tracksCount: hasMinimum || shape.maximum != nil, isOrdered: isOrdered)
    }

    /// The declared keys.
    private mutating func keys(of shape: ObjectShape) throws -> [GrammarProgram.Key] {
        let compiler = compiler
        var keys: [GrammarProgram.Key] = []
        for property in shape.properties {
            let text = compiler.keys[Int(property.key)]
            keys.append(
                GrammarProgram.Key(
                    spellings: Self.spellings(of: text), text: Array(text.utf8),
                    choices: try choices(property.value, shape) { compiler.terms.matches($0, text) },
                    isRequired: property.isRequired))
        }
        return keys
    }

    /// The classes of undeclared keys, each split by the obligations that its keys can meet.
    private mutating func classes(of shape: ObjectShape) throws -> [GrammarProgram.KeyClass] {
        let compiler = compiler
        var classes: [GrammarProgram.KeyClass] = []
        for item in shape.classes {
            var parts: [(TermStore.ID, Int)] = [(item.names, 0)]
            for (bit, need) in shape.needs.enumerated() {
                parts = try parts.flatMap { names, bits in
                    let inside = compiler.terms.and([names, need.names])
                    let outside = compiler.terms.and([names, compiler.terms.not(need.names)])
                    return try [(inside, bits | 1 << bit), (outside, bits)].filter {
                        try !compiler.isEmpty(term: $0.0, at: 0)
                    }
                }
            }
            for (names, bits) in parts {
                let all = try choices(item.value, shape) { names in
                    shape.needs.enumerated().contains { bits >> $0.offset & 1 == 1 && $0.element.names == names }
                }
                classes.append(GrammarProgram.KeyClass(names: names, choices: all))
            }
        }
        return classes
    }

    /// The dependencies between declared keys, by position.
    private static func dependencies(of shape: ObjectShape) -> [(key: Int32, needs: [Int32])] {
        var index: [KeyID: Int32] = [:]
        for (position, property) in shape.properties.enumerated() { index[property.key] = Int32(position) }
        return shape.dependencies.compactMap { dependency -> (key: Int32, needs: [Int32])? in
            index[dependency.key].map { ($0, dependency.needs.compactMap { index[$0] }) }
        }
    }

    /// The values of a property by which obligations they are made to meet.
    private mutating func choices(
        _ value: ExpressionID, _ shape: ObjectShape, matches: (TermStore.ID) -> Bool
    ) throws -> [GrammarProgram.Choice] {
        if value == SchemaCompiler.nothing { return [] }
        var result = [GrammarProgram.Choice(node: try node(value), claims: 0)]
        guard !shape.needs.isEmpty else { return result }
        let possible = shape.needs.indices.filter { matches(shape.needs[$0].names) }
        for claims in 1..<max(1 << possible.count, 1) where !possible.isEmpty {
            try compiler.spend()
            var bits: Int32 = 0
            var parts = [value]
            for (offset, need) in possible.enumerated() where claims >> offset & 1 == 1 {
                bits |= 1 << Int32(need)
                parts.append(shape.needs[need].value)
            }
            let both = compiler.and(parts)
            if both != SchemaCompiler.nothing { result.append(.init(node: try node(both), claims: bits)) }
        }
        return result
    }

    static func spellings(of text: String) -> [[UInt8]] {
        var raw: [UInt8] = []
        var ascii: [UInt8] = []
        for scalar in text.unicodeScalars {
            JSONEscape.append(scalar, to: &raw, escapesNonASCII: false)
            JSONEscape.append(scalar, to: &ascii, escapesNonASCII: true)
        }
        raw.append(UInt8(ascii: "\""))
        ascii.append(UInt8(ascii: "\""))
        return raw == ascii ? [raw] : [raw, ascii]
    }
}
