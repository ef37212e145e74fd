import Foundation
import LeapTemplate

/// `render`: prints the prompt of one conversation.
enum RenderCommand {
    static func run(_ arguments: [String]) -> Int32 {
        do {
            let prompt = try render(arguments)
            try FileHandle.standardOutput.write(contentsOf: Data(prompt.utf8))
            return 0
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("error: \(error)\n".utf8))
            return 1
        }
    }

    private static func render(_ arguments: [String]) throws -> String {
        var template = ""
        var messages: [TemplateValue] = []
        var tools: [TemplateValue]?
        var documents: [TemplateValue]?
        var addsGenerationPrompt = true
        var extra = TemplateObject()
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            if option == "--no-generation-prompt" {
                addsGenerationPrompt = false
                continue
            }
            guard let value = rest.popFirst() else { throw TemplateError(.value, "\(option) needs a value") }
            switch option {
            case "--messages": messages = try list(value)
            case "--tools": tools = try list(value)
            case "--documents": documents = try list(value)
            case "--chat-template": template = try String(contentsOfFile: value, encoding: .utf8)
            case "--set":
                let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { throw TemplateError(.value, "--set needs name=value, not \(value)") }
                extra[parts[0]] = (try? TemplateValue(json: parts[1])) ?? .string(parts[1])
            default: throw TemplateError(.value, "unknown option \(option)")
            }
        }
        return try ChatTemplate(source: template).render(
            messages: messages, tools: tools, documents: documents, addGenerationPrompt: addsGenerationPrompt,
            extra: extra)
    }

    private static func list(_ path: String) throws -> [TemplateValue] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard case .array(let items) = try TemplateValue(json: Array(data)) else {
            throw TemplateError(.value, "\(path) must hold a JSON array")
        }
        return items
    }
}
