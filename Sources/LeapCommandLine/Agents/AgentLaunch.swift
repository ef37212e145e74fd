import Foundation
import LeapBase

/// An agent's program, arguments, variables and file, ready to be started or shown.
struct AgentLaunch: Sendable {
    /// The program and its arguments.
    let words: [String]
    /// The variables that are set, beside those of this process.
    let variables: [(name: String, value: String)]
    /// The variables of this process that are left out.
    let removed: [String]
    /// The file to write before the start.
    let file: (path: String, text: String)?

    /// - Parameters:
    ///   - folder: the folder of the agent's file.
    ///   - arguments: those of the user, which come last.
    ///   - environment: the variables of this process.
    init(
        _ agent: Agent, server: (url: String, key: String), model: AgentModel, folder: String, arguments: [String],
        environment: [String: String]
    ) {
        let path = agent.file.map { "\(folder)/\($0.name)" }
        let values = AgentValues(url: server.url, key: server.key, model: model, file: path ?? "")
        words = [agent.program] + agent.arguments.map(values.fill) + arguments
        variables =
            agent.variables.map { (name: $0.name, value: values.fill($0.value)) }
            + ProxyExemption.variables(for: server.url, environment: environment)
        removed = agent.removed
        file = path.flatMap { path in agent.file.map { (path, values.fill($0.text)) } }
    }

    /// The variables of the agent's process.
    func environment(_ own: [String: String]) -> [String: String] {
        var environment = own
        for name in removed { environment[name] = nil }
        for (name, value) in variables { environment[name] = value }
        return environment
    }

    /// The lines of a shell that do the same.
    var shellLines: [String] {
        var lines = removed.map { "unset \($0)" } + variables.map { "export \($0.name)=\(Self.quoted($0.value))" }
        if let file {
            lines += ["cat > \(Self.quoted(file.path)) <<'END'", file.text + "END"]
        }
        return lines + [words.map(Self.quoted).joined(separator: " ")]
    }

    /// A word as a shell takes it for one.
    private static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_./:=@,+".unicodeScalars.contains(scalar))
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}

/// Variables that keep requests to a server on this machine away from proxies.
enum ProxyExemption {
    private static let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]

    /// Returns the variables to set; none where there is no proxy, and for a server on another machine, which may be
    /// reached by the proxy alone.
    static func variables(for url: String, environment: [String: String]) -> [(name: String, value: String)] {
        guard proxies.contains(where: { environment[$0]?.isEmpty == false }), let host = URL(string: url)?.host,
            isLoopback(host)
        else { return [] }
        return ["no_proxy", "NO_PROXY"].map { name in
            let known = (environment[name] ?? "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return (name, (known.contains(host) ? known : known + [host]).joined(separator: ","))
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "::1", "[::1]"].contains(host) || host.hasPrefix("127.")
    }
}
