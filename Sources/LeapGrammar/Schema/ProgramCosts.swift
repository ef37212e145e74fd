/// Shortest spellings of all nodes, and the removal of what can never be completed.
enum ProgramCosts {
    /// Fixpoint from below: a cost is set once all it is made of has one.
    static func settle(_ program: inout GrammarProgram) {
        var costs = PartCosts(&program)
        // What is made of nothing that changed is not looked at again, and what is made of much last.
        while let part = costs.due.pop(), !program.terms.work.isExhausted {
            switch part {
            case .array(let index): costs.updateArray(index, &program)
            case .object(let index): costs.updateObject(index, &program)
            case .node(let index): costs.updateNode(index, &program)
            }
        }
        removeUnreachable(&program, costs)
    }

    /// The costs of a program's strings, arrays and objects so far, and what is to be looked at because of them.
    private struct PartCosts {
        private var strings: [Int32]
        private(set) var arrays: [Int32]
        private(set) var objects: [Int32]
        private let uses: Uses
        var due: DueParts

        /// Prices the strings; those that cannot be written are taken out.
        init(_ program: inout GrammarProgram) {
            strings = [Int32](repeating: TermStore.unreachable, count: program.nodes.count)
            for index in program.nodes.indices {
                let term = program.nodes[index].string
                strings[index] = TermStore.sum(program.terms.cost(term), 2)
                if strings[index] == TermStore.unreachable { program.nodes[index].string = TermStore.empty }
            }
            arrays = [Int32](repeating: TermStore.unreachable, count: program.arrays.count)
            objects = [Int32](repeating: TermStore.unreachable, count: program.objects.count)
            uses = Uses(program)
            due = DueParts(program)
        }

        mutating func updateArray(_ index: Int, _ program: inout GrammarProgram) {
            for position in program.arrays[index].items.indices {
                _ = price(&program.arrays[index].items[position], program.nodes)
            }
            let array = program.arrays[index]
            program.terms.work.spend(ArrayCompletion.steps(array) + array.items.count >> 3)
            let cost =
                array.items.isEmpty
                ? TermStore.unreachable
                : TermStore.sum(ArrayCompletion(array, ArrayState(array)).afterOpening, 1)
            if cost < arrays[index] { for node in uses.ofArrays[index] { due.push(.node(Int(node))) } }
            arrays[index] = cost
        }

        mutating func updateObject(_ index: Int, _ program: inout GrammarProgram) {
            program.terms.work.spend(
                ObjectCompletion.steps(program.objects[index]) + program.objects[index].keys.count >> 3)
            updateKeys(&program, index)
            let cost = ObjectCompletion(program.objects[index], ObjectState(program.objects[index])).afterOpening
            if cost < objects[index] { for node in uses.ofObjects[index] { due.push(.node(Int(node))) } }
            objects[index] = cost
        }

        mutating func updateNode(_ index: Int, _ program: inout GrammarProgram) {
            program.terms.work.spend()
            let node = program.nodes[index]
            var cost = strings[index]
            if let literal = node.literal { cost = min(cost, program.literals[literal].cost) }
            for id in node.numbers { cost = min(cost, program.numbers[Int(id)].cost(0)) }
            for id in node.arrays { cost = min(cost, arrays[Int(id)]) }
            for id in node.objects { cost = min(cost, TermStore.sum(objects[Int(id)], 1)) }
            if cost < node.cost {
                program.nodes[index].cost = cost
                for array in uses.inArrays[index] { due.push(.array(Int(array))) }
                for object in uses.inObjects[index] { due.push(.object(Int(object))) }
            }
        }
    }

    /// Takes out what can never be completed.
    private static func removeUnreachable(_ program: inout GrammarProgram, _ costs: PartCosts) {
        for index in program.nodes.indices {
            program.nodes[index].arrays.removeAll { costs.arrays[Int($0)] == TermStore.unreachable }
            program.nodes[index].objects.removeAll { costs.objects[Int($0)] == TermStore.unreachable }
        }
        for index in program.arrays.indices {
            for position in program.arrays[index].items.indices {
                program.arrays[index].items[position].removeAll { $0.cost == TermStore.unreachable }
            }
        }
        for index in program.objects.indices {
            for key in program.objects[index].keys.indices {
                program.objects[index].keys[key].choices.removeAll { $0.cost == TermStore.unreachable }
            }
            for item in program.objects[index].classes.indices {
                program.objects[index].classes[item].choices.removeAll { $0.cost == TermStore.unreachable }
            }
            program.objects[index].classes.removeAll { $0.choices.isEmpty }
        }
    }

