#if LEAPErrorsInBand
    import Foundation
#endif

/// A piece of a reply while it is generated.
///
/// Switch over it directly, or over ``onEnum(of:)-(MessageResponse)`` as version 0.10 of the LEAP SDK does.
public enum MessageResponse: Sendable {
    /// The next characters of the answer.
    case chunk(String)
    /// The next characters of what the model thinks before it answers.
    case reasoningChunk(String)
    /// The next samples of speech, one channel, values in -1...1. Text models send none.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Calls that the model asks for.
    case functionCall([LeapFunctionCall])
    /// The end; the reply is in the conversation's history by now.
    case complete(MessageCompletion)
    #if LEAPErrorsInBand
        /// The error that ended the reply; the last element, after which nothing of the reply is in the history.
        case error(Error)
    #endif
}

#if LEAPErrorsInBand
    extension MessageResponse {
        /// An error that ended a reply early.
        public struct Error: Sendable {
            /// A description, in one line, of the problem and of what to do about it.
            public let message: String
            /// The error itself; a ``LeapException`` where it is one of this package.
            public let throwable: any Swift.Error

            /// Makes a value from an error.
            public init(_ error: any Swift.Error) {
                throwable = error
                message = error.sentence
            }
        }
    }
#endif
