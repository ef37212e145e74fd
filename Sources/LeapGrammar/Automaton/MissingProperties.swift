extension GrammarMatcher {
    /// Names that must still come before the object at hand may end, in the schema's order; empty where no name is
    /// certain.
    ///
    /// If alternatives ask for different ones, these are those that all ask for, else those of the alternative that
    /// lacks fewest.
    func missingProperties() -> [String] {
        withAutomaton(or: []) { engine, position in
            let state = position.state
            guard state >= 0 else { return [] }
            var alternatives: [[String]] = []
            for (local, _) in engine.configurations(state) {
                let place = engine.locals[local]
                guard place.kind == .objectOpen || place.kind == .objectNext else { continue }
                alternatives.append(engine.objects.program(place.a).missing(engine.objects[place.a].state))
            }
            guard let fewest = alternatives.min(by: { $0.count < $1.count }) else { return [] }
            let common = fewest.filter { name in alternatives.allSatisfy { $0.contains(name) } }
            return common.isEmpty ? fewest : common
        }
    }
}

extension GrammarProgram.ObjectProgram {
    /// Declared keys that are required, by themselves or by another one that was written, and not written.
    fileprivate func missing(_ state: ObjectState) -> [String] {
        var isNeeded = keys.map(\.isRequired)
        for dependency in dependencies where state.hasSeen(Int(dependency.key)) {
            for need in dependency.needs { isNeeded[Int(need)] = true }
        }
        return keys.indices.filter { index in
            isNeeded[index] && !state.hasSeen(index) && !(isOrdered && index < Int(state.cursor))
        }.map { String(decoding: keys[$0].text, as: UTF8.self) }
    }
}
