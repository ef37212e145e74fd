/// The texts of `ConversationView`, in the language of the app.
public struct ConversationLabels: Equatable, Sendable {
    /// The text in the empty field.
    public var message: String
    /// The button that sends the message.
    public var send: String
    /// The button that stops the reply.
    public var stop: String
    /// The button that ends the reasoning of the reply.
    public var answerNow: String
    /// The button that answers the last message again.
    public var retry: String
    /// The button that puts the last message back into the field.
    public var edit: String
    /// The button that copies a row.
    public var copy: String
    /// The remedy that leaves out the oldest turns.
    public var leaveOutOldTurns: String
    /// The button that begins a new conversation.
    public var startOver: String
    /// The remedy that shows the choice of models.
    public var chooseModel: String
    /// The head of the reasoning while it is written.
    public var thinking: String
    /// The head of the reasoning when it is complete.
    public var thoughts: String
    /// The description of a picture.
    public var picture: String
    /// The button that removes a picture from the message.
    public var removePicture: String
    /// The description of a call that waits.
    public var callWaits: String
    /// The description of a call that runs.
    public var callRuns: String
    /// The description of a call with a result.
    public var callAnswered: String
    /// The description of a call that failed.
    public var callFailed: String
    /// The accessibility description of a message of the person.
    public var fromPerson: String
    /// The accessibility description of an answer.
    public var fromModel: String
    /// The description of a Boolean value that is true.
    public var yes: String
    /// The description of a Boolean value that is false.
    public var no: String
    /// The line that says that the oldest messages were left out; `%d` stands for their number.
    public var leftOut: String

    /// Creates texts; the defaults are English.
    public init(
        message: String = "Message", send: String = "Send", stop: String = "Stop", answerNow: String = "Answer now",
        retry: String = "Try again", edit: String = "Edit the message", copy: String = "Copy",
        leaveOutOldTurns: String = "Leave out the oldest messages", startOver: String = "New conversation",
        chooseModel: String = "Choose a model", thinking: String = "Thinking…", thoughts: String = "Thoughts",
        picture: String = "Picture", removePicture: String = "Remove the picture", callWaits: String = "waits",
        callRuns: String = "runs", callAnswered: String = "done", callFailed: String = "failed",
        fromPerson: String = "You", fromModel: String = "Answer", yes: String = "Yes", no: String = "No",
        leftOut: String = "Messages that no longer fit and were left out: %d"
    ) {
        self.message = message
        self.send = send
        self.stop = stop
        self.answerNow = answerNow
        self.retry = retry
        self.edit = edit
        self.copy = copy
        self.leaveOutOldTurns = leaveOutOldTurns
        self.startOver = startOver
        self.chooseModel = chooseModel
        self.thinking = thinking
        self.thoughts = thoughts
        self.picture = picture
        self.removePicture = removePicture
        self.callWaits = callWaits
        self.callRuns = callRuns
        self.callAnswered = callAnswered
        self.callFailed = callFailed
        self.fromPerson = fromPerson
        self.fromModel = fromModel
        self.yes = yes
        self.no = no
        self.leftOut = leftOut
    }

    /// Returns the button of a remedy.
    public func button(of remedy: ConversationProblem.Remedy) -> String {
        switch remedy {
        case .retry: retry
        case .edit: edit
        case .leaveOutOldTurns: leaveOutOldTurns
        case .startOver: startOver
        case .chooseModel: chooseModel
        }
    }

    /// Returns the description of a call's state.
    public func description(of state: ConversationCall.State) -> String {
        switch state {
        case .waiting: callWaits
        case .running: callRuns
        case .answered: callAnswered
        case .failed: callFailed
        }
    }

    /// Returns the line about messages that were left out; nil for none.
    public func leftOut(_ count: Int) -> String? {
        count > 0 ? leftOut.replacing("%d", with: String(count)) : nil
    }
}
