package import LeapJSON

extension OpenAI {
    /// The class of an error.
    package enum ErrorType: String, Sendable, Hashable, CaseIterable {
        case invalidRequest = "invalid_request_error"
        case authentication = "authentication_error"
        case permission = "permission_error"
        case rateLimit = "rate_limit_error"
        case server = "server_error"
        /// All of a server's slots are in use; no value of OpenAI's but of llama.cpp's server.
        case unavailable = "unavailable_error"
    }

    /// The codes of errors that programs compare.
    package enum ErrorCode {
        package static let contextLengthExceeded = "context_length_exceeded"
        /// The code that llama.cpp's server has for ``contextLengthExceeded``, as the type of the error.
        package static let contextSizeExceeded = "exceed_context_size_error"
        package static let insufficientQuota = "insufficient_quota"
    }

    /// The body of an answer that is an error: `{"error": {"message", "type", "param", "code"}}`.
    package struct ErrorBody: Sendable, Hashable {
        package var message: String?
        package var type: String?
        /// The field at fault.
        package var parameter: String?
        package var code: String?

        package init(message: String, type: ErrorType, parameter: String?, code: String?) {
            self.message = message
            self.type = type.rawValue
            self.parameter = parameter
            self.code = code
        }

        /// Reads an error in OpenAI's shape, or in one of those that other endpoints have: the members without `error`
        /// around them, a text instead of an object, a number as the code, `detail`.
        package init(_ json: JSONValue?) {
            let object = json?.object
            let error = object?[Key.error]?.object ?? object
            message =
                error?[Key.message]?.string ?? object?[Key.error]?.string ?? object?[Key.detail]?.string
                ?? error?[Key.detail]?.string
            type = error?[Key.type]?.string
            parameter = error?[Key.parameter]?.string
            code = error?[Key.code]?.string ?? error?[Key.code]?.integer.map { "\($0)" }
        }

        /// The error in OpenAI's shape.
        package var json: JSONValue {
            func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
            return .object([
                Key.error: .object([
                    Key.message: text(message), Key.type: text(type), Key.parameter: text(parameter),
                    Key.code: text(code),
                ])
            ])
        }
    }
}
