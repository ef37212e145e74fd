import LeapBase
import LeapCore
import LeapJSON
import LeapOpenAIFormat
import Logging
import Tracing

/// The facts about a request while it is answered, for its span and its line in the log; none of its texts.
final class RequestRecord: Sendable {
    /// The facts that come one by one.
    struct Facts: Sendable {
        /// The model that the request names, as far as it is shown.
        var askedModel: String?
        /// The model that answers.
        var model: String?
        /// The holder of the request's key among several.
        var holder: KeyHolder?
        var responseID: String?
        /// The options of the first reply.
        var options: GenerationOptions?
        /// Replies to the same prompt.
        var choices = 0
        var replies: [Reply] = []
        var finishReasons: [String] = []
        var usage: TokenUsage?
        /// Numbers in a vector.
        var dimensions: Int?
        var status = 0
        /// The reason why there is no whole answer.
        var error: String?
        /// True if the span goes on after the answer.
        var isDetached = false
        var isAnswered = false
        var isSpanEnded = false
    }

    struct Reply: Sendable {
        let timing: ReplyTiming
        /// True if its prompt is not counted with another reply.
        let countsPrompt: Bool
    }

    /// The logger of one line for each request, at the level info.
    static let label = "open-leap.requests"
    /// The longest name of a model that is kept.
    static let maxModelName = 256

    let id: String
    let method: String
    let route: String
    let operation: ModelOperation?
    let clock: TraceClock
    private let span: RequestSpan?
    /// True if the request has a line in the log.
    private let isLogged: Bool
    private let facts = Locked(Facts())
    /// The metadata of each line in the log while the request is answered.
    private let logMetadata: Logger.Metadata

    init(
        method: String, headers: [String: String], route: String, _ operation: ModelOperation?, _ clock: TraceClock,
        span: RequestSpan?, isLogged: Bool
    ) {
        id = RequestID.of(headers)
        self.isLogged = isLogged
        self.method = HeaderText.safe(method, limit: 16)
        self.route = route
        self.operation = operation
        self.clock = clock
        self.span = span
        var metadata: Logger.Metadata = ["request_id": .string(id)]
        if let identity = span?.span.context.traceIdentity {
            metadata["trace_id"] = .string(identity.traceID)
            metadata["span_id"] = .string(identity.spanID)
        }
        logMetadata = metadata
    }

    /// Ends the record of an answer that was given up by its reader.
    deinit { end(CancellationError(), isLast: true) }

    /// Works on the request: lines in the log and spans that begin meanwhile belong to it.
    func run<T>(_ body: () async throws -> T) async rethrows -> T {
        try await LogContext.$metadata.withValue(logMetadata) {
            guard let span else { return try await body() }
            return try await ServiceContext.$current.withValue(span.span.context) { try await body() }
        }
    }

    // MARK: What becomes known

    func ask(model: String?) {
        guard let model, !model.isEmpty else { return }
        facts.withLock { $0.askedModel = PrintableOutput.of(String(model.prefix(Self.maxModelName))) }
    }

    func take(model: String) { facts.withLock { $0.model = model } }

    /// Counts the request's tokens for whoever has its key.
    func take(holder: KeyHolder) { facts.withLock { $0.holder = holder } }

    func answer(id: String) { facts.withLock { $0.responseID = id } }

    /// Records a reply that is about to be generated.
    ///
    /// - Parameter choice: which of the replies to its prompt it is.
    /// - Returns: what is to be told of its phases and its tokens; nil where nobody asks.
    func reply(_ options: GenerationOptions, choice: Int = 0) -> ReplyTiming? {
        facts.withLock { facts in
            facts.options = facts.options ?? options
            facts.choices = max(facts.choices, choice + 1)
            guard span != nil || facts.holder != nil else { return nil }
            let timing = ReplyTiming()
            facts.replies.append(Reply(timing: timing, countsPrompt: choice == 0))
            return timing
        }
    }

