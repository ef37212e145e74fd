import Foundation
import LeapJSON

/// An event of a realtime session's client.
struct RealtimeEvent: Sendable {
    let type: String
    /// The client's own name for it, which errors repeat.
    let id: String?
    let fields: JSONObject
    /// The samples in it.
    let samples: [Float]

    /// Reads a message.
    ///
    /// - Throws: ``APIError`` where it is no event.
    init(_ bytes: [UInt8]) throws(APIError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes, maxValues: RequestBody.maxValues)
        } catch {
            throw .invalid("the message is not JSON: \(error)", code: "invalid_json")
        }
        guard let object = value.object, let type = object["type"]?.string else {
            throw .invalid("the message is not an object with a 'type'", "type", code: "invalid_event")
        }
        self.type = type
        id = object["event_id"]?.string
        fields = object
        guard type == "input_audio_buffer.append" else {
            samples = []
            return
        }
        guard let audio = object["audio"]?.string, let data = Data(base64Encoded: audio), data.count % 2 == 0 else {
            throw .invalid("'audio' is not Base64 of 16-bit samples", "audio", code: "invalid_audio")
        }
        samples = PCM16.samples(data)
    }

    /// Returns the identifier in a message that is no valid event, for the error.
    static func id(of bytes: [UInt8]) -> String? {
        (try? JSONParser.parse(bytes, maxValues: RequestBody.maxValues))?["event_id"]?.string
    }
}
