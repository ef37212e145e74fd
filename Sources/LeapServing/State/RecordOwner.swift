/// The owner of a kept record: one holder of a key, or everybody who has none of several keys.
///
/// In a store, a holder's name and a slash stand in front of the identifiers of its records.
struct RecordOwner: Sendable {
    private static let separator = "/"

    private let prefix: String?

    init(_ holder: KeyHolder?) { prefix = holder.map { $0.name + Self.separator } }

    /// Returns the name of a record in a store; nil for an identifier that none of the owner's has.
    func name(of id: String) -> String? {
        // Identifiers have no slash: with one, it would be the name of somebody else's.
        id.contains(Self.separator) ? nil : (prefix ?? "") + id
    }

    /// Returns true if a name in a store is that of a record of the owner's.
    func owns(_ name: String) -> Bool { prefix.map { name.hasPrefix($0) } ?? !name.contains(Self.separator) }
}
