import LeapCompute
import LeapModel
import LeapTokenizer

/// A text as the engine's thread scores it: which of its tokens go in next, and what becomes of the vectors that come
/// out.
final class ActiveScoring {
    /// Positions whose logits are held at a time: with vocabularies of 65 to 260 thousand tokens these are 17 to 67 MB.
    static let rowsOfLogits = 64

    let request: ScoringRequest
    let state: SequenceState
    /// The tokens that are computed; the last one of a text whose likelihood is asked for need not be.
    private let end: Int
    /// The choice of tokens whose vectors are taken, where no likelihoods are asked for.
    private let pooling: Pooling
    /// The tokens whose logits count as minus infinity.
    let suppressed: [TokenID]
    /// The tokens that may stand in the place of a mask; nil for all.
    let sampleable: TokenMask?
    private var likelihoods: [TokenLikelihood] = []
    private(set) var vectors: [[Float]] = []
    private var scores: [Float] = []
    private var normalizer: Float?
    /// The pictures and sounds that the text begins with; nil for none.
    private let media: PromptMedia?
    /// The tokens that were computed before the text began.
    var cachedCount = 0
    /// The place where the state is kept for the texts that begin alike; nil where another text has kept it.
    var branch: Int?

    /// - Parameters:
    ///   - classifierPooling: how the model's classifier takes texts, where it has one.
    ///   - suppressed: the tokens whose logits count as minus infinity.
    ///   - sampleable: the tokens that may stand in the place of a mask; nil for all.
    ///   - embeddingLength: floats of a vector in place of a token.
    init(
        _ request: ScoringRequest, state: SequenceState, classifierPooling: Pooling? = nil, suppressed: [TokenID] = [],
        sampleable: TokenMask? = nil, embeddingLength: Int = 0
    ) {
        media =
            request.media.isEmpty
            ? nil : PromptMedia(request.media, prompt: request.tokens, length: embeddingLength)
        self.request = request
        self.state = state
        self.suppressed = suppressed
        self.sampleable = sampleable
        if case .likelihoods = request.purpose { end = request.tokens.count - 1 } else { end = request.tokens.count }
        switch request.purpose {
        case .vectors(let asked, _): pooling = asked
        case .scores(nil): pooling = classifierPooling ?? .last
        case .scores, .likelihoods, .labels: pooling = .last
        case .maskedWords, .options: pooling = .none
        }
    }

    /// True if all of it is computed.
    var isDone: Bool { state.count >= end }

    /// Tokens that are left to compute.
    var remaining: Int { end - state.count }

    /// The next tokens to compute.
    func nextSegment(budget: Int) -> BatchSegment {
        let start = state.count
        var stop = budget < end - start ? start + budget : end
        if let branch, start < branch { stop = min(stop, branch) }
        var segment = BatchSegment(
            sequence: state, tokens: request.tokens[start..<stop], wanted: wanted(start: start, stop: stop),
            output: .hidden, vectors: media)
        segment.mediaCount = request.mediaCount
        if case .options(_, let type) = request.purpose { segment.questionType = type }
        if let second = request.secondText { segment.secondText = min(max(second - start, 0), stop - start) }
        return segment
    }

    private func wanted(start: Int, stop: Int) -> BatchSegment.Wanted {
        if case .likelihoods(let first, _) = request.purpose {
            return .suffix(min(stop - start, max(0, stop - (first - 1))))
        }
        // Such texts are computed as a whole.
        if case .options(let places, _) = request.purpose, let first = places.first, let last = places.last {
            return .range(first..<last + 1)
        }
        switch pooling {
        case .mean, .none: return .all
        case .cls: return start == 0 ? .first : .none
        case .last: return stop == end ? .last : .none
        }
    }

