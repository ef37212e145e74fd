import Foundation
import LeapJSON

/// A value while a model writes it, and when it is there.
public enum GeneratedValue<Value> {
    /// The value so far; every piece has more than the one before.
    case partial(PartialValue)
    /// The whole value; the last element.
    case complete(Value)
}

extension GeneratedValue: Sendable where Value: Sendable {}

/// The beginning of a value while a model writes it.
///
/// Strings grow; numbers and words appear once they are whole.
public struct PartialValue: Sendable, Hashable {
    /// The value so far, as JSON text that parses.
    public let json: String

    /// Decodes the value so far into a type whose properties may be missing; nil where it does not fit yet.
    public func decoded<T: Decodable>(as type: T.Type) -> T? {
        try? GeneratedJSON.decode(type, from: json)
    }

    /// A member of the value so far, as `String`, `Int`, `Double`, `Bool`, `[Any]`, `[String: Any]` or `NSNull`; nil
    /// where it is not there yet.
    public subscript(_ name: String) -> Any? {
        (try? JSONParser.parse(json))?[name]?.foundationObject
    }
}

/// A value in growing pieces, the whole one last.
///
/// Iterating takes part in the task's cancellation: the model stops within one token, and the loop ends with
/// `CancellationError`.
public struct GeneratedValues<Value: Decodable>: AsyncSequence {
    /// A piece of the value, or the whole.
    public typealias Element = GeneratedValue<Value>

    let responses: ThrowingReply

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(responses: responses.makeAsyncIterator()) }

    /// The pieces in order.
    public struct Iterator: AsyncIteratorProtocol {
        var responses: ThrowingReply.AsyncIterator
        private var text = ""
        private var last: String?
        private var isOver = false

        init(responses: ThrowingReply.AsyncIterator) { self.responses = responses }

        /// The next piece; nil after the whole value.
        ///
        /// - Throws: What ``Conversation/generate(_:message:generationOptions:)`` throws.
        #if compiler(>=6.2)
            // As without the mark, unless NonisolatedNonsendingByDefault is on: the iterator within has no isolation
            // parameter on iOS 17.
            @concurrent
        #endif
        public mutating func next() async throws -> GeneratedValue<Value>? {
            while !isOver {
                guard let response = try await responses.next() else {
                    isOver = true
                    try Task.checkCancellation()
                    throw LeapGenerationException(
                        "no reply was generated: another generation of this conversation is running")
                }
                switch response {
                case .chunk(let chunk):
                    text += chunk
                    guard let json = PartialJSON.closed(text), json != last else { continue }
                    last = json
                    return .partial(PartialValue(json: json))
                case .complete(let completion):
                    isOver = true
                    return .complete(try Self.value(of: completion))
                case .reasoningChunk, .functionCall, .audioSample: continue
                }
            }
            return nil
        }

        private static func value(of completion: MessageCompletion) throws -> Value {
            switch completion.finishReason {
            case .stop, .exceedContext: return try GeneratedJSON.decode(Value.self, from: completion.message.text)
            case .interrupted:
                try Task.checkCancellation()
                throw LeapGenerationException("the generation was stopped before the value was whole")
            case .constraint, .error:
                throw LeapGenerationException("the generation ended before the value was whole")
            }
        }
    }
}
