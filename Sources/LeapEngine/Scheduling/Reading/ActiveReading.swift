import LeapTokenizer

/// A text as the engine's thread reads it: which of its tokens go in next, and what becomes of the vectors that come out.
final class ActiveReading {
    /// Positions whose logits are held at a time: with vocabularies of 65 to 260 thousand tokens these are 17 to 67 MB.
    static let rowsOfLogits = 64

    let request: ReadingRequest
    let state: SequenceState
    /// The tokens that are computed; the last one of a text whose likelihood is asked for need not be.
    private let end: Int
    private var likelihoods: [TokenLikelihood] = []
    private var vectors: [[Float]] = []

    init(_ request: ReadingRequest, state: SequenceState) {
        self.request = request
        self.state = state
        if case .likelihoods = request.purpose { end = request.tokens.count - 1 } else { end = request.tokens.count }
    }

    /// Whether all of it is read.
    var isDone: Bool { state.count >= end }

    /// Tokens that are left to compute.
    var remaining: Int { end - state.count }

    /// The next tokens to compute.
    func nextSegment(budget: Int) -> BatchSegment {
        let start = state.count
        let stop = budget < end - start ? start + budget : end
        return BatchSegment(
            sequence: state, tokens: request.tokens[start..<stop], wanted: wanted(start: start, stop: stop))
    }

    private func wanted(start: Int, stop: Int) -> BatchSegment.Wanted {
        switch request.purpose {
        case .likelihoods(let first, _): .suffix(min(stop - start, max(0, stop - (first - 1))))
        case .vectors(.mean, _), .vectors(.none, _): .all
        case .vectors(.cls, _): start == 0 ? .first : .none
        case .vectors(.last, _): stop == end ? .last : .none
        }
    }

    /// Takes the vectors of a segment's wanted tokens, before the segment counts as computed.
    func take(_ rows: Rows, of segment: BatchSegment, _ pass: ForwardPass) throws(EngineError) {
        guard rows.count > 0 else { return }
        switch request.purpose {
        case .likelihoods(_, let alternatives):
            var next = segment.tokens.startIndex + segment.wantedIndices.lowerBound + 1
            var row = 0
            while row < rows.count {
                let slice = rows.slice(row..<min(row + Self.rowsOfLogits, rows.count))
                let logits = try pass.head(slice)
                let normalizers = pass.kernels.logSumExp(logits)
                for index in 0..<slice.count {
                    let values = UnsafeBufferPointer(start: logits.row(index), count: logits.length)
                    likelihoods.append(
                        TokenLikelihood(
                            request.tokens[next], logits: values, normalizer: normalizers[index],
                            alternatives: alternatives))
                    guard likelihoods[likelihoods.count - 1].logProbability.isFinite else { throw .outputIsNoNumber }
                    next += 1
                }
                row += slice.count
            }
        case .vectors(.mean, _):
            if vectors.isEmpty { vectors = [[Float](repeating: 0, count: rows.length)] }
            for row in 0..<rows.count {
                let values = rows.row(row)
                for index in 0..<rows.length { vectors[0][index] += values[index] }
            }
        case .vectors:
            for row in 0..<rows.count {
                vectors.append(Array(UnsafeBufferPointer(start: rows.row(row), count: rows.length)))
            }
        }
    }

    /// What was read, once it is all of it.
    func finish(_ pass: ForwardPass) throws(EngineError) -> Reading {
        guard case .vectors(let pooling, let isNormalized) = request.purpose else { return .likelihoods(likelihoods) }
        if pooling == .mean {
            let count = Float(request.tokens.count)
            for index in vectors[0].indices { vectors[0][index] /= count }
        }
        if let projection = pass.decoder.projection { try project(projection, pass) }
        for index in vectors.indices {
            let length = vectors[index].reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            guard length.isFinite else { throw .outputIsNoNumber }
            if isNormalized, length > 0 { vectors[index] = vectors[index].map { Float(Double($0) / length) } }
        }
        return .vectors(vectors)
    }

    /// Multiplies the vectors with a matrix, some at a time.
    private func project(_ projection: WeightMatrix, _ pass: ForwardPass) throws(EngineError) {
        for start in stride(from: 0, to: vectors.count, by: Self.rowsOfLogits) {
            let range = start..<min(start + Self.rowsOfLogits, vectors.count)
            let input = try pass.rows(.normed, range.count, projection.columns)
            for (row, index) in range.enumerated() { input.row(row).update(from: vectors[index], count: input.length) }
            let output = try pass.project(input, projection, into: .branch)
            for (row, index) in range.enumerated() {
                vectors[index] = Array(UnsafeBufferPointer(start: output.row(row), count: output.length))
            }
        }
    }
}

extension EngineError {
    static let outputIsNoNumber = EngineError(
        .invalidTensor, "the model's output is not a number: the file may be damaged; download it again")
}
