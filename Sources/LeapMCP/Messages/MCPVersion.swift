package import LeapJSON

/// The versions of the Model Context Protocol.
package enum MCPVersion {
    /// The versions that begin with a handshake, the latest last; their differences do not concern tools over standard
    /// input and output.
    package static let all = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

    /// The version that a client begins with.
    package static let latest = all[all.count - 1]

    /// The version without a handshake: each request says which version it is of.
    package static let stateless = "2026-07-28"

    /// The version that a server answers: what it was asked for, or else its latest.
    package static func answer(to asked: String) -> String { all.contains(asked) ? asked : latest }

    /// Returns true if receivers have to take several messages in one array, which later versions do not have.
    package static func hasBatches(_ version: String) -> Bool { ["2024-11-05", "2025-03-26"].contains(version) }
}

/// The members of `_meta` in the parameters of a request of the version without a handshake.
package enum MCPRequestFacts {
    package static let field = "_meta"
    private static let prefix = "io.modelcontextprotocol/"
    package static let version = prefix + "protocolVersion"
    package static let clientInfo = prefix + "clientInfo"
    package static let clientCapabilities = prefix + "clientCapabilities"
    package static let serverInfo = prefix + "serverInfo"

    /// The version that a request names; nil for one of a version with a handshake.
    package static func version(of parameters: JSONObject) -> String? { parameters[field]?[version]?.string }

    /// Parameters with what a client says of itself.
    package static func added(to parameters: JSONObject, client: JSONValue) -> JSONObject {
        var parameters = parameters
        var facts = parameters[field]?.object ?? [:]
        facts[version] = .string(MCPVersion.stateless)
        facts[clientInfo] = client
        facts[clientCapabilities] = .object([:])
        parameters[field] = .object(facts)
        return parameters
    }
}
