import LeapBase
import LeapCore
import LeapEngine
import LeapModel
import LeapSDK

/// Something that `/set` changes.
struct ChatSetting: Sendable {
    let name: String
    /// Its name in the API.
    var otherName: String?
    let help: String
    /// The value that was set; nil where none was.
    let value: @Sendable (ChatSession.State) -> String?
    /// The value that counts where none was set, of this model.
    var standard: @Sendable (ChatSession.State) -> String = { _ in "" }
    /// Sets it, or with nil what it is by itself.
    let set: @Sendable (inout ChatSession.State, String?) throws -> Void

    static let all: [ChatSetting] =
        SamplingParameter.allCases.map(sampling) + [seed, maxTokens, thinkingBudget, markdown, overflow, stats]

    private static func sampling(_ parameter: SamplingParameter) -> ChatSetting {
        ChatSetting(
            name: parameter.key, otherName: parameter.name, help: parameter.expectation,
            value: { $0.options.snapshot.sampling[parameter].map { String.rounded($0) } },
            standard: { state in
                let sampling = try? (state.runner as? LiquidInferenceEngineRunner)?.abilities().sampling
                return sampling?.first { $0.key == parameter.key }.map { String.rounded($0.value) } ?? ""
            },
            set: { state, text in
                guard let text else { return state.options.state.withLock { $0.sampling[parameter] = nil } }
                guard let number = Double(text), number.isFinite else {
                    throw wrong(parameter.key, text, parameter.expectation)
                }
                do {
                    _ = try ([parameter: number] as SamplingValues).validated()
                } catch {
                    throw wrong(parameter.key, text, parameter.expectation)
                }
                state.options.state.withLock { $0.sampling[parameter] = number }
            })
    }

    static let seed = ChatSetting(
        name: "seed", otherName: "rngSeed", help: "a whole number: the same seed gives the same answer",
        value: { $0.options.rngSeed.map { "\($0)" } }, standard: { _ in "random" },
        set: { state, text in
            state.options.rngSeed = try text.map { text in
                guard let number = Int64(text) else { throw wrong("seed", text, "a whole number") }
                return number
            }
        })

    static let maxTokens = ChatSetting(
        name: "max_tokens", otherName: "maxTokens", help: "a whole number, 1 or more: tokens of an answer",
        value: { $0.options.maxTokens.map { "\($0)" } }, standard: { _ in "no limit" },
        set: { state, text in
            state.options.maxTokens = try text.map { text in
                guard let number = Int32(text), number > 0 else {
                    throw wrong("max_tokens", text, "a whole number, 1 or more")
                }
                return number
            }
        })

    static let thinkingBudget = ChatSetting(
        name: "thinking_budget", otherName: "thinkingBudget",
        help: "a whole number, 0 or more: tokens that the model may think",
        value: { $0.options.thinkingBudget.map { "\($0)" } }, standard: { _ in "no limit" },
        set: { state, text in
            state.options.thinkingBudget = try text.map { text in
                guard let number = Int(text), number >= 0 else {
                    throw wrong("thinking_budget", text, "a whole number, 0 or more")
                }
                return number
            }
        })

    static let markdown = ChatSetting(
        name: "markdown", help: "on or off: format Markdown on a terminal",
        value: { $0.showsMarkdown ? "on" : "off" },
        set: { state, text in state.showsMarkdown = try isOn("markdown", text ?? "on") })

    static let overflow = ChatSetting(
        name: "overflow", help: "trim or fail: what happens when the context is full",
        value: { OverflowArgument($0.options.contextOverflowPolicy).rawValue },
        set: { state, text in
            guard let policy = OverflowArgument(rawValue: text ?? "trim") else {
                throw wrong("overflow", text ?? "", "trim or fail")
            }
            state.options.contextOverflowPolicy = policy.policy
        })

    static let stats = ChatSetting(
        name: "stats", help: "on or off: show tokens and speed after each answer",
        value: { $0.showsStats ? "on" : "off" },
        set: { state, text in state.showsStats = try isOn("stats", text ?? "off") })

    private static func isOn(_ name: String, _ text: String) throws -> Bool {
        switch text {
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default: throw wrong(name, text, "on or off")
        }
    }

    private static func wrong(_ name: String, _ text: String, _ expected: String) -> CommandError {
        CommandError("\(name) cannot be \(text): it has to be \(expected)")
    }
}
