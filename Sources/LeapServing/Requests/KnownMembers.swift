import LeapJSON

/// The members that have an effect in an object inside of a request.
indirect enum KnownMembers: Sendable {
    /// Any value; its reader uses or refuses it.
    case anything
    case object([String: KnownMembers])
    /// The elements of an array; the reader uses or refuses a value that is no array.
    case each(KnownMembers)
    /// An object that is told by its `type`, "" where it has none, or what stands for those of other types.
    case byType([String: KnownMembers], others: KnownMembers)

    /// The maximum number of places that are told.
    private static let maxCount = 64

    /// The places of the members that are not known, each kind once: the same member of many elements is told of the
    /// first.
    func unknown(in value: JSONValue, at place: String) -> [String] {
        var found = Found()
        visit(value, place, place, &found)
        return found.places
    }

    private struct Found {
        var places: [String] = []
        var kinds: Set<String> = []

        mutating func add(_ place: String, _ kind: String) {
            guard places.count < KnownMembers.maxCount, kinds.insert(kind).inserted else { return }
            places.append(place)
        }
    }

    /// - Parameters:
    ///   - place: with the numbers of elements.
    ///   - kind: without them.
    private func visit(_ value: JSONValue, _ place: String, _ kind: String, _ found: inout Found) {
        switch self {
        case .anything: return
        case .each(let element):
            for (index, value) in (value.array ?? []).enumerated() {
                element.visit(value, "\(place)[\(index)]", "\(kind)[]", &found)
            }
        case .object(let members):
            for (key, value) in value.object?.members ?? [] {
                let (innerPlace, innerKind) = ("\(place).\(key)", "\(kind).\(key)")
                if let known = members[key] {
                    known.visit(value, innerPlace, innerKind, &found)
                } else if !value.saysNothing {
                    found.add(innerPlace, innerKind)
                }
            }
        case .byType(let types, let others):
            let known = types[value["type"]?.string ?? ""] ?? others
            known.visit(value, place, kind, &found)
        }
    }
}

extension JSONValue {
    /// True if clients send the value where they ask for nothing: null, empty, or "auto".
    fileprivate var saysNothing: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty || text == "auto"
        case .array(let values): values.isEmpty
        case .object(let object): object.isEmpty
        case .bool, .number: false
        }
    }
}
