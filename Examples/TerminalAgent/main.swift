import LeapDemoModel
import LeapSDK

// An agent at the terminal: it works on the files of one folder, and asks before a function changes one.
//
//     swift run TerminalAgent FOLDER [MODEL.gguf]
guard CommandLine.arguments.count > 1 else {
    say("usage: TerminalAgent FOLDER [MODEL.gguf]\n")
    exit(64)
}
let tools = FileTools(folder: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
let model = try CommandLine.arguments.dropFirst(2).first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url
let runner = try await Leap.load(url: model)
let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
conversation.registerFunctions(FileTools.functions)
let refused = #"{"status": "the person did not allow it"}"#
let options = GenerationOptions().with(temperature: 0).with(maxTokens: 400).with(
    contextOverflowPolicy: .trimOldestTurns)

say("> ")
while let line = readLine() {
    if !line.isEmpty {
        do {
            try await answer(ChatMessage(role: .user, textContent: line))
        } catch let error as LeapException {
            say("\(error.localizedDescription)\n")
        }
    }
    say("> ")
}
say("\n")

/// Has the model answer, and carries out its calls, until it calls nothing more.
@MainActor
func answer(_ question: ChatMessage) async throws {
    var message = question
    // A model that calls functions for ever is stopped.
    for _ in 0..<8 {
        var calls: [LeapFunctionCall] = []
        for try await response in conversation.generateResponse(message: message, generationOptions: options) {
            switch response {
            case .chunk(let text): say(text)
            case .functionCall(let new): calls += new
            case .reasoningChunk, .audioSample, .complete: break
            }
        }
        if calls.isEmpty { return say("\n") }
        var isRefused = false
        for call in calls {
            let result = carryOut(call)
            isRefused = isRefused || result == refused
            conversation.appendToHistory(
                message: ChatMessage(role: .tool, content: [.text(result)], toolCallId: call.id))
        }
        // Whoever refuses a call says next what to do instead.
        if isRefused { return }
        message = ChatMessage(role: .user, textContent: "")
    }
    say("Stopped after 8 rounds of calls.\n")
}

/// The result of a call as the model reads it: an error of a function is a result too, so that the model can tell of
/// it.
@MainActor
func carryOut(_ call: LeapFunctionCall) -> String {
    if FileTools.changing.contains(call.name) {
        say("\(describe(call)): allow? [y/N] ")
        guard let reply = readLine()?.lowercased(), reply == "y" || reply == "yes" else {
            return refused
        }
    } else {
        say("\(describe(call))\n")
    }
    do {
        return try tools.run(call)
    } catch {
        return #"{"status": "\#(error.localizedDescription.replacingOccurrences(of: "\"", with: "'"))"}"#
    }
}

/// A call as the person reads it.
func describe(_ call: LeapFunctionCall) -> String {
    let arguments = call.arguments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value ?? "nothing")" }
    return "\(call.name)(\(arguments.joined(separator: ", ")))"
}

/// Writes at once, also where no line ends.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}
