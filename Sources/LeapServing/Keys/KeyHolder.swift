import LeapBase
import LeapOpenAIFormat

/// The holder of a key: its terms, and what it has used.
///
/// The counts are kept as long as the process and the holder's line in the file are there.
package final class KeyHolder: Sendable {
    /// The counts since the holder is known.
    struct Counts: Sendable, Hashable {
        /// Requests that were let in.
        var requests = 0
        /// Requests that were refused, by the limit that was used up.
        var refused: [Limit: Int] = [:]
        /// Tokens of prompts and replies.
        var tokens: Int64 = 0
    }

    /// The limits of a holder.
    enum Limit: String, Sendable, CaseIterable { case requests, tokens }

    private struct State {
        var terms: AccessKey
        var isRevoked = false
        var counts = Counts()
        /// The minute and the day that are counted, since 1970, and what was used in them.
        var minute = Int64.min
        var requestsInMinute = 0
        var day = Int64.min
        var tokensInDay: Int64 = 0

        /// Begins to count anew where another minute or day has begun.
        mutating func turn(to now: Int64) {
            if now / 60 != minute { (minute, requestsInMinute) = (now / 60, 0) }
            if now / 86_400 != day { (day, tokensInDay) = (now / 86_400, 0) }
        }
    }

    /// The holder's name in figures and logs.
    package let name: String
    private let state: Locked<State>
    /// The seconds since 1970.
    private let now: @Sendable () -> Int64

    init(_ terms: AccessKey, now: @escaping @Sendable () -> Int64) {
        name = terms.name
        state = Locked(State(terms: terms))
        self.now = now
    }

    /// The counts since the holder is known.
    var counts: Counts { state.withLock { $0.counts } }

    /// True if the holder may name some models only.
    var isRestricted: Bool { state.withLock { $0.terms.models != nil } }

    /// Returns true if the holder may name a model.
    ///
    /// - Parameter model: its name in the list of models.
    func allows(model: String) -> Bool {
        state.withLock { state in state.terms.models.map { $0.contains { $0.matches(model) } } ?? true }
    }

    /// Takes over other terms; what was used stays counted.
    func update(_ terms: AccessKey) {
        state.withLock { state in
            state.terms = terms
            state.isRevoked = false
        }
    }

    /// Lets nothing in any more.
    func revoke() { state.withLock { $0.isRevoked = true } }

    /// Counts a request, and lets it in.
    ///
    /// - Parameter notesRefusal: whether a refusal counts; false where the same request is refused once more.
    /// - Throws: ``APIError`` with status 429 where a limit is used up.
    func admit(notesRefusal: Bool = true) throws(APIError) {
        let now = now()
        let refusal = state.withLock { state -> APIError? in
            state.turn(to: now)
            let counts = state.counts
            if let problem = problem(&state, now, countsRequests: true) {
                if !notesRefusal { state.counts = counts }
                return problem
            }
            state.requestsInMinute += 1
            state.counts.requests += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Checks that there are tokens left, for work that is no request of its own.
    ///
    /// - Throws: ``APIError`` with status 429 where there are none.
    func checkTokens() throws(APIError) {
        let now = now()
        let refusal = state.withLock { state -> APIError? in
            state.turn(to: now)
            return problem(&state, now, countsRequests: false)
        }
        if let refusal { throw refusal }
    }

    /// Counts the tokens of a request that has ended.
    func take(tokens: Int64) {
        let now = now()
        state.withLock { state in
            state.turn(to: now)
            state.tokensInDay += tokens
            state.counts.tokens += tokens
        }
    }

    /// Returns the reason why something is not let in; nil where it is.
    private func problem(_ state: inout State, _ now: Int64, countsRequests: Bool) -> APIError? {
        guard !state.isRevoked else {
            return APIError(
                status: 401, type: .authentication, message: "the key of '\(name)' is no longer valid",
                code: "invalid_api_key")
        }
        func refuse(_ limit: Limit, _ most: Int, _ unit: String, of seconds: Int64, _ code: String) -> APIError {
            state.counts.refused[limit, default: 0] += 1
            let wait = Int(seconds - now % seconds)
            return .busy(
                "the key of '\(name)' has used its \(most) \(unit): try again in \(wait) second\(wait == 1 ? "" : "s")",
                code: code, retryAfter: wait)
        }
        if let most = state.terms.tokensPerDay, state.tokensInDay >= Int64(most) {
            return refuse(.tokens, most, "tokens of this day (UTC)", of: 86_400, OpenAI.ErrorCode.insufficientQuota)
        }
        if countsRequests, let most = state.terms.requestsPerMinute, state.requestsInMinute >= most {
            return refuse(.requests, most, "requests of this minute", of: 60, "rate_limit_exceeded")
        }
        return nil
    }
}
