import Foundation
import LeapHTTP
import LeapJSON
import LeapOpenAIFormat

/// The request for a reply, sent again where that may help and nothing of the reply has arrived.
struct ReplyExchange: Sendable {
    private let endpoint: Endpoint
    private let config: OpenAiClientConfig
    private let transport: any Transport
    private let body: [UInt8]
    private let queue: BoundedQueue<ChatCompletionChunk>

    /// - Throws: ``OpenAiClientError`` for a configuration that cannot be used.
    init(
        config: OpenAiClientConfig, transport: any Transport, document: JSONObject,
        queue: BoundedQueue<ChatCompletionChunk>
    ) throws {
        endpoint = try Endpoint(config)
        self.config = config
        self.transport = transport
        self.queue = queue
        var document = document
        document[OpenAI.Key.stream] = .bool(true)
        if document[OpenAI.Key.streamOptions] == nil {
            // Without it the end has no count of tokens.
            document[OpenAI.Key.streamOptions] = .object([OpenAI.Key.includeUsage: .bool(true)])
        }
        body = JSONWriter.bytes(.object(document))
    }

    /// Brings the reply into the queue.
    func run(maxRetries: Int) async throws {
        var failure = 0
        while true {
            do {
                return try await send()
            } catch let error as OpenAiClientError {
                failure += 1
                guard error.isPassing, !queue.hasBegun, failure <= maxRetries else { throw redacted(error) }
                let wait = max(error.retryAfter ?? 0, Self.delay(failure: failure))
                guard wait <= config.maxRetryWait else { throw redacted(error) }
                try await Task.sleep(for: .seconds(wait))
            }
        }
    }

    /// Seconds before an attempt, twice as long each time, half of it random: many clients must not come back at once.
    private static func delay(failure: Int) -> Double {
        0.5 * pow(2, Double(min(failure, 8) - 1)) * Double.random(in: 0.5...1)
    }

    private func send() async throws {
        let receiver = ReplyReceiver(queue: queue, maxEventBytes: config.maxEventBytes)
        let watchdog = Watchdog(
            responseTimeout: max(config.responseTimeout, 0.1), stallTimeout: max(config.stallTimeout, 0.1),
            minimumBytes: 1)
        let request = endpoint.request(body)
        do {
            let head = try await watchdog.watch(
                request.url, HTTPReceiver(head: { receiver.begin($0) }, body: { try receiver.take($0) })
            ) { try await transport.send(request, to: $0) }
            try receiver.end(head)
        } catch let failure as HTTPFailure {
            let (code, advice): (OpenAiClientError.Code, String) =
                switch failure.code {
                case .network where queue.hasBegun: (.incomplete, "the reply is incomplete; try again")
                case .network, .addressRefused: (.network, "check the connection and baseUrl")
                case .stalled: (.stalled, "try again, or set a longer responseTimeout or stallTimeout")
                case .protocolViolation: (.malformedAnswer, "check that baseUrl is an endpoint's")
                }
            throw OpenAiClientError(code, "\(failure.message) \(advice)")
        }
    }

    private func redacted(_ error: OpenAiClientError) -> OpenAiClientError {
        OpenAiClientError(
            error.code, endpoint.redacted(error.message), status: error.status, retryAfter: error.retryAfter,
            endpointCode: error.endpointCode.map { endpoint.redacted($0) })
    }
}
