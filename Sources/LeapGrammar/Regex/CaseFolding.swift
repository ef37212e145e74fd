/// Characters that are equal but for case: those that simple case folding makes equal.
///
/// Taken from the upper- and lower-case forms of single characters. Foldings to several characters (ß and SS) are none
/// of regular expressions; the dotless ı and the dotted İ are equal to themselves only, as everywhere outside of
/// Turkish.
enum CaseFolding {
    /// A set with all that is equal to one of its members.
    static func closure(of set: CodePointSet) -> CodePointSet {
        if let single = set.ranges.first, set.ranges.count == 1, single.count == 1 {
            guard let others = equals[single.lowerBound] else { return set }
            return CodePointSet(([single.lowerBound] + others).map { $0...$0 })
        }
        var added: [ClosedRange<UInt32>] = []
        for (character, others) in equals where set.contains(character) { added += others.map { $0...$0 } }
        return set.union(CodePointSet(added))
    }

    /// Per character: the others that are equal to it.
    private static let equals: [UInt32: [UInt32]] = {
        var groups: [UInt32: Set<UInt32>] = [:]
        for value: UInt32 in 0...0x1FFFF where value != 0x130 && value != 0x131 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { continue }
            let forms = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
            var group: Set<UInt32> = [value]
            for form in forms where form.unicodeScalars.count == 1 {
                for scalar in form.unicodeScalars { group.insert(scalar.value) }
            }
            for member in group { group.formUnion(groups[member] ?? []) }
            for member in group { groups[member] = group }
        }
        var result: [UInt32: [UInt32]] = [:]
        for (character, group) in groups where group.count > 1 { result[character] = group.filter { $0 != character } }
        return result
    }()
}
