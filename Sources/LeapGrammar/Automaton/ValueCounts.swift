/// Numbers of values that can still be made.
///
/// With more of them than were written, one is left that differs.
///
/// All numbers are lower bounds, and ``endless`` at most.
struct ValueCounts {
    /// The number from which on values are taken to be without number; so many items or keys are kept apart at most.
    static let endless: Int32 = 4_096

    private let program: GrammarProgram
    /// Numbers of values of nodes.
    private var nodes: [Int32: Int32] = [:]
    /// Rooms of states; see ``GrammarAutomaton/room(_:)``.
    private var rooms: [Int32: Int32] = [:]

    init(_ program: GrammarProgram) { self.program = program }

    /// A rough size in bytes.
    var byteCount: Int { (rooms.count + nodes.count) * 16 }

    /// The room of a state; nil where it is not known.
    func room(_ state: Int32) -> Int32? { rooms[state] }

    mutating func setRoom(_ state: Int32, _ room: Int32) { rooms[state] = room }

    /// The product of two numbers.
    static func product(_ a: Int32, _ b: Int32) -> Int32 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? endless : min(product, endless)
    }

    /// The sum of two numbers.
    static func sum(_ a: Int32, _ b: Int32) -> Int32 { min(a + b, endless) }

    /// Returns in how many ways an object can be finished from a state, at least.
    ///
    /// - Parameters:
    ///   - needsKey: True after a comma.
    ///   - isInKey: True inside of a key, which is counted elsewhere.
    mutating func objectCount(
        _ object: GrammarProgram.ObjectProgram, _ state: ObjectState, needsKey: Bool = false, isInKey: Bool = false,
        _ terms: inout TermStore
    ) -> Int32 {
        var result: Int32 = 1
        for (index, key) in object.keys.enumerated() {
            if result == Self.endless { return result }
            guard state.isAvailable(index, object), let first = key.choices.first else { continue }
            let count = key.choices.count == 1 ? valueCount(first.node, &terms) : 1
            if key.isRequired {
                result = Self.product(result, count)
            } else if object.isSimple, !needsKey, !isInKey {
                result = Self.product(result, Self.sum(count, 1))
            } else if needsKey {
                result = max(result, count)
            }
        }
        if object.isSimple || object.maximum == nil {
            for item in object.classes {
                let names = terms.textCount(item.names, limit: Self.endless)
                let declared = Int32(object.texts.count)
                if names == Self.endless { return names }
                result = max(result, names - declared)
            }
        }
        return result
    }

    /// Returns in how many ways an array can be finished from a number of items on, at least.
    mutating func arrayCount(
        _ array: GrammarProgram.ArrayProgram, from index: Int, _ terms: inout TermStore
    ) -> Int32 {
        if array.isUnique || !array.contains.isEmpty { return 1 }
        var result: Int32 = 1
        var position = index
        let end = max(Int(array.minimum), 0)
        while position < end, result < Self.endless, position - index < 64 {
            result = Self.product(result, max(itemCount(array, position, &terms), 1))
            position += 1
        }
        // Arrays of other lengths are other arrays.
        let rest = itemCount(array, max(position, array.prefixCount), &terms)
        if array.maximum == nil, rest > 0 { return Self.endless }
        if let maximum = array.maximum, Int(maximum) > position {
            result = Self.sum(result, itemCount(array, position, &terms))
        }
        return result
    }

    /// Returns how many values an item of an array has, at least.
    mutating func itemCount(
        _ array: GrammarProgram.ArrayProgram, _ position: Int, _ terms: inout TermStore
    ) -> Int32 {
        guard let choices = array.items.isEmpty ? nil : array.items[min(position, array.prefixCount)] else { return 0 }
        var best: Int32 = 0
        for choice in choices { best = max(best, valueCount(choice.node, &terms)) }
        return best
    }

    /// Returns how many values a node has, at least; at most ``endless``.
    mutating func valueCount(_ node: Int32, _ terms: inout TermStore) -> Int32 {
        if let known = nodes[node] { return known }
        // A value inside itself counts once.
        nodes[node] = 1
        let value = program.nodes[Int(node)]
        var count = value.literalCount
        if value.string != TermStore.empty {
            count = Self.sum(count, terms.textCount(value.string, limit: Self.endless))
        }
        // Alternatives may overlap: the largest counts.
        var best: Int32 = 0
        for id in value.numbers {
            best = max(best, program.numbers[Int(id)].valueCount(from: 0, limit: Self.endless))
        }
        count = max(count, best)
        best = 0
        for id in value.arrays {
            let array = program.arrays[Int(id)]
            best = max(best, arrayCount(array, from: 0, &terms))
        }
        count = Self.sum(count, best)
        best = 0
        for id in value.objects {
            let object = program.objects[Int(id)]
            best = max(best, objectCount(object, ObjectState(object), &terms))
        }
        count = Self.sum(count, best)
        nodes[node] = max(count, 1)
        return max(count, 1)
    }
}
