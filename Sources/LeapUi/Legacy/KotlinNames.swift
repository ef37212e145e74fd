import LeapChat

// Names that the Kotlin-based LeapUi gives to plain values, as its demo apps write them: `LeapUi.KotlinFloatArray` and
// so on.

/// Samples, as a Swift array.
public typealias KotlinFloatArray = [Float]

/// The statistics of a reply.
public typealias Leap_sdkGenerationStats = GenerationStats

/// A number that is passed to a callback.
public struct KotlinInt: Sendable, Hashable {
    /// The number.
    public let int32Value: Int32

    /// Wraps a number.
    public init(value: Int32) { int32Value = value }

    /// Wraps a number; a value outside of 32 bits is clamped.
    public init(value: Int) { int32Value = Int32(clamping: value) }

    /// The number as an `Int`.
    public var intValue: Int { Int(int32Value) }
}

extension VoiceStatusType {
    /// The name of the status in the LEAP SDK, which has three: `LOADING`, `READY` and `ERROR`.
    public var name: String {
        switch self {
        case .loading: "LOADING"
        case .ready, .listening, .responding: "READY"
        case .error: "ERROR"
        }
    }
}

extension VoiceWidgetColors {
    /// The type that holds the LEAP SDK's default colors.
    public struct Companion: Sendable {
        /// The default colors.
        public let Default = VoiceWidgetColors()
    }

    /// The default colors, where the LEAP SDK has them.
    public static let companion = Companion()
}

/// Optional statistics: the form of ``VoiceAssistantState/statsText`` in the LEAP SDK.
public protocol OptionalStatsText {
    /// The statistics; empty before the first reply.
    var figures: String { get }
}

extension OptionalStatsText {
    /// The statistics as an optional; nil before the first reply.
    public var statsText: String? { figures.isEmpty ? nil : figures }
}

extension VoiceAssistantState: OptionalStatsText {
    /// The statistics of the latest reply; empty before the first one.
    public var figures: String {
        let text: String = statsText
        return text
    }
}

/// The current and future states of a widget, where the LEAP SDK has them.
public final class VoiceAssistantStateHolder: Sendable {
    /// The states.
    public let state: VoiceStateSequence

    init(_ state: VoiceStateSequence) { self.state = state }

    /// The current state.
    public var value: VoiceAssistantState { state.value }
}

extension VoiceAssistantStore {
    /// The states of the assistant, for the widget of the LEAP SDK.
    public var widgetStateHolder: VoiceAssistantStateHolder { VoiceAssistantStateHolder(state) }

    /// Tells the assistant that a model is loading; ends the current activity.
    ///
    /// - Parameters:
    ///   - fraction: the loaded fraction, in 0...1.
    ///   - message: the status text.
    @_disfavoredOverload
    public func setModelProgress(fraction: Float, message: String) {
        setModelProgress(fraction: Double(fraction), message: message)
    }
}
