package import LeapJSON
import LeapOpenAIFormat

/// Writes server-sent events, each with JSON as its data.
package struct EventWriter: Sendable {
    let send: ServerReply.Send

    /// Sends an event; `name` is left out where the protocol has none.
    package func event(_ data: JSONValue, name: String? = nil) async throws {
        var bytes: [UInt8] = []
        if let name { bytes += Array("event: \(name)\n".utf8) }
        bytes += Array("data: ".utf8)
        // JSON has no line breaks outside of strings, and escapes them inside.
        bytes += JSONWriter.bytes(data)
        bytes += [0x0a, 0x0a]
        try await send(bytes)
    }

    /// Sends a comment, which clients pass over (WHATWG HTML, 9.2.6): it shows that the reply is still worked on.
    package func comment() async throws { try await send(Array(": waiting for the model\n\n".utf8)) }

    /// Sends the event that ends a stream in OpenAI's protocol.
    package func done() async throws { try await send(Array("data: \(OpenAI.streamEnd)\n\n".utf8)) }
}
