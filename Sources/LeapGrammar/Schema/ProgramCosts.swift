/// Shortest spellings of all nodes, and the removal of what can never be completed.
enum ProgramCosts {
    /// Fixpoint from below: a cost is set once all it is made of has one.
    static func settle(_ program: inout GrammarProgram) {
        var stringCosts = [Int32](repeating: TermStore.unreachable, count: program.nodes.count)
        for index in program.nodes.indices {
            let term = program.nodes[index].string
            stringCosts[index] = TermStore.sum(program.terms.cost(term), 2)
            if stringCosts[index] == TermStore.unreachable { program.nodes[index].string = TermStore.empty }
        }
        var changed = true
        var arrayCosts = [Int32](repeating: TermStore.unreachable, count: program.arrays.count)
        var objectCosts = [Int32](repeating: TermStore.unreachable, count: program.objects.count)
        while changed {
            changed = false
            for index in program.arrays.indices.reversed() {
                for position in program.arrays[index].items.indices {
                    _ = price(&program.arrays[index].items[position], program.nodes)
                }
                let array = program.arrays[index]
                if !array.items.isEmpty {
                    arrayCosts[index] = TermStore.sum(ArrayCompletion(array, ArrayState(array)).afterOpening, 1)
                }
            }
            for index in program.objects.indices.reversed() {
                updateKeys(&program, index)
                objectCosts[index] =
                    ObjectCompletion(program.objects[index], ObjectState(program.objects[index])).afterOpening
            }
            for index in program.nodes.indices.reversed() {
                let node = program.nodes[index]
                var cost = stringCosts[index]
                if node.literal >= 0 { cost = min(cost, program.literals[node.literal].cost) }
                for id in node.numbers { cost = min(cost, program.numbers[Int(id)].cost(0)) }
                for id in node.arrays { cost = min(cost, arrayCosts[Int(id)]) }
                for id in node.objects { cost = min(cost, TermStore.sum(objectCosts[Int(id)], 1)) }
                if cost < node.cost {
                    program.nodes[index].cost = cost
                    changed = true
                }
            }
        }
        for index in program.nodes.indices {
            program.nodes[index].arrays.removeAll { arrayCosts[Int($0)] == TermStore.unreachable }
            program.nodes[index].objects.removeAll { objectCosts[Int($0)] == TermStore.unreachable }
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
