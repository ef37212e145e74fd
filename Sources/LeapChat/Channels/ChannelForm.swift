/// A way of writing the headers and the ends of messages.
package enum ChannelForm: Sendable, Hashable, CaseIterable {
    /// `<|start|>assistant<|channel|>final<|message|>…<|end|>`, as gpt-oss writes.
    ///
    /// The channel `analysis` is reasoning, `commentary` with a recipient a call, anything else text. `<|return|>` and
    /// `<|call|>` end a turn, `<|end|>` only a message. Source: OpenAI's "harmony response format", and the package
    /// openai-harmony.
    case harmony
    /// `<|start|>assistant to=user<|message|>…<|eom|>`, as Muse Glimmer writes.
    ///
    /// What goes to `self` is reasoning, to `user` text, to anyone else a call in `<atem:function_calls>`. `<|eot|>`
    /// ends a turn, `<|eom|>` only a message. Source: the model's chat template.
    case atem

    /// The mark that ends a message, but not the turn.
    var messageEnd: String {
        switch self {
        case .harmony: "<|end|>"
        case .atem: "<|eom|>"
        }
    }

    /// The marks that a chat template of this form writes.
    var evidence: [String] {
        switch self {
        case .harmony: [ChannelFormat.Mark.channel.rawValue, ChannelFormat.Mark.message.rawValue]
        case .atem: [ChannelFormat.Mark.message.rawValue, messageEnd]
        }
    }

    /// The marks that the form needs, as tokens.
    var tokens: [String] {
        switch self {
        case .harmony: ChannelFormat.Mark.allCases.map(\.rawValue) + [messageEnd]
        case .atem: [ChannelFormat.Mark.start.rawValue, ChannelFormat.Mark.message.rawValue, messageEnd]
        }
    }

    /// The marks of messages, for those who look for tokens of them.
    package var marks: [String] {
        switch self {
        case .harmony: tokens + [ChannelFormat.constrain, ChannelFormat.call, ChannelFormat.turnEnd]
        case .atem: tokens + [ChannelFormat.recipientTurnEnd]
        }
    }

    /// Marks that end a message's text and say nothing more.
    var plainEnds: [String] {
        switch self {
        case .harmony: [messageEnd, ChannelFormat.turnEnd, ChannelFormat.call]
        case .atem: [messageEnd, ChannelFormat.recipientTurnEnd]
        }
    }

    /// Marks that end a message's text, as the next header begins with them.
    var headerStarts: [String] {
        switch self {
        case .harmony: [ChannelFormat.Mark.start.rawValue, ChannelFormat.Mark.channel.rawValue]
        case .atem: [ChannelFormat.Mark.start.rawValue]
        }
    }
}
