@testable import LeapServing

// Requests as they are sent.

extension RequestFields {
    init(_ bytes: [UInt8]) throws(APIError) { try self.init(RequestBody(bytes)) }
}

extension ChatRequest {
    init(_ bytes: [UInt8]) throws { try self.init(RequestBody(bytes)) }
}

extension MessagesRequest {
    init(_ bytes: [UInt8]) throws { try self.init(RequestBody(bytes)) }
}

extension AudioSpeechRequest {
    init(_ bytes: [UInt8]) throws { try self.init(RequestBody(bytes)) }
}
