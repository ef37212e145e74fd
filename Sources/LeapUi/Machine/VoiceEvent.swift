/// An event that the assistant acts upon.
package enum VoiceEvent: Equatable, Sendable {
    // The app.
    case modelLoading
    case modelFailed(String)
    case modelReady
    case close

    // The person.
    case toggle
    case listen
    case send
    case cancel
    case reset
    case handsFree(Bool)

    // What the microphone hears without a key.
    case speechLikely(Bool)
    case speechStarted

    // What comes of effects, with the turn that they belong to.
    case opened(Int)
    case refused(Int, VoiceProblem)
    case recorded(Int, isEmpty: Bool)
    case lost(VoiceProblem)
    case replied(Int, hasAudio: Bool)
    case replyFailed(Int, VoiceProblem)
    case played(Int)
    case expired(Int)

    /// The turn that it belongs to, if to one only.
    var turn: Int? {
        switch self {
        case .opened(let turn), .refused(let turn, _), .recorded(let turn, _), .replied(let turn, _),
            .replyFailed(let turn, _), .played(let turn), .expired(let turn):
            turn
        default: nil
        }
    }
}

/// An action that the machine has others carry out.
package enum VoiceEffect: Equatable, Sendable {
    case openMicrophone(Int, streaming: Bool)
    /// Ends the recording and gives it.
    case takeRecording(Int)
    /// Ends the utterance that is being heard and gives it.
    case takeUtterance(Int)
    /// Forgets the utterance that is being heard.
    case dropUtterance
    case closeMicrophone
    case reply(Int)
    case cancelReply
    case awaitPlayback(Int)
    case silence
    case duck(Bool)
    case resetConversation
    case time(Deadline, Int)
    case stopTimer

    /// An event that is waited for, for a limited time.
    package enum Deadline: Equatable, Sendable { case microphone, playback }
}
