import Foundation
import LeapBase
package import LeapHTTP
package import LeapJSON

/// A connection to a server of the Model Context Protocol, for its tools.
package final class MCPClient: Sendable {
    /// The server's own name, for names of tools; letters, digits, `_` and `-` of ASCII.
    package let name: String
    /// The server's address, as messages show it.
    package let shown: String
    /// The version of the protocol that both sides speak.
    package let version: String
    private let hasTools: Bool
    private let connection: MCPConnection
    private let transport: any MCPTransport
    private let limits: MCPLimits

    private init(
        _ connection: MCPConnection, _ transport: any MCPTransport, shown: String, limits: MCPLimits,
        version: String, begun: JSONObject
    ) {
        self.connection = connection
        self.transport = transport
        self.shown = shown
        self.limits = limits
        self.version = version
        hasTools = begun["capabilities"]?["tools"]?.object != nil
        let told = begun["serverInfo"] ?? begun[MCPRequestFacts.field]?[MCPRequestFacts.serverInfo]
        name = Self.plainName(told?["name"]?.string ?? "")
    }

    /// Starts a server, or connects to one, and agrees with it on a version.
    ///
    /// A server that refuses the handshake is asked whether it speaks the version that has none.
    ///
    /// - Parameters:
    ///   - httpTransport: makes what carries a message to a server at an address.
    ///   - log: takes lines for the log, at the level for debugging.
    /// - Throws: ``MCPError``, or `CancellationError`; then the server has ended.
    package static func connect(
        to address: MCPAddress, limits: MCPLimits = MCPLimits(),
        httpTransport: @escaping @Sendable () -> any Transport = { StandardTransport.make() },
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> MCPClient {
        let shown = address.shown
        let transport: any MCPTransport =
            switch address {
            case .program(let words): ProgramTransport(words, shown: shown, limits: limits)
            case .http(let url): HTTPTransport(url, shown: shown, limits: limits, makeTransport: httpTransport)
            }
        let connection = MCPConnection(transport, shown: shown, limits: limits, log: log)
        try connection.start()
        do {
            let (version, begun) = try await begin(connection, transport, shown: shown, limits: limits)
            return MCPClient(connection, transport, shown: shown, limits: limits, version: version, begun: begun)
        } catch {
            await transport.close()
            throw error
        }
    }

    /// Agrees with a server on a version.
    ///
    /// - Returns: the version, and what the server tells of itself.
    private static func begin(
        _ connection: MCPConnection, _ transport: any MCPTransport, shown: String, limits: MCPLimits
    ) async throws -> (version: String, begun: JSONObject) {
        let begun: JSONObject
        do {
            begun = try await connection.request(
                "initialize",
                [
                    "protocolVersion": .string(MCPVersion.latest), "capabilities": .object([:]),
                    "clientInfo": MCPConnection.clientInfo,
                ], timeout: limits.startTimeout, isCancellable: false)
        } catch let refusal as MCPError where [.refused, .connection].contains(refusal.code) {
            return (
                MCPVersion.stateless,
                try await discovered(connection, transport, limits: limits, instead: refusal)
            )
        }
        let version = begun["protocolVersion"]?.string ?? ""
        guard MCPVersion.all.contains(version) else {
            throw MCPError(
                shown, .unknownVersion,
                "speaks version '\(ShownText.of(version, limit: 40))' of the protocol; expected one of \((MCPVersion.all + [MCPVersion.stateless]).joined(separator: ", "))"
            )
        }
        transport.use(version: version)
        try connection.notify("notifications/initialized")
        return (version, begun)
    }

    /// The description that a server of the version without a handshake gives of itself.
    ///
    /// - Throws: why the handshake was refused, where it does not speak that version.
    private static func discovered(
        _ connection: MCPConnection, _ transport: any MCPTransport, limits: MCPLimits, instead refusal: MCPError
    ) async throws -> JSONObject {
        connection.useStateless()
        transport.use(version: MCPVersion.stateless)
        do {
            let found = try await connection.request("server/discover", [:], timeout: limits.discoveryTimeout)
            let versions = found["supportedVersions"]?.array?.compactMap(\.string) ?? []
            guard versions.contains(MCPVersion.stateless) else { throw refusal }
            return found
        } catch is MCPError {
            throw refusal
        }
    }

    /// The error because of which the server cannot be used any more; nil as long as it can.
    package var failure: MCPError? { connection.failure }

    /// Returns whether the server has told of other tools since the last time that this was asked.
    package func takeNewTools() -> Bool { connection.takeNewTools() }

    /// The tools that the server lists, and what of them was cut or left out.
    ///
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func tools() async throws -> (tools: [MCPServerTool], notes: [String]) {
        guard hasTools else { return ([], ["it has no tools"]) }
        var tools: [MCPServerTool] = []
        var names: Set<String> = []
        var notes: [String] = []
        var cursor: String?
        for page in 1... {
            let parameters: JSONObject = cursor.map { ["cursor": .string($0)] } ?? [:]
            let result = try await connection.request("tools/list", parameters, timeout: limits.listTimeout)
            guard let entries = result["tools"]?.array else {
                throw MCPError(shown, .malformed, "sent a list of tools without \"tools\"")
            }
            for entry in entries {
                guard tools.count < limits.maxTools else {
                    notes.append("it lists more than \(limits.maxTools) tools: the others are left out")
                    return (tools, notes)
                }
                guard notes.count <= limits.maxTools else { continue }
                guard let tool = MCPServerTool(entry, limits: limits, notes: &notes) else { continue }
                if names.insert(tool.name).inserted {
                    tools.append(tool)
                } else {
                    notes.append("the tool \(tool.name) is listed twice: the second one is left out")
                }
            }
            cursor = result["nextCursor"]?.string
            guard cursor != nil else { break }
            guard page < limits.maxPages else {
                notes.append("its list has more than \(limits.maxPages) pages: the rest is left out")
                break
            }
        }
        return (tools, notes)
    }

    /// Calls a tool.
    ///
    /// A task that is cancelled waits no longer, and the server is told so.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func call(
        _ tool: MCPServerTool, _ arguments: JSONObject, maxTextBytes: Int, takesImages: Bool
    ) async throws -> MCPToolResult {
        let result = try await connection.request(
            "tools/call", ["name": .string(tool.name), "arguments": .object(arguments)], timeout: limits.callTimeout)
        guard result["resultType"] ?? "complete" == "complete" else {
            throw MCPError(shown, .refused, "asks for more before it runs \(tool.name), which is not offered here")
        }
        return MCPToolResult(result, maxTextBytes: maxTextBytes, takesImages: takesImages)
    }

    /// Ends the server that was started, and waits for its end; calls that run end with an error.
    package func close() async {
        await transport.close()
        connection.leave()
    }

    /// Ends the server that was started without waiting, as this process is about to end.
    package func kill() { transport.kill() }

    /// A name of letters, digits, `_` and `-`; "server" where nothing is left.
    private static func plainName(_ name: String) -> String {
        var plain = ""
        for byte in name.utf8.prefix(64) {
            let character = Character(Unicode.Scalar(byte))
            if character != ".", character != "/", MCPServerTool.isSuitable(String(character)) {
                plain.append(character)
            } else if !plain.hasSuffix("_") {
                plain.append("_")
            }
        }
        while plain.hasSuffix("_") { plain.removeLast() }
        while plain.hasPrefix("_") { plain.removeFirst() }
        return plain.isEmpty ? "server" : String(plain.prefix(32))
    }
}
