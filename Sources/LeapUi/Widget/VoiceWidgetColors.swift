/// The colours of the widget, each as 0xRRGGBB.
public struct VoiceWidgetColors: Equatable, Sendable {
    /// The colour while the assistant is inactive.
    public var idle: UInt32
    /// The colour while the person speaks.
    public var listening: UInt32
    /// The colour while the model answers.
    public var responding: UInt32
    /// The colour after an error.
    public var error: UInt32

    /// Creates colours; the defaults are distinguishable in light and dark mode.
    public init(
        idle: UInt32 = 0x6B7280, listening: UInt32 = 0x2563EB, responding: UInt32 = 0x059669, error: UInt32 = 0xDC2626
    ) {
        self.idle = idle
        self.listening = listening
        self.responding = responding
        self.error = error
    }

    /// Returns the colour of a state.
    public func color(of state: VoiceAssistantState) -> UInt32 {
        if state.problem != nil { return error }
        return switch state.widgetState {
        case .idle: idle
        case .listening: listening
        case .responding: responding
        }
    }
}
