public import Foundation

/// A problem that keeps the assistant from doing what it was asked to.
public enum VoiceProblem: Error, Equatable, Sendable, LocalizedError {
    /// The person does not permit recordings.
    case permissionDenied
    /// The microphone cannot be used, and why.
    case microphoneUnavailable(String)
    /// The microphone went away during a recording.
    case microphoneLost(String)
    /// The microphone neither began nor ended a recording within 5 seconds.
    case microphoneNotResponding
    /// The recording was empty.
    case nothingRecorded
    /// The recorder gives no samples while it records.
    case handsFreeUnsupported
    /// The model could not answer, and why.
    case replyFailed(String)
    /// Sound cannot be played, and why.
    case playerUnavailable(String)
    /// The player did not come to the end of a reply.
    case playbackNotEnding
    /// The model could not be loaded, and why.
    case modelFailed(String)

    /// A description of the problem and of what to do about it.
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
