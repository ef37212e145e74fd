public import Foundation

/// A problem that prevents the assistant from doing what it was asked to do.
public enum VoiceProblem: Error, Equatable, Sendable, LocalizedError {
    /// The person denied permission to record.
    case permissionDenied
    /// The microphone cannot be used, with the reason.
    case microphoneUnavailable(String)
    /// The microphone was lost during a recording.
    case microphoneLost(String)
    /// The microphone did not start or end a recording within 5 seconds.
    case microphoneNotResponding
    /// The recording was empty.
    case nothingRecorded
    /// The recorder delivers no samples while it records.
    case handsFreeUnsupported
    /// The model could not answer, with the reason.
    case replyFailed(String)
    /// Audio cannot be played, with the reason.
    case playerUnavailable(String)
    /// The player did not finish a reply.
    case playbackNotEnding
    /// The model could not be loaded, with the reason.
    case modelFailed(String)

    /// The problem and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .permissionDenied: "Recording is not permitted: allow the microphone in the system's settings."
        case .microphoneUnavailable(let reason): "The microphone cannot be used: \(reason)"
        case .microphoneLost(let reason): "The recording stopped: \(reason)"
        case .microphoneNotResponding: "The microphone does not respond: connect it again, or choose another one."
        case .nothingRecorded: "Nothing was recorded: speak, then send."
        case .handsFreeUnsupported: "Hands-free mode needs a recorder that gives samples while it records."
        case .replyFailed(let reason): "The reply failed: \(reason)"
        case .playerUnavailable(let reason): "Sound cannot be played: \(reason)"
        case .playbackNotEnding: "The sound could not be played to its end: check the output device."
        case .modelFailed(let reason): "The model cannot be used: \(reason)"
        }
    }
}
