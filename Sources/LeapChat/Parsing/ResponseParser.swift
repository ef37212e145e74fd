/// Takes a reply apart while it is written: text, reasoning, function calls.
///
/// A pure state machine. It is fed with bytes of UTF-8 in pieces of any size, and the events it returns, put together,
/// do not depend on where the pieces were cut. What can no longer become a mark is passed on at once; what still can is
/// held back.
///
/// - Reasoning is what stands between the model's marks of it (`<think>` and `</think>` mostly) where nothing but space
///   was written before; blank lines around both are left out. An end mark without a beginning where nothing but space
///   was written before is left out too.
/// - A call is what stands between the function call parser's two marks. An end mark inside a string does not end it.
///   Where a ``CallStyle`` has no end mark, its ``CallExtent`` tells the end. What turns out to be no call becomes
///   text, without the marks, and an issue.
/// - Where replies are messages on channels, their headers say which of these each is, and no other mark counts; see
///   ``ChannelFormat``.
package struct ResponseParser: Sendable {
    /// The syntax that a reply may have.
    package struct Configuration: Sendable {
        /// The parser for function calls; nil leaves them in the text.
        package var functionCallParser: (any LeapFunctionCallParserProtocol)?
        /// The functions the model was told about.
        package var functions: [LeapFunction]
        /// True if the prompt ended inside of reasoning already.
        package var startsInReasoning: Bool
        /// True if the reply goes on behind text, so that no reasoning begins with it.
        package var continuesText: Bool
        /// True if reasoning and its marks stay in the text.
        package var inlineThinkingTags: Bool
        /// Texts that end the reply where they appear outside of reasoning and calls.
        package var stopSequences: [String]
        /// Texts that end the reply likewise, because the template ends turns with them and the model has no token for
        /// it.
        package var turnEnds: [String]
        /// True if a reply that begins as text is an answer as a whole: marks of calls in it are part of it.
        package var readsTextAsAnswer: Bool
        /// The marks around reasoning.
        package var reasoningMarks: ReasoningMarks
        /// The part of the reply's header that the prompt ends with, where replies are messages on channels; nil
        /// elsewhere.
        package var openTurn: String?
        /// The way in which the headers of these messages are written.
        package var channelForm: ChannelForm

        package init(
            functionCallParser: (any LeapFunctionCallParserProtocol)? = nil,
            functions: [LeapFunction] = [],
            startsInReasoning: Bool = false,
            continuesText: Bool = false,
            inlineThinkingTags: Bool = false,
            stopSequences: [String] = [],
            turnEnds: [String] = [],
            readsTextAsAnswer: Bool = false,
            reasoningMarks: ReasoningMarks = .think,
            openTurn: String? = nil,
            channelForm: ChannelForm = .harmony
        ) {
            self.functionCallParser = functionCallParser
            self.functions = functions
            self.startsInReasoning = startsInReasoning
            self.continuesText = continuesText
            self.inlineThinkingTags = inlineThinkingTags
            self.stopSequences = stopSequences
            self.turnEnds = turnEnds
            self.readsTextAsAnswer = readsTextAsAnswer
            self.reasoningMarks = reasoningMarks
            self.openTurn = openTurn
            self.channelForm = channelForm
        }
    }

    /// A piece of the reply.
    package enum Event: Sendable, Hashable {
        case text(String)
        case reasoning(String)
        case calls([LeapFunctionCall])
        case issue(GenerationIssue)
    }

    /// The reason for the end of the reply.
    package enum Ending: Sendable {
        /// The model said it was done.
        case natural
        /// Tokens ran out, or someone stopped it.
        case cutOff
    }

    /// The marks around reasoning in a text, whatever the model writes.
    static let thinkStart = Array(ReasoningMarks.think.start.utf8)
    static let thinkEnd = Array(ReasoningMarks.think.end.utf8)
    /// A call may have this many bytes; a longer one is text.
    static let maximumCallLength = 1 << 18

    enum Mode { case text, reasoning, call, header }
    /// The piece of the reply that ended in front of the text that is read now.
    enum Segment { case start, afterReasoning, afterCall }
    enum Mark { case callStart, bareCall, separator, thinkStart, thinkEnd, stop, messageEnd }

    let configuration: Configuration
    let style: (any CallStyle)?
    let reasoningStart: [UInt8]
    let reasoningEnd: [UInt8]
    let callStarts: [[UInt8]]
    let callEnd: [UInt8]
    let separators: [[UInt8]]
    /// True if an object may be a call without a mark before it.
    let allowsBareCalls: Bool
    let stops: [[UInt8]]
    /// Marks that end a message on a channel and say nothing more.
    let plainEnds: [[UInt8]]
    /// These, and the marks that the next header begins with.
    let messageEnds: [[UInt8]]

    var mode: Mode
    var segment = Segment.start
    /// Bytes that are not decided yet.
    var pending: [UInt8] = []
    /// Space before the first visible character of a segment.
    var leading: [UInt8] = []
    /// True if a visible character was written in this segment.
    var isVisible = false
    /// Line ends in reasoning that are kept only if more reasoning follows.
    var heldLineEnds = 0
    var hasReasoning = false
    /// True if a message with text has begun.
    var hasMessage = false
    /// True if a call may begin where nothing visible stands before it, in a message on a channel.
    var takesCall = false
    /// The recipient of a message that is to be a call, until it begins; nil elsewhere.
    var awaitedCall: String?
    /// The mark that began the call that is read now; empty for a bare one.
    var callStart: [UInt8] = []
    /// True if the object that this stretch of text begins with is known to be no call.
    var isBareCallRejected = false
    /// Finds the end of the call that is read now, where no mark does.
    var extent: (any CallExtent)?
    /// The index in `pending` from which the end of a call is looked for.
    var scanned = 0
    /// The index of the first end mark of a call that seems to stand inside of a string; nil where there was none.
    var doubtfulEnd: Int?
    var doubts = 0
    var events: [Event] = []

    /// True if a stop sequence was written; what follows is ignored.
    package internal(set) var isStopped = false
    /// The one of the configuration's stop sequences that was written; nil as long as none was.
    package internal(set) var stopSequence: String?
    /// The text so far.
    package internal(set) var text = ""
    /// The reasoning so far.
    package internal(set) var reasoning = ""
    /// The calls so far.
    package internal(set) var calls: [LeapFunctionCall] = []
    /// The issues so far.
    package internal(set) var issues: [GenerationIssue] = []
    /// Everything so far as the model wrote it, marks included.
    package internal(set) var raw: [UInt8] = []

    /// Makes a parser for one reply.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        let marks = CallMarks(configuration.functionCallParser)
        style = configuration.functionCallParser as? any CallStyle
        reasoningStart = Array(configuration.reasoningMarks.start.utf8)
        reasoningEnd = Array(configuration.reasoningMarks.end.utf8)
        callStarts = marks.starts.map { Array($0.utf8) }
        callEnd = Array(marks.end.utf8)
        separators = marks.separators.map { Array($0.utf8) }
        allowsBareCalls = marks.allowsBareObject && !configuration.functions.isEmpty
        stops = (configuration.stopSequences + configuration.turnEnds).map { Array($0.utf8) }.filter { !$0.isEmpty }
        plainEnds = configuration.channelForm.plainEnds.map { Array($0.utf8) }
        messageEnds = plainEnds + configuration.channelForm.headerStarts.map { Array($0.utf8) }
        mode = configuration.startsInReasoning ? .reasoning : .text
        if let openTurn = configuration.openTurn {
            mode = .header
            pending = Array(openTurn.utf8)
        }
    }

    /// True if the reply is made of messages on channels.
    var hasChannels: Bool { configuration.openTurn != nil }

    /// The way in which the headers of messages are written.
    var form: ChannelForm { configuration.channelForm }

    /// True if the headers of messages tell what a call is.
    var readsCallsInHeaders: Bool { hasChannels && style?.channelForm == form }

    /// Takes the next piece of the reply.
    package mutating func consume(_ bytes: some Sequence<UInt8>) -> [Event] {
        guard !isStopped else { return [] }
        let before = raw.count
        raw.append(contentsOf: bytes)
        if before == 0, raw.count > 0, configuration.startsInReasoning, configuration.inlineThinkingTags {
            // The prompt wrote the mark, but whoever reads the text needs to see it.
            emit(text: Self.thinkStart[...])
        }
        pending.append(contentsOf: raw[before...])
        while !isStopped, step() {}
        return takeEvents()
    }

    /// Says that there is no more of the reply, and returns what was still held back.
    package mutating func finish(_ ending: Ending) -> [Event] {
        guard !isStopped else { return [] }
        switch mode {
        case .text:
            write(text: pending[...], isEnd: true)
            if !leading.isEmpty, segment == .start, text.isEmpty { emit(text: leading[...]) }
            endMessage()
        case .reasoning: write(reasoning: pending[...], isEnd: true)
        case .call: finishCall(ending)
        case .header: finishHeader()
        }
        pending = []
        leading = []
        return takeEvents()
    }

    /// Moves on by one mark; false where more bytes are needed.
    mutating func step() -> Bool {
        switch mode {
        case .text: stepText()
        case .reasoning: stepReasoning()
        case .call: stepCall()
        case .header: stepHeader()
        }
    }

    private mutating func takeEvents() -> [Event] {
        var merged: [Event] = []
        for event in events {
            switch (merged.last, event) {
            case (.text(let a)?, .text(let b)): merged[merged.count - 1] = .text(a + b)
            case (.reasoning(let a)?, .reasoning(let b)): merged[merged.count - 1] = .reasoning(a + b)
            default: merged.append(event)
            }
        }
        events = []
        return merged
    }
}
