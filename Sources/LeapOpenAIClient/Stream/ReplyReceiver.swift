import LeapBase
import LeapHTTP
import LeapJSON
import LeapOpenAIFormat

/// Makes chunks of an endpoint's answer while it arrives.
final class ReplyReceiver: Sendable {
    /// Bytes of an error that are read.
    private static let maxErrorBytes = 64 << 10

    /// Bytes that a chunk takes beside its text, about.
    private static let chunkCost = 256

    private enum Form {
        /// The form before anything has arrived.
        case none
        case events(EventStreamParser)
        /// A reply that is not streamed, or an error.
        case document([UInt8], limit: Int)
    }

    private struct State {
        var form = Form.none
        var hasFinishReason = false
        var isDone = false
        /// True if a task that ends the reply was started.
        var isEnding = false
    }

    /// The chunks that bytes contain, and the error behind them.
    private struct Findings {
        var chunks: [(chunk: ChatCompletionChunk, cost: Int)] = []
        var failure: OpenAiClientError?
        var wantsMore = true
    }

    private let queue: BoundedQueue<ChatCompletionChunk>
    private let maxEventBytes: Int
    private let state = Locked(State())

    init(queue: BoundedQueue<ChatCompletionChunk>, maxEventBytes: Int) {
        self.queue = queue
        self.maxEventBytes = maxEventBytes
    }

    /// Takes the answer's head, which decides how the body is read.
    func begin(_ head: HTTPHead) -> Bool {
        state.withLock { state in
            let type = head["content-type"]?.lowercased() ?? ""
            if !head.isSuccess {
                state.form = .document([], limit: Self.maxErrorBytes)
            } else if type.hasPrefix("application/json") {
                state.form = .document([], limit: maxEventBytes)
            } else {
                state.form = .events(EventStreamParser(maxEventBytes: maxEventBytes))
            }
        }
        return true
    }

    /// Takes the next bytes; returns false where no more are wanted.
    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let findings = state.withLock { state -> Findings in
            switch state.form {
            case .none: return Findings(wantsMore: false)
            case .document(var body, let limit):
                // So that the bytes have one owner while more are appended.
                state.form = .none
                body.append(contentsOf: bytes.prefix(limit - body.count))
                state.form = .document(body, limit: limit)
                return Findings(wantsMore: body.count < limit)
            case .events(var parser):
                state.form = .none
                defer { state.form = .events(parser) }
                return read(parser.append(bytes), isTooLong: parser.isTooLong, &state)
            }
        }
        return try pass(on: findings)
    }

    /// Takes the answer's end.
    ///
    /// - Throws: ``OpenAiClientError`` for an answer that is an error, or not whole.
    func end(_ head: HTTPHead) throws {
        let findings = state.withLock { state -> Findings in
            switch state.form {
            case .none: return Findings()
            case .document(let body, _):
                guard head.isSuccess else { return Findings(failure: EndpointError(body: body).answer(head)) }
                return document(body, &state)
            case .events(var parser):
                // Whether the last event was cut off shows in its JSON.
                guard let last = parser.finish(),
                    last.data == OpenAI.streamEnd || (try? JSONParser.parse(last.data)) != nil
                else { return Findings() }
                return read([last], isTooLong: false, &state)
            }
        }
        guard try pass(on: findings) else { return }
        guard state.withLock({ $0.isDone || $0.hasFinishReason }) else { throw Self.incomplete }
    }

    /// The error of a reply that is cut off.
    static let incomplete = OpenAiClientError(.incomplete, "the endpoint ended the reply early; try again")

    /// The error of a reply that the app takes too slowly.
    private static let overrun = OpenAiClientError(
        .overrun, "the app reads the reply more slowly than the endpoint sends it, and 16 MiB wait: read it faster")

    /// Hands chunks on, without the lock: it waits where the app takes its time.
    ///
    /// - Returns: false where nobody wants more.
    private func pass(on findings: Findings) throws -> Bool {
        for (chunk, cost) in findings.chunks {
            switch queue.put(chunk, cost: cost) {
            case .taken: continue
            case .ended: return false
            case .full: throw Self.overrun
            }
        }
        if let failure = findings.failure { throw failure }
        if isFirstEnd() { endSoon() }
        return findings.wantsMore
    }

    private func isFirstEnd() -> Bool {
        state.withLock { state in
            defer { state.isEnding = state.isDone }
            return state.isDone && !state.isEnding
        }
    }

    /// Ends the reply, which is whole, also where the endpoint keeps the answer open.
    ///
    /// Not at once: a moment later the answer is over, and its connection free for the next request.
    private func endSoon() {
        Task { [queue] in
            try? await Task.sleep(for: .milliseconds(200))
            queue.finish(.success(()))
        }
    }

    private func document(_ body: [UInt8], _ state: inout State) -> Findings {
        do {
            let value = try JSONParser.parse(body)
            let chunk = try ChatCompletionChunk(value)
            guard value[OpenAI.Key.choices]?.array?.isEmpty == false else {
                throw OpenAiClientError(.malformedAnswer, "the endpoint's answer has no 'choices'")
            }
            state.isDone = true
            return Findings(chunks: [(chunk, body.count)])
        } catch {
            return Findings(failure: Self.malformed(error, "the endpoint's answer"))
        }
    }

    private func read(
        _ events: [EventStreamParser.Event], isTooLong: Bool, _ state: inout State
    ) -> Findings {
        var findings = Findings()
        for event in events {
            // Whatever follows the end has no meaning.
            if state.isDone { return findings }
            if event.data == OpenAI.streamEnd {
                state.isDone = true
                continue
            }
            do {
                let chunk = try ChatCompletionChunk(try JSONParser.parse(event.data))
                if chunk.finishReason != nil { state.hasFinishReason = true }
                findings.chunks.append((chunk, event.data.utf8.count + Self.chunkCost))
            } catch {
                findings.failure = Self.malformed(error, "an event of the endpoint")
                return findings
            }
        }
        if isTooLong, !state.isDone {
            findings.failure = OpenAiClientError(
                .eventTooLong,
                "an event of the endpoint has more than \(maxEventBytes) bytes; raise maxEventBytes if that is right")
        }
        if isTooLong { findings.wantsMore = false }
        return findings
    }

    private static func malformed(_ error: any Error, _ what: String) -> OpenAiClientError {
        error as? OpenAiClientError ?? OpenAiClientError(.malformedAnswer, "\(what) cannot be read as JSON: \(error)")
    }
}

extension HTTPHead {
    /// True if the status is one of success.
    var isSuccess: Bool { (200..<300).contains(status) }
}
