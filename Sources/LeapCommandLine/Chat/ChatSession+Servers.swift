import Foundation
import LeapBase
import LeapMCP
import LeapSDK
import LeapVision

/// Calls of tools of MCP servers, each of which the person allows.
extension ChatSession {
    /// The result of a call of a server's tool, for the model.
    struct ServerResult {
        let text: String
        var pictures: [ChatMessageContent] = []
        /// True if the tool was run without a question.
        var isUnasked = false
    }

    /// Characters of a result that are shown.
    private static let shownCharacters = 600

    /// Takes the tools that servers have now, where one of them has others.
    func refreshServerTools() async {
        guard let servers else { return }
        do {
            let own = state.withLock { $0.functions.map(\.name) }
            guard try await stoppably({ try await servers.refresh(taken: own) }) else { return }
        } catch is CancellationError {
            Terminal.note("(the tools are unchanged)")
            return
        } catch {
            Terminal.note("error: \(error.sentence)")
            return
        }
        let names = state.withLock { state in
            state.serverFunctions = servers.functions
            state.renewConversation()
            return state.serverFunctions.map(\.name)
        }
        Terminal.note("(the tools of MCP servers are now: \(names.isEmpty ? "none" : names.joined(separator: ", ")))")
    }

    /// The tool of a server that a call means; nil for functions of `--tools`, which come first.
    func serverEntry(_ call: LeapFunctionCall) -> MCPToolSet.NamedTool? {
        guard !state.withLock({ $0.functions.contains { $0.name == call.name } }) else { return nil }
        return servers?.entry(call.name)
    }

    /// Runs a call where the person allows it; before that, a server that has ended is started again.
    ///
    /// - Returns: nil where the turn ends here; the step says how the chat goes on.
    func serverResult(
        of call: LeapFunctionCall, _ called: MCPToolSet.NamedTool
    ) async -> (result: ServerResult?, step: Step) {
        guard call.argumentText == nil else {
            return (ServerResult(text: "Error: the arguments are not a JSON object.", isUnasked: true), .next)
        }
        do {
            try await stoppably { try await called.server.start() }
        } catch {
            return failed(error, isUnasked: true)
        }
        // The person decides on the tool as it is now.
        await refreshServerTools()
        guard let entry = serverEntry(call), entry.server === called.server else {
            let reason = "the MCP server no longer has a tool \(call.name): the call was not made"
            Terminal.note("(\(reason))")
            return (ServerResult(text: "Error: \(reason).", isUnasked: true), .next)
        }
        let isUnasked = servers?.isAllowed(entry) == true
        if !isUnasked {
            switch await permission(for: call, entry) {
            case .allowed: break
            case .refused: return (ServerResult(text: "Error: the user did not allow this call."), .next)
            case .left(let step): return (nil, step)
            }
        }
        let imageProblem = (runner as? LiquidInferenceEngineRunner)?.readableParts.imageProblem
        // Half of the context, at four bytes a token.
        let room = min(64 << 10, max(2048, runner.contextSize * 2))
        do {
            let result = try await stoppably {
                try await entry.server.call(
                    entry.tool, call.argumentObject, maxTextBytes: room, takesImages: imageProblem == nil)
            }
            show(result, of: call)
            return (
                ServerResult(text: result.modelText, pictures: Self.pictures(of: result), isUnasked: isUnasked), .next
            )
        } catch {
            return failed(error, isUnasked: isUnasked)
        }
    }

    /// Tells of a call that has no result: the person, and the model where it goes on.
    private func failed(_ error: any Error, isUnasked: Bool) -> (result: ServerResult?, step: Step) {
        guard !(error is CancellationError) else {
            Terminal.note("(the call was stopped; send a message to continue)")
            conversation.appendToHistory(
                message: ChatMessage(role: .tool, textContent: "Error: the user stopped this call."))
            return (nil, .next)
        }
        Terminal.note("error: \(error.sentence)")
        return (ServerResult(text: "Error: \(error.sentence)", isUnasked: isUnasked), .next)
    }

    /// Runs a closure that Ctrl-C cancels.
    private func stoppably<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        let task = Task { try await body() }
        state.withLock { $0.stop = { task.cancel() } }
        defer { state.withLock { $0.stop = nil } }
        return try await task.value
    }

    private enum Permission {
        case allowed
        case refused
        case left(Step)
    }

    /// Asks whether a call may be run; commands work here as everywhere.
    private func permission(for call: LeapFunctionCall, _ entry: MCPToolSet.NamedTool) async -> Permission {
        let before = state.withLock { $0.revision }
        let help = "(y runs it, n does not, always runs this tool from now on; /quit quits the chat)"
        while true {
            let request = InputReader.Request(
                prompt: "run \(call.name) of \(entry.server.name)? [y]es, [n]o, [a]lways> ", isKept: false,
                completer: SlashCommand.completion(of:))
            let answer = await input.next(request)
            switch answer {
            case .text(let text) where !text.hasPrefix("/"):
                switch text.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return .allowed
                case "n", "no": return .refused
                case "a", "always":
                    servers?.allow(entry)
                    return .allowed
                default: Terminal.note(help)
                }
            case .block: Terminal.note(help)
            case .interrupted:
                Terminal.note("(it was not run; send a message to continue)")
                return .left(.next)
            case .text, .ended:
                let step = await handle(answer)
                if step != .next || state.withLock({ $0.revision }) != before { return .left(step) }
            }
        }
    }

    private func show(_ result: MCPToolResult, of call: LeapFunctionCall) {
        let text = result.text.prefix(Self.shownCharacters)
        let rest = text.utf8.count < result.text.utf8.count ? " …" : ""
        Terminal.note("\(result.isError ? "error of" : "result of") \(call.name): \(text)\(rest)")
        if let count = result.wholeTextBytes {
            Terminal.note("(the result has \(count) bytes: the model gets the first \(result.text.utf8.count))")
        }
    }

    /// The pictures of a result that can be decoded; the rest is told.
    static func pictures(of result: MCPToolResult) -> [ChatMessageContent] {
        result.pictures.compactMap { picture in
            let content = ChatMessageContent.image(picture.data)
            do {
                // Bytes that are an address are none of a picture: nothing is fetched for a server.
                guard !content.isAddress else { throw CommandError("it is not a picture") }
                _ = try RGBImage(file: [UInt8](picture.data))
                return content
            } catch {
                let reason = error.sentence
                Terminal.note("(a picture of \(picture.type) is left out: \(reason))")
                return nil
            }
        }
    }
}
