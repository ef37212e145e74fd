import Foundation
import LeapHTTP
import LeapJSON
import LeapOpenAIFormat

/// An error as an endpoint reports it, and the error of the client that it becomes.
struct EndpointError {
    private let body: OpenAI.ErrorBody

    init(_ value: JSONValue?) { body = OpenAI.ErrorBody(value) }

    /// Reads the body of an answer that is an error.
    init(body: [UInt8]) { self.init(try? JSONParser.parse(body)) }

    private var said: String { body.message.map { ": \($0)" } ?? "" }

    private var code: String? { body.code ?? body.type }

    private var isContextLength: Bool {
        // The second is a type, beside a code that repeats the status.
        code == OpenAI.ErrorCode.contextLengthExceeded || body.type == OpenAI.ErrorCode.contextSizeExceeded
            || code == OpenAI.ErrorCode.contextSizeExceeded
    }

    /// The error as an event in the middle of a reply.
    var midway: OpenAiClientError {
        OpenAiClientError(
            isContextLength ? .contextLengthExceeded : .endpointFailed, "the endpoint reports an error\(said)",
            endpointCode: code)
    }

    /// The error as an answer of its own.
    func answer(_ head: HTTPHead) -> OpenAiClientError {
        let (kind, advice): (OpenAiClientError.Code, String) =
            switch head.status {
            case 300..<400:
                (
                    .redirected,
                    "it redirects; the client does not follow, because the key would go along: set baseUrl to the endpoint's address"
                )
            case 401, 403: (.accessDenied, "check apiKey, and that it may use this model")
            case 404, 405, 410: (.notFound, "check the model's name, baseUrl and chatCompletionsPath")
            case 429: (.rateLimited, "wait, or send fewer requests at a time")
            case 408, 500...: (.unavailable, "try again later")
            default:
                isContextLength
                    ? (.contextLengthExceeded, "shorten the chat, or use a model with a larger context")
                    : (.invalidRequest, "change the request")
            }
        return OpenAiClientError(
            kind, "the endpoint answered with status \(head.status)\(said); \(advice)", status: head.status,
            retryAfter: RetryAfter.seconds(head), endpointCode: code)
    }
}
