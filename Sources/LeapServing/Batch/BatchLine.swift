import LeapBase
import LeapJSON
import LeapOpenAIFormat

/// A line of a batch: OpenAI's object with `custom_id`, `method`, `url` and `body`.
struct BatchLine: Sendable {
    /// The shape of a line, for errors about lines that are none.
    private static let shape =
        #"expected an object such as {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": […]}}"#
    /// The maximum number of bytes of a line.
    static let maxBytes = 32 << 20
    /// The paths that a line may name.
    static let paths = [
        "/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/v1/systemone", "/v1/decisions",
    ]

    /// The number of the line among all of the file, from 1.
    let number: Int
    /// The member `custom_id`; nil where it cannot be read.
    let customID: String?
    /// The request, or the fault of the line.
    let request: Result<ServerRequest, Fault>

    /// The fault of a line, which becomes its answer.
    struct Fault: Error, Sendable {
        let code: String
        let message: String
    }

    /// Reads a line.
    ///
    /// - Parameter model: takes the place of the model that the line names; nil leaves it.
    init(_ line: LineReader.Line, model: String? = nil) {
        number = line.number
        let place = "line \(line.number)"
        guard !line.isTooLong else {
            customID = nil
            request = .failure(Fault(code: "line_too_long", message: "\(place) has more than \(Self.maxBytes) bytes"))
            return
        }
        let object: JSONObject
        do {
            let value = try JSONParser.parse(line.bytes)
            guard let found = value.object else {
                customID = nil
                request = .failure(
                    Fault(code: "invalid_line", message: "\(place) is \(value.kind); \(Self.shape)"))
                return
            }
            object = found
        } catch {
            customID = nil
            request = .failure(Fault(code: "invalid_json", message: "\(place) is not JSON: \(error); \(Self.shape)"))
            return
        }
        customID = object["custom_id"]?.string
        request = Self.request(object, place, model, byteCount: line.bytes.count)
    }

    /// Reads the members of a line.
    ///
    /// - Parameter byteCount: the number of bytes of the line.
    private static func request(
        _ object: JSONObject, _ place: String, _ model: String?, byteCount: Int
    ) -> Result<ServerRequest, Fault> {
        func fault(_ code: String, _ message: String) -> Result<ServerRequest, Fault> {
            .failure(Fault(code: code, message: "\(place): \(message)"))
        }
        guard object["custom_id"]?.string?.isEmpty == false else {
            return fault(
                "invalid_line", "'custom_id' is \(object["custom_id"]?.kind ?? "missing"); expected a string, not empty"
            )
        }
        guard object["method"]?.string == "POST" else {
            return fault("invalid_method", "'method' is \(shown(object["method"])); expected 'POST'")
        }
        guard let path = object["url"]?.string, paths.contains(path) else {
            return fault(
                "invalid_url",
                "'url' is \(shown(object["url"])); expected \(paths.map { "'\($0)'" }.joined(separator: " or "))")
        }
        guard var body = object["body"]?.object else {
            return fault("invalid_line", "'body' is \(object["body"]?.kind ?? "missing"); expected an object")
        }
        if body[OpenAI.Key.stream]?.bool == true {
            return fault("invalid_line", "'stream' is true, and a batch has whole replies only: leave it out")
        }
        if let model { body[OpenAI.Key.model] = .string(model) }
        return .success(ServerRequest(method: "POST", path: path, body: RequestBody(body, byteCount: byteCount)))
    }

    private static func shown(_ value: JSONValue?) -> String {
        value.map { $0.string.map { "'\(ShownText.of($0, limit: 60))'" } ?? $0.kind } ?? "missing"
    }

    /// A sentence on a reply that is an error, which names the line.
    func fault(of reply: ServerReply) -> String {
        var message = "status \(reply.status)"
        if case .bytes(let body) = reply.body,
            let words = (try? JSONParser.parse(body))?.object?["error"]?.object?["message"]?.string
        {
            message = ShownText.of(words, limit: 400)
        }
        return "line \(number): \(message)"
    }

    /// The answer of a line that is none.
    func answer(_ fault: Fault) -> [UInt8] {
        answer(
            response: Array("null".utf8),
            error: JSONWriter.bytes(.object(["code": .string(fault.code), "message": .string(fault.message)])))
    }

    /// The answer with a reply to the request; nil for one that is not whole.
    func answer(_ reply: ServerReply) -> [UInt8]? {
        guard case .bytes(let body) = reply.body else { return nil }
        var head = "{\"status_code\":\(reply.status),\"request_id\":\"req_\(number)\""
        if let warning = reply.headers.first(where: { $0.name == "warning" })?.value {
            head += ",\"warning\":\(JSONWriter.quoted(warning))"
        }
        return answer(
            response: Array((head + ",\"body\":").utf8) + body + Array("}".utf8), error: Array("null".utf8))
    }

    private func answer(response: [UInt8], error: [UInt8]) -> [UInt8] {
        let id = customID.map { JSONWriter.quoted($0) } ?? "null"
        var line = Array("{\"id\":\"batch_req_\(number)\",\"custom_id\":\(id),\"response\":".utf8)
        line += response
        line += Array(",\"error\":".utf8)
        line += error
        line += [UInt8(ascii: "}"), 0x0A]
        return line
    }
}
