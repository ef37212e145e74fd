import LeapSDK

#if canImport(Darwin) && canImport(AppIntents)
    import AppIntents

    /// An action for Shortcuts, Siri and Spotlight: put it into an app, and the system finds it.
    struct AskModel: AppIntent {
        static let title: LocalizedStringResource = "Ask the Model"
        static let description: IntentDescription? = "Answers a question with the model on this device."

        @Parameter(title: "Question")
        var question: String

        func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
            let answer = try await Assistant.shared.answer(question)
            return .result(value: answer, dialog: "\(answer)")
        }
    }
#endif

/// The same from a command line, for systems without Shortcuts.
@main
struct Shortcut {
    static func main() async throws {
        let question = CommandLine.arguments.dropFirst().joined(separator: " ")
        print(try await Assistant.shared.answer(question))
    }
}
