import Foundation
import LeapBase
import LeapHTTP
import LeapJSON

/// Asks a server of ours which models it serves and what they can do.
struct ServerClient: Sendable {
    /// The most bytes of an answer that are read.
    private static let maxAnswer = 16 << 20

    /// The address, without a path and without a slash at its end.
    let url: String
    /// The key to send; nil for none.
    let key: String?

    /// - Throws: `CommandError` for a text that is no address of a server.
    init(url: String, key: String?) throws {
        var text = Substring(url)
        while text.hasSuffix("/") { text = text.dropLast() }
        // People give the address that other clients want.
        if text.hasSuffix("/v1") { text = text.dropLast(3) }
        guard let parsed = URL(string: String(text)), ["http", "https"].contains(parsed.scheme), parsed.host != nil
        else {
            throw CommandError(
                "--url is “\(ShownText.of(url, limit: 80))”: give the address of a server, such as http://127.0.0.1:8080",
                field: "--url")
        }
        self.url = String(text)
        self.key = key
    }

    /// The outcome of asking for the models.
    enum Models: Sendable, Equatable {
        case served([String])
        /// The server wants a key, or another one.
        case keyNeeded
        /// The answer is that of another program.
        case notOurs
    }

    /// Returns the names of the models that are served, the default first.
    ///
    /// - Throws: `HTTPFailure` where nothing answers in time.
    func models(within seconds: Double = 5) async throws -> Models {
        let (status, answer) = try await send("/v1/models", body: nil, seconds: seconds)
        if status == 401 || status == 403 { return .keyNeeded }
        guard status == 200, let entries = answer?["data"]?.array else { return .notOurs }
        let ours = entries.filter { $0["owned_by"]?.string == "open-leap" }
        guard ours.count == entries.count else { return .notOurs }
        return .served(ours.compactMap { $0["id"]?.string })
    }

    /// Returns what a model can do, which loads it.
    ///
    /// - Throws: `CommandError` with the server's message where that cannot be done.
    func model(_ name: String) async throws -> AgentModel {
        let (status, answer) = try await send(
            "/api/show", body: .object(["model": .string(name)]), seconds: 600)
        guard status == 200, let answer else {
            let message = answer?["error"]?.string ?? "status \(status)"
            throw CommandError("the server at \(url) cannot load “\(name)”: \(ShownText.of(message, limit: 400))")
        }
        let abilities = (answer["capabilities"]?.array ?? []).compactMap(\.string)
        let context = answer["model_info"]?["general.context_length"]?.integer
        return AgentModel(
            name: name, context: context ?? 0, writesText: abilities.contains("completion"),
            callsTools: abilities.contains("tools"))
    }

    private func send(
        _ path: String, body: JSONValue?, seconds: Double
    ) async throws -> (status: Int, answer: JSONValue?) {
        guard let address = URL(string: url + path) else { throw CommandError("\(url) is no address") }
        var fields = [(name: "content-type", value: "application/json")]
        if let key { fields.append((name: "authorization", value: "Bearer \(key)")) }
        let request = HTTPRequest(url: address, fields: fields, body: body.map { JSONWriter.bytes($0) })
        let received = CollectedBody(maxBytes: Self.maxAnswer)
        let watchdog = Watchdog(
            responseTimeout: seconds, stallTimeout: seconds, minimumBytes: 1, totalTimeout: seconds)
        let transport = StandardTransport.make()
        let head = try await watchdog.watch(address, HTTPReceiver(collecting: received)) {
            try await transport.send(request, to: $0)
        }
        return (head.status, try? JSONParser.parse(received.bytes, maxValues: 1_000_000))
    }
}