    /// Records replies that are whole: the reason why each has ended, and its figures.
    func finish(_ reasons: [OpenAI.FinishReason], _ stats: [GenerationStats?]) {
        facts.withLock { facts in
            facts.finishReasons = reasons.map(\.rawValue)
            var usage = TokenUsage()
            for (index, stats) in stats.enumerated() {
                usage.add(stats, countsPrompt: index % max(1, facts.choices) == 0)
            }
            facts.usage = usage
        }
    }

    /// Records the tokens so far of a reply that has no timing and is given up.
    func giveUp(_ stats: GenerationStats?) {
        facts.withLock { facts in
            var usage = TokenUsage()
            usage.add(stats, countsPrompt: true)
            facts.usage = usage
        }
    }

    /// Records texts that were read, without a reply.
    func read(tokens: Int64, dimensions: Int? = nil) {
        facts.withLock { facts in
            var usage = TokenUsage()
            usage.add(promptTokens: Int(clamping: tokens))
            facts.usage = usage
            facts.dimensions = dimensions
        }
    }

    /// Records the error of an answer that is not whole; the first one counts.
    func fail(_ error: APIError) { facts.withLock { $0.error = $0.error ?? error.code ?? error.type.rawValue } }

    func answer(status: Int) { facts.withLock { $0.status = status } }

    // MARK: The end

    /// Lets the span go on behind the answer, until ``endDetached()``.
    func detach() { facts.withLock { $0.isDetached = true } }

    /// Ends the record with the answer.
    ///
    /// - Parameter error: why the answer is not whole.
    func end(_ error: (any Error)? = nil) { end(error, isLast: false) }

    /// Ends the span of a request that was answered before its reply was generated.
    func endDetached() { end(nil, isLast: true) }

    private func end(_ error: (any Error)?, isLast: Bool) {
        let now = ContinuousClock.now
        let (facts, logs, endsSpan) = facts.withLock { facts in
            let isFirst = !facts.isAnswered
            let endsSpan = !facts.isSpanEnded && (isLast || !facts.isDetached)
            if let error, facts.error == nil, isFirst || endsSpan {
                let error = APIError(error)
                facts.error = error.code ?? error.type.rawValue
            }
            facts.isAnswered = true
            facts.isSpanEnded = facts.isSpanEnded || endsSpan
            return (facts, isFirst && isLogged, endsSpan)
        }
        if endsSpan, let holder = facts.holder, let usage = facts.usage ?? Self.usage(facts.replies) {
            holder.take(tokens: usage.prompt + usage.completion)
        }
        if logs { log(facts, seconds: (now - clock.start) / .seconds(1)) }
        if endsSpan, let span { write(facts, to: span, at: now) }
    }

    private func log(_ facts: Facts, seconds: Double) {
        let logger = Logger(label: Self.label)
        guard logger.logLevel <= .info else { return }
        var metadata = logMetadata
        metadata["method"] = .string(method)
        metadata["route"] = .string(route)
        if facts.status > 0 { metadata["status"] = .stringConvertible(facts.status) }
        metadata["seconds"] = .stringConvertible((seconds * 1e6).rounded() / 1e6)
        if let model = facts.model ?? facts.askedModel { metadata["model"] = .string(model) }
        if let holder = facts.holder { metadata["key"] = .string(holder.name) }
        if let error = facts.error { metadata["error"] = .string(error) }
        if let usage = facts.usage {
            metadata["input_tokens"] = .stringConvertible(usage.prompt)
            metadata["cached_tokens"] = .stringConvertible(usage.cached)
            metadata["output_tokens"] = .stringConvertible(usage.completion)
        }
        logger.info("request answered", metadata: metadata)
    }
}

extension ServerReply {
    /// The reply, whose record ends with its body.
    func recorded(by record: RequestRecord) -> ServerReply {
        guard case .stream(let write) = body else {
            record.end()
            return self
        }
        var reply = self
        reply.body = .stream { send in
            do {
                try await record.run { try await write(send) }
                record.end()
            } catch {
                // The client is gone, or takes too little: what is sent fails then.
                record.end(error is APIError ? error : CancellationError())
                throw error
            }
        }
        return reply
    }
}
