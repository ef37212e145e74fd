import LeapCompute
import LeapModel
import LeapTokenizer

/// Rows for the layers that predict further tokens of a sequence: keys and values of each position, and the vector behind
/// the model's last norm at the latest.
extension ForwardPass {
    /// Computes something at positions behind sequences, which stay as they are, without the sequences' adapters, which
    /// are of other layers.
    ///
    /// - Parameters:
    ///   - segments: at most one for each sequence; ``BatchSegment/offset`` says where they begin.
    ///   - reserving: whether layers write keys and values of these positions, over which the next pass writes.
    ///   - body: runs the layers.
    /// - Returns: what the body returns.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`, or what `body` throws.
    func look<Result>(
        _ segments: [BatchSegment], reserving: Bool = false, body: () throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
        defer { endRows() }
        do {
            if reserving {
                for segment in segments { try segment.sequence.reserve(max(segment.offset, 0) + segment.count) }
            }
            beginRows(segments, isAdapted: false)
            return try body()
        } catch {
            if error.code == .outOfMemory { workspace.removeAll() }
            throw error
        }
    }

    /// The vectors that such layers begin with: of a token, and of the position before it.
    ///
    /// - Parameters:
    ///   - tokens: one for each row; the vectors of negative ones, which stand for pictures and sounds, are zero.
    ///   - hidden: writes the vector of the position before a row.
    func draftInputs(
        _ layers: DraftLayers, tokens: [TokenID], hidden: (_ row: Int, UnsafeMutablePointer<Float>) -> Void
    ) throws(EngineError) -> Rows {
        defer { release([.draftHalf, .joinedStreams]) }
        let width = stack.width
        let half = try rows(.draftHalf, tokens.count, width)
        let joined = try rows(.joinedStreams, tokens.count, 2 * width)
        func join(at start: Int) {
            for row in 0..<half.count { (joined.row(row) + start).update(from: half.row(row), count: width) }
        }
        let table = WeightMatrix(layers.embedding.table)
        for (row, token) in tokens.enumerated() {
            if token >= 0 {
                table.read(row: Int(token), into: half.row(row))
            } else {
                half.row(row).update(repeating: 0, count: width)
            }
        }
        if layers.embedding.scale != 1 { kernels.scale(half, by: layers.embedding.scale) }
        kernels.norm(half, layers.tokenNorm, into: half)
        join(at: 0)
        for row in 0..<half.count { hidden(row, half.row(row)) }
        kernels.norm(half, layers.hiddenNorm, into: half)
        join(at: width)
        return try project(joined, layers.projection, into: .fusedStreams)
    }

    /// Keeps what such layers need of all rows of the batch.
    ///
    /// - Parameter hidden: the vectors behind the last norm, of all rows.
    func keepDraftState(_ hidden: Rows, _ layers: DraftLayers) throws(EngineError) {
        // The sequences' adapters are not of these layers.
        batch.isAdapted = false
        defer { batch.isAdapted = true }
        // The stream was read to its end.
        release([.stream])
        let starts = Set(batch.segments.indices.map { index in batch.segments[..<index].reduce(0) { $0 + $1.count } })
        let stream = try draftInputs(layers, tokens: batch.tokens) { row, target in
            if starts.contains(row) {
                self.readHidden(of: self.batch.sequence(of: row), into: target, length: hidden.length)
            } else {
                target.update(from: hidden.row(row - 1), count: hidden.length)
            }
        }
        defer { release([.fusedStreams]) }
        for layer in layers.stack.layers {
            if let norm = layer.mixerNorm { kernels.norm(stream, norm, into: stream) }
            try layer.mixer?.attention?.absorbKeyValues(stream, self)
        }
        keepHidden(hidden)
    }

    /// Reads the vector behind the last norm at the end of a sequence; zeros for an empty one.
    func readHidden(of sequence: SequenceState, into target: UnsafeMutablePointer<Float>, length: Int) {
        switch layout.hidden {
        case .state(let place):
            guard let state = sequence.cached.recurrence?.before else { break }
            target.update(from: (state + place).assumingMemoryBound(to: Float.self), count: length)
            return
        case .convolution(let layer):
            guard sequence.count > 0 else { break }
            target.update(
                from: sequence.convolutionInput(layer: layer, position: sequence.count - 1), count: length)
            return
        case nil: break
        }
        target.update(repeating: 0, count: length)
    }

    private func keepHidden(_ hidden: Rows) {
        var first = 0
        for segment in batch.segments {
            let rows = hidden.slice(first..<first + segment.count)
            first += segment.count
            switch layout.hidden {
            case .state(let place):
                guard let state = segment.sequence.cached.recurrence else { continue }
                func keep(_ row: Int, in memory: UnsafeMutableRawPointer) {
                    (memory + place).assumingMemoryBound(to: Float.self)
                        .update(from: rows.row(row), count: rows.length)
                }
                keep(rows.count - 1, in: state.after)
                for checkpoint in state.checkpoints {
                    keep(
                        checkpoint.count - segment.sequence.count - 1,
                        in: UnsafeMutableRawPointer(checkpoint.tail.values))
                }
                state.recording?.keep(hidden: rows)
            case .convolution(let layer):
                for row in 0..<rows.count {
                    segment.sequence.convolutionInput(layer: layer, position: segment.sequence.count + row)
                        .update(from: rows.row(row), count: rows.length)
                }
            case nil: break
            }
        }
    }
}
