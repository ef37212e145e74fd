import LeapBase

/// A coding agent that `leap launch` can start, as data: what it reads of a server, and what a model has to be able to
/// do for it.
///
/// Values are templates: ``AgentValues`` fills in what stands between percent signs.
struct Agent: Sendable {
    /// A configuration file that lives as long as the agent runs.
    struct File: Sendable {
        let name: String
        let text: String
    }

    /// The name that is typed.
    let name: String
    /// Other names that are typed.
    var aliases: [String] = []
    /// The agent's own name.
    let title: String
    /// The program, as it is found in `PATH`.
    let program: String
    /// An address that tells how to install it.
    let page: String
    /// The fewest tokens of context with which it is of use.
    let minContext: Int
    /// True if it does its work by calls of tools alone.
    let needsTools: Bool
    /// Variables that are set for the agent.
    let variables: [(name: String, value: String)]
    /// Variables that would lead it elsewhere, and are not passed on.
    var removed: [String] = []
    /// Arguments in front of those that the user gives.
    var arguments: [String] = []
    /// A file that an argument names.
    var file: File?

    /// - Throws: `CommandError` that lists the names, for one that no agent has.
    static func named(_ name: String) throws -> Agent {
        if let agent = all.first(where: { $0.name == name || $0.aliases.contains(name) }) { return agent }
        let names = all.map(\.name)
        let near = NearestName.of(name, among: names + all.flatMap(\.aliases)).map { "; did you mean “\($0)”?" }
        throw CommandError(
            "there is no agent “\(ShownText.of(name, limit: 40))”\(near ?? ""); there are \(names.joined(separator: ", "))"
        )
    }
}
