import LeapChat
package import LeapJSON
package import LeapOpenAIFormat
import LeapTransfers

/// The error of a request, in OpenAI's format.
package struct APIError: Error, Hashable, CustomStringConvertible {
    package var status: Int
    /// The class of the error.
    package var type: OpenAI.ErrorType
    package var message: String
    /// The field at fault.
    package var parameter: String?
    /// A name that programs compare.
    package var code: String?
    /// Seconds after which another attempt may succeed.
    package var retryAfter: Int?
    /// The numbers of a prompt that does not fit; nil for other errors.
    var overflow: ContextOverflow?
    /// The details for Anthropic's clients; nil for none.
    var details: JSONObject?

    package init(
        status: Int, type: OpenAI.ErrorType, message: String, parameter: String? = nil, code: String? = nil,
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.type = type
        self.message = ServerWords.translated(message)
        self.parameter = parameter
        self.code = code
        self.retryAfter = retryAfter
    }

    /// Returns the error of a request with a field that is wrong.
    package static func invalid(_ message: String, _ parameter: String? = nil, code: String? = nil) -> APIError {
        APIError(status: 400, type: .invalidRequest, message: message, parameter: parameter, code: code)
    }

    /// Returns the error of a path, a model or another object that does not exist.
    package static func notFound(_ message: String, code: String? = nil) -> APIError {
        refused(404, message, code: code)
    }

    /// Returns the error of a request that is refused, with the status that says why.
    package static func refused(_ status: Int, _ message: String, code: String? = nil) -> APIError {
        APIError(status: status, type: .invalidRequest, message: message, code: code)
    }

    /// Returns the error of a request that the server failed to answer.
    package static func failed(_ status: Int, _ message: String, code: String? = nil) -> APIError {
        APIError(status: status, type: .server, message: message, code: code)
    }

    /// Returns the error of a request that there is no room for.
    package static func busy(_ message: String, code: String = "overloaded", retryAfter: Int = 1) -> APIError {
        APIError(status: 429, type: .rateLimit, message: message, code: code, retryAfter: retryAfter)
    }

    /// Makes the answer to a request that failed with an error of the layers below.
    package init(_ error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as LeapGenerationPromptExceedContextLengthException:
            self.init(error, parameter: OpenAI.Key.messages)
        case let error as LeapGeneratableSchematizationException:
            let field = error.cause is FunctionRefusal ? OpenAI.Key.tools : OpenAI.Key.responseFormat
            self = .invalid(error.message, field, code: "invalid_schema")
        case let error as LeapGenerationTokenBudgetException: self.init(error)
        // Both pass when other generations end.
        case let error as LeapGenerationQueueFullException: self = .busy(error.message)
        case let error as LeapGenerationMemoryException: self = .busy(error.message, code: "out_of_memory")
        case let error as DownloadError: self.init(error)
        case let error as LeapSerializationException: self = .invalid(error.message)
        case let error as LeapModelLoadingException:
            self = .failed(503, error.message, code: "model_not_loadable")
        case let error as LeapDecisionException where error.isOfRequest: self = .invalid(error.message, error.field)
        case let error as LeapGenerationException where error.isOfRequest: self = .invalid(error.message)
        // The client is gone, so nobody reads it; in the figures it is no fault of the server's.
        case is CancellationError:
            self = .refused(499, "the client closed the connection", code: "client_closed_request")
        default: self = .failed(500, "\(error)")
        }
    }

    /// Makes the answer to a request whose prompt does not fit into the context.
    ///
    /// - Parameter parameter: the field with the prompt.
    init(_ error: LeapGenerationPromptExceedContextLengthException, parameter: String) {
        var overflow = ContextOverflow(neededTokens: error.neededTokens, availableTokens: error.availableTokens)
        // What was found stands in front of the advice, which is for apps.
        if !error.message.hasPrefix("the prompt needs") {
            overflow.part = error.message.split(separator: ": ").first.map(String.init)
        }
        self = .invalid(overflow.message(in: .openAI), parameter, code: OpenAI.ErrorCode.contextLengthExceeded)
        self.overflow = overflow
    }

    /// Makes the answer to a request whose shortest answer does not fit.
    private init(_ error: LeapGenerationTokenBudgetException) {
        let remedy =
            switch error.limit {
            case .maxTokens(let most): "'max_tokens' is \(most): raise it"
            case .contextSize(let size): "the context holds \(size) and the prompt takes the rest: shorten the prompt"
            }
        self = .invalid(
            "the shortest answer in the form that is asked for needs \(error.neededTokens) tokens but only \(error.availableTokens) are left; \(remedy)",
            OpenAI.Key.maxTokens)
    }

    /// The message.
    package var description: String { message }

    /// The code of a body whose content coding is not read.
    static let contentEncoding = "unsupported_content_encoding"

    /// The error as a document.
    package var json: JSONValue {
        OpenAI.ErrorBody(message: message, type: type, parameter: parameter, code: code).json
    }

    /// The error as a reply in OpenAI's shape.
    package var reply: ServerReply { answer(json) }

    /// The error as the reply to a request, in the shape of the protocol that its path belongs to.
    package func reply(at path: String) -> ServerReply { answer(ErrorShape(path: path).document(of: self)) }

    private func answer(_ document: JSONValue) -> ServerReply {
        var reply = ServerReply.json(document, status: status)
        if let retryAfter { reply.headers.append(("retry-after", "\(retryAfter)")) }
        if status == 401 { reply.headers.append(("www-authenticate", #"Bearer realm="open-leap""#)) }
        if code == Self.contentEncoding { reply.headers.append(("accept-encoding", "identity")) }
        return reply
    }
}
