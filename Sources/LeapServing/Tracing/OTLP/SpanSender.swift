import Foundation
import LeapBase
import LeapChat
import LeapHTTP
import LeapJSON

/// Sends batches of spans one after the other, and tries again where the collector says that it may take them later.
struct SpanSender: Sendable {
    /// The outcome of an attempt.
    private enum Outcome {
        /// The collector has taken all but so many.
        case taken(refused: Int)
        case refused(String)
        case later(String, after: Duration?)
    }

    /// The most bytes of an answer that are read.
    private static let maxAnswer = 64 * 1024
    private static let logger = PrintableLogger(label: "open-leap.otlp")

    let configuration: OTLPConfiguration
    let limits: OTLPExporter.Limits
    let transport: any Transport
    let queue: SpanQueue
    /// On from when the log says that spans cannot be delivered.
    private let hasTold = OneWaySwitch()

    func send(_ batch: [JSONValue]) async {
        let body = JSONWriter.bytes(OTLPDocument.request(batch, resource: configuration.resource))
        var pause = limits.pause
        for attempt in 1...max(1, limits.maxAttempts) {
            guard !Task.isCancelled else { break }
            switch await post(body) {
            case .taken(let refused):
                let refused = min(max(0, refused), batch.count)
                queue.note(exported: batch.count - refused)
                if refused > 0 { tell("the collector refused \(refused) of \(batch.count) spans") }
                queue.note(dropped: refused)
                return
            case .refused(let reason):
                tell(reason)
                queue.note(dropped: batch.count)
                return
            case .later(let reason, let asked):
                tell(reason)
                guard attempt < limits.maxAttempts else { break }
                // Not all servers of a cluster at once.
                let own = pause * Double.random(in: 0.75...1.25)
                // A collector that asks for no time at all is asked again as if it had said nothing.
                try? await Task.sleep(for: min(limits.maxPause, max(asked ?? own, own)))
                pause = min(limits.maxPause, pause * 2)
            }
        }
        queue.note(dropped: batch.count)
    }

    private func tell(_ reason: String) {
        guard hasTold.set() else { return }
        Self.logger.warning("spans cannot be delivered to \(configuration.url.shown): \(reason); this is logged once")
    }

    private func post(_ body: [UInt8]) async -> Outcome {
        var fields = configuration.headers
        fields.insert(("content-type", "application/json"), at: 0)
        let request = HTTPRequest(url: configuration.url, fields: fields, body: body)
        let answer = CollectedBody(maxBytes: Self.maxAnswer)
        let deadline = Deadline(
            in: limits.timeout,
            error: APIError.failed(504, "no answer within \(limits.timeout)"))
        do {
            let head = try await deadline.run { [transport] in
                try await transport.send(request, to: HTTPReceiver(collecting: answer))
            }
            switch head.status {
            case 200..<300: return .taken(refused: Self.refused(answer.bytes))
            case 429, 502, 503, 504:
                let seconds = RetryAfter.seconds(head)
                return .later("it answers \(head.status)", after: seconds.map { .seconds($0) })
            default: return .refused("it answers \(head.status)")
            }
        } catch {
            return .later("\(error)", after: nil)
        }
    }

    /// The spans that an answer says were not taken.
    private static func refused(_ answer: [UInt8]) -> Int {
        let partial = (try? JSONParser.parse(answer))?["partialSuccess"]
        return partial?["rejectedSpans"].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } } ?? 0
    }
}
