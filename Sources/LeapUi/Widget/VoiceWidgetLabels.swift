/// The texts of the widget.
public struct VoiceWidgetLabels: Equatable, Sendable {
    /// The text while a model is loading.
    public var loading: String
    /// The text while the assistant is inactive.
    public var idle: String
    /// The text while the assistant is inactive in hands-free mode.
    public var handsFree: String
    /// The text while the microphone is being opened.
    public var opening: String
    /// The text while the person speaks.
    public var listening: String
    /// The text while the model answers.
    public var responding: String
    /// The accessibility description of the button while the assistant is inactive.
    public var micStartDescription: String
    /// The accessibility description of the button while the person speaks.
    public var micStopDescription: String
    /// The accessibility description of the button while the model answers.
    public var micCancelDescription: String

    /// Creates texts; the defaults are English.
    public init(
        loading: String = "Loading the model…", idle: String = "Tap to speak", handsFree: String = "Speak",
        opening: String = "Opening the microphone…", listening: String = "Listening…",
        responding: String = "Answering…",
        micStartDescription: String = "Speak", micStopDescription: String = "Send",
        micCancelDescription: String = "Stop the answer"
    ) {
        self.loading = loading
        self.idle = idle
        self.handsFree = handsFree
        self.opening = opening
        self.listening = listening
        self.responding = responding
        self.micStartDescription = micStartDescription
        self.micStopDescription = micStopDescription
        self.micCancelDescription = micCancelDescription
    }
}
