import Foundation
import LeapJSON

/// A value while a model generates it, or the complete value.
public enum GeneratedValue<Value> {
    /// The value so far; each piece has more than the one before.
    case partial(PartialValue)
    /// The complete value; the last element.
    case complete(Value)
}

extension GeneratedValue: Sendable where Value: Sendable {}

/// The beginning of a value while a model generates it.
///
/// Strings grow; numbers and enumeration cases appear once they are complete.
public struct PartialValue: Sendable, Hashable {
    /// The value so far, as valid JSON text.
    public let json: String

    /// Decodes the value so far into a type whose properties can be missing; nil if it does not decode yet.
    public func decoded<T: Decodable>(as type: T.Type) -> T? {
        try? GeneratedJSON.decode(type, from: json)
    }

    /// The member of the value so far with this name; nil if it is not there yet.
    ///
    /// It is a `String`, `Int`, `Double`, `Bool`, `[Any]`, `[String: Any]` or `NSNull`.
    public subscript(_ name: String) -> Any? {
        (try? JSONParser.parse(json))?[name]?.foundationObject
    }
}

/// A sequence of growing pieces of a value; the last element is the complete value.
///
/// If the task that iterates is cancelled, the model stops within one token, and the loop ends with
/// `CancellationError`.
public struct GeneratedValues<Value: Decodable>: AsyncSequence {
    /// A piece of the value, or the complete value.
    public typealias Element = GeneratedValue<Value>

    let responses: ThrowingReply

    /// Reads the values of a reply.
    package init(responses: ThrowingReply) { self.responses = responses }

    /// Creates an iterator.
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
                throw LeapGenerationException("the generation was stopped before the value was complete")
            case .constraint, .error:
                throw LeapGenerationException("the generation ended before the value was complete")
            }
        }
    }
}
