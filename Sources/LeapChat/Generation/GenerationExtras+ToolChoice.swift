package import LeapJSON
import LeapOpenAIFormat

extension GenerationExtras.ToolChoice {
    /// Reads a choice as chat completions have it; nil for another word, and for an object that names no tool.
    package init?(openAI json: JSONValue) {
        switch OpenAI.ToolChoice(json) {
        case .mode(.auto): self = .auto
        case .mode(.none): self = .none
        case .mode(.required): self = .required
        case .function(let name): self = .function(name)
        case nil: return nil
        }
    }

    /// The choice as chat completions have it.
    package var json: JSONValue {
        switch self {
        case .auto: OpenAI.ToolChoice.mode(.auto).json
        case .none: OpenAI.ToolChoice.mode(.none).json
        case .required: OpenAI.ToolChoice.mode(.required).json
        case .function(let name): OpenAI.ToolChoice.function(name).json
        }
    }
}

extension GenerationExtras {
    /// The choice that replies are held to: at most one call is a rule on calls, so it holds them to
    /// ``ToolChoice/auto`` where no choice is given.
    package var effectiveToolChoice: ToolChoice? { toolChoice ?? (parallelToolCalls ? nil : .auto) }
}
