import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapMCP

/// Answers the Model Context Protocol: offers a model as tools to programs that run models of others (https://modelcontextprotocol.io).
///
/// It knows no transport: lines come in, and answers go out through a closure, in the order in which they are ready.
final class MCPServer: Sendable {
    /// The maximum number of bytes of a line.
    static let maxLineBytes = 64 << 20
    /// The maximum number of calls that run at a time.
    static let maxCalls = 64

    private let tools: MCPTools
    private let version: String
    private let send: @Sendable (JSONValue) -> Void
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
        do throws(RPCError) {
            guard let message = try RPCMessage(line) else { return }
            guard let id = message.id else { return note(message) }
            try answer(message, id)
        } catch {
            send(error.answer)
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

    private func answer(_ message: RPCMessage, _ id: JSONValue) throws(RPCError) {
        switch message.method {
        case "initialize": send(RPCMessage.result(id, beginning(message.parameters)))
        case "ping": send(RPCMessage.result(id, [:]))
        case "tools/list":
            send(RPCMessage.result(id, ["tools": .array(tools.all.map(\.description))]))
        case "tools/call": try call(message.parameters, id)
        default:
            throw RPCError(.methodNotFound, "there is no method '\(ShownText.of(message.method))' here", id: id)
        }
    }

    private func beginning(_ parameters: JSONObject) -> JSONObject {
        let asked = parameters["protocolVersion"]?.string ?? ""
        return [
            "protocolVersion": .string(MCPVersion.answer(to: asked)),
            "capabilities": .object(["tools": .object([:])]),
            "serverInfo": .object(["name": "open-leap", "version": .string(version)]),
            "instructions": .string("A language model that runs on this machine: \(tools.modelName)."),
        ]
    }

    private func call(_ parameters: JSONObject, _ id: JSONValue) throws(RPCError) {
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
            guard running[key] == nil else { return "a request with this \"id\" runs already" }
            guard running.count < Self.maxCalls else { return "\(Self.maxCalls) calls run already" }
            running[key] = Task { [weak self] in
                let result = await Self.result(of: tool, arguments)
                guard let self else { return }
                // Who cancelled wants no answer.
                if let result, !Task.isCancelled { self.send(RPCMessage.result(id, result)) }
                self.running.withLock { $0[key] = nil }
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
