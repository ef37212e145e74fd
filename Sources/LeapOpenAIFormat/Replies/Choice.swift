package import LeapJSON

extension OpenAI {
    /// One of the replies to a request, or a piece of one.
    package struct Choice: Sendable, Hashable {
        /// The position among the replies to the request, from 0.
        package var index: Int
        /// The whole message, or what a chunk adds to it.
        package var message: Message
        /// True if ``message`` is what a chunk adds.
        package var isDelta: Bool
        /// The log probabilities of the tokens; null where they were not asked for.
        package var logprobs: JSONValue
        /// The reason why the reply ended, as it is written; nil before its end.
        package var finishReason: String?

        package init(
            index: Int, message: Message, isDelta: Bool, logprobs: JSONValue = .null, finishReason: FinishReason? = nil
        ) {
            self.index = index
            self.message = message
            self.isDelta = isDelta
            self.logprobs = logprobs
            self.finishReason = finishReason?.rawValue
        }

        /// Reads an entry of `choices`; nil where it is no object.
        package init?(_ json: JSONValue) {
            guard let object = json.object else { return nil }
            index = object[Key.index]?.integer ?? 0
            isDelta = object[Key.delta] != nil
            message = Message((object[Key.delta] ?? object[Key.message])?.object ?? [:])
            logprobs = object[Key.logprobs] ?? .null
            finishReason = object[Key.finishReason]?.string
        }

        /// The choice as JSON.
        package var json: JSONValue {
            .object([
                Key.index: .integer(Int64(index)), isDelta ? Key.delta : Key.message: .object(message.object),
                Key.logprobs: logprobs, Key.finishReason: finishReason.map { .string($0) } ?? .null,
            ])
        }
    }
}
