/// The versions of the Model Context Protocol.
package enum MCPVersion {
    /// The versions that are spoken, the latest last; their differences do not concern tools over standard input and
    /// output.
    package static let all = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

    /// The version that a client begins with.
    package static let latest = all[all.count - 1]

    /// The version that a server answers: what it was asked for, or else its latest.
    package static func answer(to asked: String) -> String { all.contains(asked) ? asked : latest }
}
