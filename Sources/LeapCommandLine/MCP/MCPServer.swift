import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapMCP

/// Answers the Model Context Protocol: offers a model as tools to programs that run models of others
/// (https://modelcontextprotocol.io).
///
/// It knows no transport: lines come in, and answers go out through a closure, in the order in which they are ready.
final class MCPServer: Sendable {
    /// The maximum number of bytes of a line.
    static let maxLineBytes = 64 << 20
    /// The maximum number of calls that run at a time.
    static let maxCalls = 64

    /// The maximum number of messages in an array.
    static let maxBatch = 256

    /// Takes the answer to a request; nil where it gets none, as whoever asked has cancelled it.
    typealias Answer = @Sendable (JSONValue?) -> Void

    private let tools: MCPTools
    private let version: String
    private let send: @Sendable (JSONValue) -> Void
    /// The version that was agreed on; nil before, and for clients that agree on none.
    private let agreed = Locked<String?>(nil)
    /// The tasks that run, by the identifier of their request as JSON.
    private let running = Locked<[String: Task<Void, Never>]>([:])

    /// - Parameters:
    ///   - version: the program's.
    ///   - send: called with each answer, one at a time.
    init(tools: MCPTools, version: String, send: @escaping @Sendable (JSONValue) -> Void) {
        self.tools = tools
        self.version = version
        let lock = Locked(())
        self.send = { value in lock.withLock { _ in send(value) } }
    }

    /// Takes a line; what takes long goes on beside the next one.
    func take(_ line: [UInt8]) {
        // Spaces, tabs and the carriage return of some systems' line ends.
        guard line.contains(where: { ![0x20, 0x09, 0x0d].contains($0) }) else { return }
        let value: JSONValue
        do {
            value = try JSONParser.parse(line, maxValues: RPCMessage.maxValues)
        } catch {
            return send(RPCError(.parseError, "the message is not JSON: \(error)").answer)
        }
        let send = send
        guard let messages = value.array, agreed.withLock({ $0 }).map(MCPVersion.hasBatches) ?? true else {
            return take(value) { if let answer = $0 { send(answer) } }
        }
        guard (1...Self.maxBatch).contains(messages.count) else {
            return send(RPCError(.invalidRequest, "an array has 1 to \(Self.maxBatch) messages").answer)
        }
        // The answers come in one array, when all of them are there.
        let batch = BatchAnswers(count: messages.count) { answers in
            if !answers.isEmpty { send(.array(answers)) }
        }
        for message in messages { take(message) { batch.add($0) } }
    }

    /// Takes a message; `answer` is called once.
    private func take(_ value: JSONValue, _ answer: @escaping Answer) {
        do throws(RPCError) {
            guard let message = try RPCMessage(value) else { return answer(nil) }
            guard let id = message.id else {
                note(message)
                return answer(nil)
            }
            try reply(to: message, id, answer)
        } catch {
            answer(error.answer)
        }
    }

    /// Refuses a line that is longer than may be.
    func refuseLongLine() {
        send(RPCError(.invalidRequest, "a message may have \(Self.maxLineBytes) bytes").answer)
    }

    /// Waits for what runs.
    func finish() async { for task in running.withLock({ Array($0.values) }) { await task.value } }

    /// Stops what runs.
    func cancel() { for task in running.withLock({ Array($0.values) }) { task.cancel() } }

    private func note(_ message: RPCMessage) {
        guard message.method == "notifications/cancelled", let id = message.parameters["requestId"] else { return }
        running.withLock { $0[JSONWriter.string(id)] }?.cancel()
    }

    private func reply(to message: RPCMessage, _ id: JSONValue, _ answer: @escaping Answer) throws(RPCError) {
        let isStateless = try isStateless(message, id)
        /// Results say whether they are whole, in the version without a handshake; lists besides for how long they are
        /// good.
        func result(_ members: JSONObject, isList: Bool = false) -> JSONObject {
            guard isStateless else { return members }
            var members = members
            members["resultType"] = "complete"
            if isList {
                members["ttlMs"] = .integer(Self.listLifetime)
                members["cacheScope"] = "private"
            }
            return members
        }
        func give(_ members: JSONObject, isList: Bool = false) {
            answer(RPCMessage.result(id, result(members, isList: isList)))
        }
        switch message.method {
        case "initialize" where !isStateless: give(beginning(message.parameters))
        case "server/discover": give(discovery, isList: true)
        case "ping" where !isStateless: give([:])
        case "tools/list": give(["tools": .array(tools.all.map(\.description))], isList: true)
        case "tools/call": try call(message.parameters, id, isStateless: isStateless, answer)
        // Hosts ask for them whatever is announced.
        case "prompts/list": give(["prompts": .array([])], isList: true)
        case "resources/list": give(["resources": .array([])], isList: true)
        case "resources/templates/list": give(["resourceTemplates": .array([])], isList: true)
        default:
            throw RPCError(.methodNotFound, "there is no method '\(ShownText.of(message.method))' here", id: id)
        }
    }