    /// Has the vectors of the pictures and sounds.
    ///
    /// - Returns: false if it was stopped.
    func prepareMedia(_ encoder: PromptEncoder?, shouldContinue: () -> Bool) throws(EngineError) -> Bool {
        guard let media else { return true }
        guard let encoder else { throw .readsNo(request.media.first?.medium ?? .image) }
        do {
            return try media.prepare(with: encoder, shouldContinue: shouldContinue)
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.invalidOption, "\(error)", field: "media")
        }
    }

    /// Takes the vectors of a segment's wanted tokens.
    ///
    /// - Parameter start: the position of the segment's first token.
    func take(
        _ rows: Rows, of segment: BatchSegment, at start: Int, _ executor: any Executor
    ) throws(EngineError) {
        guard rows.count > 0 else { return }
        switch (request.purpose, pooling) {
        case (.likelihoods(_, let alternatives), _):
            var next = start + segment.wantedIndices.lowerBound + 1
            var row = 0
            while row < rows.count {
                let slice = rows.slice(row..<min(row + Self.rowsOfLogits, rows.count))
                let logits = try executor.logits(of: slice)
                logits.suppress(suppressed)
                let normalizers = executor.logSumExp(logits)
                for index in 0..<slice.count {
                    let values = UnsafeBufferPointer(start: logits.row(index), count: logits.length)
                    likelihoods.append(
                        TokenLikelihood(
                            request.tokens[next], logits: values, normalizer: normalizers[index],
                            alternatives: alternatives))
                    guard likelihoods[likelihoods.count - 1].logProbability.isFinite else { throw .outputIsNaN }
                    next += 1
                }
                row += slice.count
            }
        case (.scores(let words?), _):
            let logits = try executor.logits(of: rows)
            scores = words.map { logits.row(logits.count - 1)[Int($0)] }
        case (.labels(let labels, _, let isNormalized), _):
            let last = rows.slice(rows.count - 1..<rows.count)
            if isNormalized {
                let logits = try executor.logits(of: last)
                scores = labels.map { logits.row(0)[Int($0)] }
                logits.suppress(suppressed)
                normalizer = executor.logSumExp(logits).first
            } else {
                scores = try executor.logits(of: last, for: labels).first ?? []
            }
        case (.options(let places, _), _):
            let first = start + segment.wantedIndices.lowerBound
            vectors = places.map { Array(UnsafeBufferPointer(start: rows.row($0 - first), count: rows.length)) }
        case (_, .mean):
            if vectors.isEmpty { vectors = [[Float](repeating: 0, count: rows.length)] }
            for row in 0..<rows.count {
                let values = rows.row(row)
                for index in 0..<rows.length { vectors[0][index] += values[index] }
            }
        default:
            for row in 0..<rows.count {
                vectors.append(Array(UnsafeBufferPointer(start: rows.row(row), count: rows.length)))
            }
        }
    }

    /// Returns the result, once all of the text is computed.
    func finish(_ executor: any Executor) throws(EngineError) -> ScoringResult {
        if case .likelihoods = request.purpose { return .likelihoods(likelihoods) }
        if case .maskedWords(let places, let count) = request.purpose {
            return .likelihoods(try fill(places, count: count, executor))
        }
        if case .options = request.purpose {
            guard let scores = try executor.optionScores(vectors) else { throw .scoresNoOptions }
            guard scores.allSatisfy(\.isFinite) else { throw .outputIsNaN }
            return .scores(scores)
        }
        if case .labels = request.purpose {
            guard scores.allSatisfy(\.isFinite), normalizer?.isFinite ?? true else { throw .outputIsNaN }
            return .labels(scores, normalizer: normalizer, cachedCount: cachedCount)
        }
        if pooling == .mean {
            let count = Float(request.tokens.count)
            for index in vectors[0].indices { vectors[0][index] /= count }
        }
        guard case .vectors(_, let isNormalized) = request.purpose else {
            if scores.isEmpty { scores = try executor.classify(vectors)?.first ?? [] }
            guard scores.allSatisfy(\.isFinite) else { throw .outputIsNaN }
            return .scores(scores)
        }
        if let projected = try executor.project(vectors) { vectors = projected }
        for index in vectors.indices {
            let length = vectors[index].reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            guard length.isFinite else { throw .outputIsNaN }
            if isNormalized, length > 0 { vectors[index] = vectors[index].map { Float(Double($0) / length) } }
        }
        return .vectors(vectors)
    }
}

extension EngineError {
    static let outputIsNaN = EngineError(
        .invalidTensor, "the model's output is not a number: the file may be damaged; download it again")
}
