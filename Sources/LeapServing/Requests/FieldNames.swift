/// The names that a protocol has for fields of chat completions.
struct FieldNames: Sendable {
    /// The names that differ.
    private var others: [String: String] = [:]
    /// The names that there are; nil for all.
    private var known: Set<String>?

    /// The names of chat completions.
    init() {}

    /// Names of which some differ, beside all others.
    init(_ others: [String: String]) { self.others = others }

    /// Only these names, and those that differ.
    init(only known: Set<String>, _ others: [String: String] = [:]) {
        self.others = others
        self.known = known
    }

    /// The name in the client's body of a field of chat completions; nil where the protocol has no such field.
    subscript(name: String) -> String? {
        if let other = others[name] { return other }
        return known?.contains(name) == false ? nil : name
    }
}