    private static func price(_ choices: inout [GrammarProgram.Choice], _ nodes: [GrammarProgram.ValueNode]) -> Int32 {
        var best = TermStore.unreachable
        for index in choices.indices {
            choices[index].cost = nodes[Int(choices[index].node)].cost
            best = min(best, choices[index].cost)
        }
        return best
    }

    private static func updateKeys(_ program: inout GrammarProgram, _ index: Int) {
        for key in program.objects[index].keys.indices {
            let value = price(&program.objects[index].keys[key].choices, program.nodes)
            let name = Int32(program.objects[index].keys[key].spellings[0].count + 2)
            program.objects[index].keys[key].cost = TermStore.sum(value, name)
        }
        for item in program.objects[index].classes.indices {
            let value = price(&program.objects[index].classes[item].choices, program.nodes)
            let name = program.terms.cost(program.objects[index].classes[item].names)
            program.objects[index].classes[item].cost = TermStore.sum(TermStore.sum(value, name), 3)
        }
    }
}

/// The uses of each part of a program.
private struct Uses {
    /// Per array and per object: the nodes that admit it.
    private(set) var ofArrays: [[Int32]]
    private(set) var ofObjects: [[Int32]]
    /// Per node: the arrays and the objects with values of it.
    private(set) var inArrays: [[Int32]]
    private(set) var inObjects: [[Int32]]

    init(_ program: GrammarProgram) {
        ofArrays = Array(repeating: [], count: program.arrays.count)
        ofObjects = Array(repeating: [], count: program.objects.count)
        inArrays = Array(repeating: [], count: program.nodes.count)
        inObjects = inArrays
        for (index, node) in program.nodes.enumerated() {
            for id in node.arrays { ofArrays[Int(id)].append(Int32(index)) }
            for id in node.objects { ofObjects[Int(id)].append(Int32(index)) }
        }
        for (index, array) in program.arrays.enumerated() {
            for node in Set(array.items.joined().map(\.node)) { inArrays[Int(node)].append(Int32(index)) }
        }
        for (index, object) in program.objects.enumerated() {
            let choices =
                object.keys.map(\.choices).joined().map(\.node) + object.classes.flatMap { $0.choices.map(\.node) }
            for node in Set(choices) { inObjects[Int(node)].append(Int32(index)) }
        }
    }
}

/// The parts of a program whose costs are to be looked at, the smallest first.
private struct DueParts {
    enum ProgramPart {
        case node(Int)
        case array(Int)
        case object(Int)
    }

    private var queue = CostQueue()
    private var isDue: [Bool]
    private let sizes: [Int]
    private let arrayStart: Int
    private let objectStart: Int

    /// All of them.
    init(_ program: GrammarProgram) {
        arrayStart = program.nodes.count
        objectStart = arrayStart + program.arrays.count
        sizes =
            [Int](repeating: 0, count: arrayStart) + program.arrays.map { $0.items.count }
            + program.objects.map { $0.keys.count + $0.classes.count }
        isDue = [Bool](repeating: false, count: sizes.count)
        for id in sizes.indices { push(id) }
    }

    private mutating func push(_ id: Int) {
        if isDue[id] { return }
        isDue[id] = true
        queue.push(sizes[id], Int32(id))
    }

    mutating func push(_ part: ProgramPart) {
        switch part {
        case .node(let index): push(index)
        case .array(let index): push(arrayStart + index)
        case .object(let index): push(objectStart + index)
        }
    }

    mutating func pop() -> ProgramPart? {
        guard let (_, next) = queue.pop() else { return nil }
        let id = Int(next)
        isDue[id] = false
        return id < arrayStart ? .node(id) : id < objectStart ? .array(id - arrayStart) : .object(id - objectStart)
    }
}
