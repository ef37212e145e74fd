import LeapCore
import LeapEngine
import LeapModel
import Tracing

/// The record as a span, by OpenTelemetry's semantic conventions for generative AI and for HTTP.
extension RequestRecord {
    /// The name of what answers, among those that the conventions list providers by.
    static let provider = "open-leap"
    /// Replies that have spans of their own, so that none brings hundreds.
    static let maxReplySpans = 16

    func write(_ facts: Facts, to request: RequestSpan, at end: ContinuousClock.Instant) {
        let span = request.span
        if let operation {
            // A name that no model has is in an attribute only: names of spans are few.
            let model = facts.model.map { facts.askedModel ?? $0 }
            span.operationName = [operation.rawValue, model].compactMap { $0 }.joined(separator: " ")
        }
        var attributes = span.attributes
        attributes["gen_ai.operation.name"] = operation?.rawValue
        attributes["gen_ai.provider.name"] = Self.provider
        attributes["http.request.method"] = method
        attributes["http.route"] = route
        if facts.status > 0 { attributes["http.response.status_code"] = facts.status }
        attributes["http.request.header.x-request-id"] = SpanAttribute.stringArray([id])
        attributes["gen_ai.request.model"] = facts.askedModel ?? facts.model
        attributes["gen_ai.response.model"] = facts.model
        attributes["gen_ai.response.id"] = facts.responseID
        attributes["gen_ai.embeddings.dimension.count"] = facts.dimensions
        if facts.choices > 1 { attributes["gen_ai.request.choice.count"] = facts.choices }
        if let options = facts.options { Self.add(options, to: &attributes) }
        if !facts.finishReasons.isEmpty {
            attributes["gen_ai.response.finish_reasons"] = SpanAttribute.stringArray(facts.finishReasons)
        }
        if let usage = facts.usage ?? Self.usage(facts.replies) {
            attributes["gen_ai.usage.input_tokens"] = usage.prompt
            if !facts.replies.isEmpty {
                attributes["gen_ai.usage.cache_read.input_tokens"] = usage.cached
                attributes["gen_ai.usage.output_tokens"] = usage.completion
            }
        }
        attributes["error.type"] = facts.error
        span.attributes = attributes
        if facts.error != nil { span.setStatus(SpanStatus(code: .error)) }
        for (index, reply) in facts.replies.prefix(Self.maxReplySpans).enumerated() {
            phases(of: reply.timing, facts.replies.count > 1 ? index : nil, below: request, until: end)
        }
        span.end(at: clock.wall(end))
    }

    /// Adds the options of the replies that the request has.
    private static func add(_ options: GenerationOptions, to attributes: inout SpanAttributes) {
        attributes["gen_ai.request.max_tokens"] = options.maxTokens.map { Int64($0) }
        attributes["gen_ai.request.temperature"] = options.temperature.map(decimal)
        attributes["gen_ai.request.top_p"] = options.topP.map(decimal)
        attributes["gen_ai.request.top_k"] = options.topK.map { Int64($0) }
        attributes["gen_ai.request.seed"] = options.rngSeed
        let penalties = options.further.sampling
        attributes["gen_ai.request.frequency_penalty"] = penalties[.frequencyPenalty]
        attributes["gen_ai.request.presence_penalty"] = penalties[.presencePenalty]
        if options.jsonSchemaConstraint != nil { attributes["gen_ai.output.type"] = "json" }
    }

    /// The decimal number that a request has written: the nearest one of twice the precision has more digits.
    private static func decimal(_ number: Float) -> Double { Double("\(number)") ?? Double(number) }

    /// Returns the tokens of replies that did not come to their end.
    static func usage(_ replies: [Reply]) -> TokenUsage? {
        let progress = replies.compactMap { reply in reply.timing.progress.map { (reply, $0) } }
        guard !progress.isEmpty else { return nil }
        var usage = TokenUsage()
        for (reply, progress) in progress {
            let stats = GenerationStats(
                promptTokens: Int64(progress.promptTokens + progress.cachedPromptTokens),
                completionTokens: Int64(progress.completionTokens), tokenPerSecond: 0,
                reusedPromptTokens: Int64(progress.cachedPromptTokens))
            usage.add(stats, countsPrompt: reply.countsPrompt)
        }
        return usage
    }

    /// The spans of a reply's phases: it waits for its turn, its prompt is computed, its tokens are drawn.
    ///
    /// - Parameter choice: which of several replies it is.
    private func phases(
        of timing: ReplyTiming, _ choice: Int?, below request: RequestSpan, until end: ContinuousClock.Instant
    ) {
        guard let times = timing.times else { return }
        func phase(_ name: String, _ start: ContinuousClock.Instant, _ last: ContinuousClock.Instant?) {
            let span = request.tracer.startSpan(
                name, context: request.span.context, ofKind: .internal, at: clock.wall(start), function: #function,
                file: #fileID, line: #line)
            if let choice { span.attributes["leap.choice"] = choice }
            span.end(at: clock.wall(max(start, last ?? end)))
        }
        phase("queue", times.queued, times.began)
        guard let began = times.began else { return }
        phase("prompt", began, timing.firstToken)
        guard let first = timing.firstToken else { return }
        phase("decode", first, timing.lastToken)
    }
}
