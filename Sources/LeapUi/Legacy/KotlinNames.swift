import LeapCore

// Names that the Kotlin-based LeapUi gives to plain values, as its demo apps write them: `LeapUi.KotlinFloatArray` and
// so on.

/// Samples: an array, as everywhere.
public typealias KotlinFloatArray = [Float]

/// The figures of a reply.
public typealias Leap_sdkGenerationStats = GenerationStats

/// A number that goes to a callback.
public struct KotlinInt: Sendable, Hashable {
    /// The number.
    public let int32Value: Int32

    /// Wraps a number.
    public init(value: Int32) { int32Value = value }

    /// Wraps a number; one that is beyond 32 bits becomes the nearest that is not.
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
    /// The type in which the LEAP SDK has the colors that are used unless others are given.
    public struct Companion: Sendable {
        /// The colors that are used unless others are given.
        public let Default = VoiceWidgetColors()
    }

    /// The colors that are used unless others are given, in the place where the LEAP SDK has them.
    public static let companion = Companion()
}

/// Figures that are there or not: what ``VoiceAssistantState/statsText`` is in the LEAP SDK.
public protocol OptionalStatsText {
    /// The figures; empty before the first reply.
    var figures: String { get }
}

extension OptionalStatsText {
    /// The figures, or nil before the first reply, where an optional is asked for.
    public var statsText: String? { figures.isEmpty ? nil : figures }
}

extension VoiceAssistantState: OptionalStatsText {
    /// The figures of the latest reply; empty before the first one.
    public var figures: String {
        let text: String = statsText
        return text
    }
}

/// The states of a widget, now and from now on, in the place where the LEAP SDK has them.
public final class VoiceAssistantStateHolder: Sendable {
    /// The states.
    public let state: VoiceStateSequence

    init(_ state: VoiceStateSequence) { self.state = state }

    /// The present state.
    public var value: VoiceAssistantState { state.value }
}

extension VoiceAssistantStore {
    /// The states of the assistant, for the widget of the LEAP SDK.
    public var widgetStateHolder: VoiceAssistantStateHolder { VoiceAssistantStateHolder(state) }

    /// Tells the assistant that a model is being loaded; what goes on ends.
    ///
    /// - Parameters:
    ///   - fraction: how much of it is there, in 0...1.
    ///   - message: the status text.
    @_disfavoredOverload
    public func setModelProgress(fraction: Float, message: String) {
        setModelProgress(fraction: Double(fraction), message: message)
    }
}
