/// A state that a widget shows.
public enum VoiceWidgetState: String, Equatable, Sendable, CaseIterable {
    /// Nothing goes on.
    case idle
    /// The person speaks.
    case listening
    /// The model answers.
    case responding
}

/// The kind of a widget's status text.
public enum VoiceStatusType: String, Equatable, Sendable, CaseIterable {
    /// There is no model yet.
    case loading
    /// The assistant can be spoken to.
    case ready
    /// The person speaks.
    case listening
    /// The model answers.
    case responding
    /// Something went wrong: ``VoiceAssistantState/problem`` has it.
    case error
}

/// The assistant at a moment.
public struct VoiceAssistantState: Equatable, Sendable {
    /// The state that the widget shows.
    public internal(set) var widgetState: VoiceWidgetState = .idle
    /// A line for the person.
    public internal(set) var statusText: String
    /// The kind of the status text.
    public internal(set) var statusType: VoiceStatusType = .loading
    /// Figures of the latest reply, such as "42 tokens, 31.2 a second"; empty before the first one.
    public internal(set) var statsText = ""
    /// The text of the latest reply, as far as it has come.
    public internal(set) var caption = ""
    /// The number of replies that began.
    public internal(set) var replyCount = 0
    /// The loudness of the person or the model, smoothed, in 0...1.
    public internal(set) var amplitude: Float = 0
    /// The part of the model that is loaded, in 0...1; nil while that is not known.
    public internal(set) var modelProgress: Double?
    /// A Boolean value that tells whether speaking needs no key.
    public internal(set) var isHandsFree = false
    /// The last problem; nil once the next thing begins.
    public internal(set) var problem: VoiceProblem?
}

/// A request of a person to the assistant.
public enum VoiceAssistantIntent: Equatable, Sendable {
    /// The one button: begins to listen, sends what was said, or ends a reply (and listens, with `interruptToSpeak`).
    case toggle
    /// The button is pressed: begins to listen.
    case startListening
    /// The button is let go: sends what was said.
    case stopListening
    /// Ends whatever goes on; what was said is forgotten.
    case cancel
    /// Begins and ends utterances by voice. Can be turned on while nothing goes on.
    case setHandsFree(Bool)
    /// Ends whatever goes on and forgets the conversation.
    case reset
}
