import Foundation
import LeapBase
import LeapSDK

/// The commands that change how replies are generated and shown.
extension ChatSession {
    func set(_ argument: String) throws {
        let words = argument.split(maxSplits: 1) { $0 == " " || $0 == "=" }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard let name = words.first else {
            for setting in ChatSetting.all { show(setting) }
            return
        }
        guard let setting = ChatSetting.all.first(where: { $0.name == name || $0.otherName == name }) else {
            let near = NearestName.of(name, among: ChatSetting.all.map(\.name)).map { "did you mean \($0)? " }
            throw CommandError("there is no setting \(name); \(near ?? "")/set lists them")
        }
        if words.count > 1 {
            try state.withLock { try setting.set(&$0, words[1] == "default" ? nil : words[1]) }
        }
        show(setting)
    }

    private func show(_ setting: ChatSetting) {
        let width = ChatSetting.all.map(\.name.count).max() ?? 0
        let value = state.withLock { setting.value($0) ?? "\(setting.standard($0)) (default)" }
        Terminal.note("\(setting.name.padded(to: width + 2))\(value.padded(to: 18))  \(setting.help)")
    }

    func setThinking(_ argument: String) throws {
        if !argument.isEmpty {
            guard let thinking = ThinkingArgument(rawValue: argument == "on" ? "show" : argument) else {
                throw CommandError("/thinking is off, hide or show, not \(argument)")
            }
            state.withLock {
                $0.thinking = thinking
                $0.options.enableThinking = thinking.isAsked
            }
        }
        let thinking = state.withLock { $0.thinking }
        Terminal.note("(thinking: \(thinking.rawValue); only reasoning models think)")
    }

    func setTools(_ argument: String) throws {
        if !argument.isEmpty {
            let functions = argument == "none" ? [] : try JSONFile.functions(argument, "/tools")
            state.withLock {
                $0.functions = functions
                $0.renewConversation()
            }
        }
        // Those of MCP servers stay, as long as the chat does.
        let names = state.withLock { $0.allFunctions.map(\.name) }
        Terminal.note(names.isEmpty ? "(no tools)" : "(tools: \(names.joined(separator: ", ")))")
        for problem in servers?.problems ?? [] { Terminal.note("(\(problem))") }
    }

    func setSchema(_ argument: String) throws {
        if argument == "none" {
            state.withLock { $0.options.jsonSchemaConstraint = nil }
        } else if !argument.isEmpty {
            let schema = try SchemaArgument.text(argument, "/schema")
            state.withLock { $0.options.jsonSchemaConstraint = schema }
        }
        let schema = state.withLock { $0.options.jsonSchemaConstraint }
        Terminal.note(schema.map { "(answers follow \($0.prefix(200)))" } ?? "(answers follow no schema)")
    }
}
