import Foundation
import LeapBase
import LeapChat
import LeapCore
import LeapGGUF
import LeapModel
import LeapTokenizer
import LeapTransfers

/// A model as an agent has to know it.
struct AgentModel: Sendable, Equatable {
    /// The name in requests.
    let name: String
    /// Tokens of prompt and reply together.
    let context: Int
    /// True if it writes text.
    let writesText: Bool
    /// True if it was made to call tools.
    let callsTools: Bool

    /// Reads the header of a model's file, which is what a server would serve.
    ///
    /// - Parameter context: the tokens that were asked for; nil for the model's own.
    /// - Throws: an error for a model that is not there or cannot be read.
    static func reading(_ argument: ModelArgument, context: Int?) async throws -> AgentModel {
        let files = try await argument.files()
        let file = try GGUFFile.open(path: files.modelPath)
        let trained = GGUFSummary(file).contextLength ?? 0
        let writesText = Model.generatesText(file)
        var callsTools = false
        if writesText {
            let renderer = try PromptFormats.renderer(
                metadata: file.metadata, tokenizer: try Tokenizer(metadata: file.metadata), option: nil,
                manifest: files.chatTemplate, path: files.modelPath)
            callsTools = renderer.showsCallStyle
        }
        return AgentModel(
            name: try name(of: argument), context: context.map { trained > 0 ? min($0, trained) : $0 } ?? trained,
            writesText: writesText, callsTools: callsTools)
    }

    /// The name under which a server serves a model that it was started with.
    private static func name(of argument: ModelArgument) throws -> String {
        if EmbeddedModels.names.contains(argument.text) { return argument.text }
        switch try argument.place() {
        case .file(let url): return url.deletingPathExtension().lastPathComponent
        case .model(let reference): return reference.shown
        }
    }

    /// The reasons why the model will not do for an agent, each with what to do; none if it will.
    ///
    /// - Parameter asked: the context that was asked for; nil for the model's own.
    func problems(for agent: Agent, asked: Int? = nil) -> [String] {
        let shown = ShownText.of(name, limit: 80)
        guard writesText else { return ["\(shown) writes no text: name another model with --model"] }
        var problems: [String] = []
        if context < agent.minContext {
            let advice = asked == context ? "raise --context" : "name a model with a longer one"
            problems.append(
                "\(shown) has a context of \(context) tokens, and \(agent.title) needs \(agent.minContext): \(advice)")
        }
        if agent.needsTools, !callsTools {
            problems.append(
                "\(shown) was not made to call tools, by which \(agent.title) works: name a model that was")
        }
        return problems
    }
}