    /// Milliseconds for which lists may be kept: none changes while the program runs.
    private static let listLifetime: Int64 = 3_600_000

    /// Returns whether a request is of the version without a handshake.
    private func isStateless(_ message: RPCMessage, _ id: JSONValue) throws(RPCError) -> Bool {
        guard let asked = MCPRequestFacts.version(of: message.parameters) else {
            return message.method == "server/discover"
        }
        guard asked == MCPVersion.stateless else {
            var error = RPCError(
                .unsupportedVersion, "version '\(ShownText.of(asked, limit: 40))' of the protocol is not supported",
                id: id)
            error.data = .object([
                "supported": .array([.string(MCPVersion.stateless)]), "requested": .string(asked),
            ])
            throw error
        }
        return true
    }

    private var serverInfo: JSONValue { .object(["name": "open-leap", "version": .string(version)]) }

    private var instructions: JSONValue {
        .string("A language model that runs on this machine: \(tools.modelName).")
    }

    private func beginning(_ parameters: JSONObject) -> JSONObject {
        let asked = parameters["protocolVersion"]?.string ?? ""
        let version = MCPVersion.answer(to: asked)
        agreed.withLock { $0 = version }
        return [
            "protocolVersion": .string(version), "capabilities": .object(["tools": .object([:])]),
            "serverInfo": serverInfo, "instructions": instructions,
        ]
    }

    /// The answer to what a client of the version without a handshake may ask for before all else.
    private var discovery: JSONObject {
        [
            "supportedVersions": .array([.string(MCPVersion.stateless)]),
            "capabilities": .object(["tools": .object([:])]), "serverInfo": serverInfo, "instructions": instructions,
            MCPRequestFacts.field: .object([MCPRequestFacts.serverInfo: serverInfo]),
        ]
    }

    private func call(
        _ parameters: JSONObject, _ id: JSONValue, isStateless: Bool, _ answer: @escaping Answer
    ) throws(RPCError) {
        let name = parameters["name"]?.string ?? ""
        guard let tool = tools.all.first(where: { $0.name == name }) else {
            throw RPCError(.invalidParameters, "there is no tool '\(ShownText.of(name))'", id: id)
        }
        let given = parameters["arguments"] ?? .object([:])
        guard let arguments = given == .null ? [:] : given.object else {
            throw RPCError(.invalidParameters, "\"arguments\" is \(given.kind); expected an object", id: id)
        }
        let key = JSONWriter.string(id)
        let problem = running.withLock { running -> String? in
            guard running[key] == nil else { return "a request with this \"id\" is already running" }
            guard running.count < Self.maxCalls else { return "\(Self.maxCalls) calls are already running" }
            running[key] = Task { [weak self] in
                var result = await Self.result(of: tool, arguments)
                if isStateless { result?["resultType"] = "complete" }
                // Who cancelled wants no answer.
                answer(Task.isCancelled ? nil : result.map { RPCMessage.result(id, $0) })
                self?.running.withLock { $0[key] = nil }
            }
            return nil
        }
        if let problem { throw RPCError(.invalidRequest, problem, id: id) }
    }

    /// Runs a tool and returns its result; nil where it was cancelled.
    ///
    /// An error is told to the model, which may mend its arguments.
    private static func result(of tool: MCPTool, _ arguments: JSONObject) async -> JSONObject? {
        do {
            let output = try await tool.run(arguments)
            var result: JSONObject = [
                "content": .array([.object(["type": "text", "text": .string(output.text)])]), "isError": .bool(false),
            ]
            if let structured = output.structured { result["structuredContent"] = structured }
            return result
        } catch is CancellationError {
            return nil
        } catch {
            return [
                "content": .array([.object(["type": "text", "text": .string(error.sentence)])]),
                "isError": .bool(true),
            ]
        }
    }
}

/// The answers to messages that came in one array.
private final class BatchAnswers: Sendable {
    private let state: Locked<(missing: Int, answers: [JSONValue])>
    private let end: @Sendable ([JSONValue]) -> Void

    init(count: Int, end: @escaping @Sendable ([JSONValue]) -> Void) {
        state = Locked((count, []))
        self.end = end
    }

    /// Takes the answer to one of them; nil for none.
    func add(_ answer: JSONValue?) {
        let answers = state.withLock { state -> [JSONValue]? in
            state.missing -= 1
            if let answer { state.answers.append(answer) }
            return state.missing == 0 ? state.answers : nil
        }
        if let answers { end(answers) }
    }
}
