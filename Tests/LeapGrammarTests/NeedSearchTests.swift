import Testing

@testable import LeapGrammar

/// The cheapest properties that meet an object's obligations, over random objects, beside every choice there is.
@Suite("Obligations of objects")
struct NeedSearchTests {
    private typealias Object = GrammarProgram.ObjectProgram
    private typealias Choice = GrammarProgram.Choice

    private static func choices(_ random: inout SeededGenerator, needs: Int) -> [Choice] {
        (0..<(1 + random.below(2))).map { _ in
            Choice(node: 0, claims: Int32(random.below(1 << needs)), cost: Int32(1 + random.below(9)))
        }
    }

    private static func randomObject(_ random: inout SeededGenerator) -> Object {
        let needs = 1 + random.below(2)
        let minimum = random.below(4)
        let object = Object(
            minimum: Int32(minimum), maximum: random.below(2) == 0 ? nil : Int32(minimum + random.below(3)),
            needCount: Int32(needs), tracksSeen: true, tracksCount: random.below(3) > 0, isOrdered: false)
        for index in 0..<random.below(4) {
            let choices = choices(&random, needs: needs)
            let cost = Int32(3 + random.below(5)) + (choices.map(\.cost).min() ?? 0)
            let name = [UInt8(0x61 + index)]
            object.keys.append(
                .init(spellings: [name], text: name, choices: choices, isRequired: random.below(3) == 0, cost: cost))
        }
        for _ in 0..<random.below(3) {
            let choices = choices(&random, needs: needs)
            let cost = Int32(3 + random.below(5)) + (choices.map(\.cost).min() ?? 0)
            object.classes.append(.init(names: 0, choices: choices, cost: cost))
        }
        return object
    }

    /// The least sum of bytes and properties; nil where no choice does.
    private static func least(_ object: Object, _ state: ObjectState, _ isNeeded: [Bool]) -> Int? {
        let minimum = object.tracksCount ? Int(object.minimum) : 0
        let all = (1 << Int(object.needCount)) - 1
        let written = Int(state.declared + state.free)
        var best: Int?
        func undeclared(_ claims: Int, _ cost: Int, _ count: Int, from first: Int, left: Int) {
            let whole = written + count
            if claims == all, whole >= minimum, object.maximum.map({ whole <= Int($0) }) ?? true {
                best = min(best ?? .max, cost + count)
            }
            guard left > 0 else { return }
            for index in first..<max(object.classes.count, first) {
                let item = object.classes[index]
                let name = Int(item.cost - (item.choices.map(\.cost).min() ?? 0))
                for choice in item.choices {
                    undeclared(
                        claims | Int(choice.claims), cost + name + Int(choice.cost), count + 1, from: index,
                        left: left - 1)
                }
            }
        }
        func declared(_ index: Int, _ claims: Int, _ cost: Int, _ count: Int) {
            guard index < object.keys.count else { return undeclared(claims, cost, count, from: 0, left: 5) }
            let key = object.keys[index]
            if !isNeeded[index] { declared(index + 1, claims, cost, count) }
            guard isNeeded[index] || state.isAvailable(index, object) else { return }
            let name = Int(key.cost - (key.choices.map(\.cost).min() ?? 0))
            for choice in key.choices {
                declared(index + 1, claims | Int(choice.claims), cost + name + Int(choice.cost), count + 1)
            }
        }
        declared(0, Int(state.claims) & all, 0, 0)
        return best
    }

    @Test("They are the cheapest of all choices", arguments: 0..<20)
    func cheapest(seed: Int) {
        var random = SeededGenerator(seed)
        var possible = 0
        for _ in 0..<30 {
            let object = Self.randomObject(&random)
            var state = ObjectState(object)
            // Some of it is written.
            for key in object.keys.indices where random.below(3) == 0 {
                state = state.taking(key, claims: object.keys[key].choices[0].claims, object)
            }
            if !object.classes.isEmpty, random.below(3) == 0 { state = state.takingFree(claims: 0, object) }
            let isNeeded = object.keys.indices.map { object.keys[$0].isRequired && !state.hasSeen($0) }
            let found = NeedSearch(object, state, isNeeded).cheapest.map { Int($0.cost + $0.count) }
            let expected = Self.least(object, state, isNeeded)
            #expect(found == expected)
            possible += expected == nil ? 0 : 1
        }
        #expect(possible > 0)
    }
}
