/// A state that a widget shows.
public enum VoiceWidgetState: String, Equatable, Sendable, CaseIterable {
    /// The assistant is inactive.
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
    /// The assistant is ready for speech.
    case ready
    /// The person speaks.
    case listening
    /// The model answers.
    case responding
    /// An error occurred; ``VoiceAssistantState/problem`` has it.
    case error
}

/// A snapshot of the assistant.
public struct VoiceAssistantState: Equatable, Sendable {
    /// The state that the widget shows.
    public internal(set) var widgetState: VoiceWidgetState = .idle
    /// The status line to show to the person.
    public internal(set) var statusText: String
    /// The kind of the status text.
    public internal(set) var statusType: VoiceStatusType = .loading
    /// The statistics of the latest reply, such as "42 tokens, 31.2 a second"; empty before the first one.
    public internal(set) var statsText = ""
    /// The text of the latest reply so far.
    public internal(set) var caption = ""
    /// The text of what the person says, or said last, so far; empty if the model does not transcribe live.
    public internal(set) var heard = ""
    /// The number of replies that have started.
    public internal(set) var replyCount = 0
    /// The smoothed loudness of the person or the model, in 0...1.
    public internal(set) var amplitude: Float = 0
    /// The fraction of the model that is loaded, in 0...1; nil if unknown.
    public internal(set) var modelProgress: Double?
    /// A Boolean value that indicates whether hands-free mode is on.
    public internal(set) var isHandsFree = false
    /// The latest problem; nil once the next activity starts.
    public internal(set) var problem: VoiceProblem?
}

/// A person's request to the assistant.
public enum VoiceAssistantIntent: Equatable, Sendable {
    /// The single button: starts listening, sends what was said, or ends a reply.
    ///
    /// With `interruptToSpeak`, ending a reply also starts listening.
    case toggle
    /// The button is pressed: starts listening.
    case startListening
    /// The button is released: sends what was said.
    case stopListening
    /// Ends the current activity and discards what was said.
    case cancel
    /// Turns hands-free mode, in which the voice starts and ends utterances, on or off.
    ///
    /// It can be turned on while the assistant is inactive.
    case setHandsFree(Bool)
    /// Ends the current activity and clears the conversation.
    case reset
}
