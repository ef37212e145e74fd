import CLeapKernels
import LeapTokenizer

/// Runs batches of tokens through a model.
///
/// A batch is a list of rows, one for each token, and rows of several sequences may stand in one batch: the weights are read once for
/// all of them. What a row's numbers are does not depend on the batch it is in.
///
/// Used by one thread at a time.
package final class ForwardPass {
    /// Holds the file in memory into which the decoder's weights point.
    private let owner: any Sendable
    let decoder: Decoder
    package let layout: CacheLayout
    package let kernels: Kernels
    let workspace: Workspace
    private let ropes: [(inverse: [Float], attentionFactor: Float)]
    /// Until all weights have been asked for.
    var readAhead: WeightReadAhead?

    // The batch in progress.
    private(set) var batch = Batch()
    private var readyTables: Set<Int> = []
    var prepared: [UnsafeMutableRawPointer?] = []
    private var slots: [leap_kv_slot] = []
    private var queries: [leap_attention_query] = []
    private var convolutionTokens: [leap_conv_token] = []

    /// Logits of one position.
    package var vocabularySize: Int { decoder.output.rows }

    /// Prepares for a model.
    ///
    /// - Parameter contextSize: the maximum number of positions of any sequence; some models rotate differently for long contexts.
    package convenience init(
        model: Model, layout: CacheLayout, kernels: Kernels, contextSize: Int
    ) throws(EngineError) {
        self.init(decoder: model.decoder, owner: model, layout: layout, kernels: kernels, contextSize: contextSize)
        if WeightReadAhead.helps(fileAt: model.file.path) { readAhead = WeightReadAhead(model.decoder.sharedWeights) }
    }

    /// Prepares for the layers of a model or an encoder, whose weights `owner` keeps in memory.
    init(decoder: Decoder, owner: any Sendable, layout: CacheLayout, kernels: Kernels, contextSize: Int) {
        self.owner = owner
        self.decoder = decoder
        self.layout = layout
        self.kernels = kernels
        workspace = Workspace(memory: layout.memory)
        ropes = decoder.ropes.map { $0.frequencies(contextSize: contextSize) }
    }

    /// Computes a batch and adds its tokens to their sequences.
    ///
    /// - Parameters:
    ///   - segments: at most one for each sequence; token ids inside of the vocabulary.
    ///   - shouldContinue: asked before each layer; when it says no, the sequences hold what they held before, or up to 63
    ///     tokens less (see ``SequenceState/abandon(_:)``).
    /// - Returns: the logits of the wanted tokens in the order of the batch, `[wanted][vocabularySize]`, valid until the next
    ///   run; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; the sequences are as after a stop.
    package func run(
        _ segments: [BatchSegment], shouldContinue: () -> Bool = { true }
    ) throws(EngineError) -> UnsafeMutableBufferPointer<Float>? {
        var logits = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
        let isDone = try read(segments, shouldContinue: shouldContinue) { (rows) throws(EngineError) in
            guard rows.count > 0 else { return }
            let scores = try head(rows)
            logits = UnsafeMutableBufferPointer(start: scores.base, count: scores.count * scores.length)
        }
        return isDone ? logits : nil
    }

    /// Computes a batch up to the output head, and adds its tokens to their sequences.
    ///
    /// - Parameters:
    ///   - segments: as in ``run(_:shouldContinue:)``; of a model that is not causal, whole texts in empty sequences.
    ///   - shouldContinue: asked before each layer.
    ///   - body: takes the vectors of the wanted tokens in the order of the batch, `[wanted][embedding]`, valid during the call.
    /// - Returns: false if it was stopped; then `body` is not called.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`, or what `body` throws; the sequences are as after a stop.
    func read(
        _ segments: [BatchSegment], shouldContinue: () -> Bool = { true }, body: (Rows) throws(EngineError) -> Void
    ) throws(EngineError) -> Bool {
        do {
            for segment in segments { try segment.sequence.reserve(segment.tokens.count) }
            batch.begin(segments)
            readyTables.removeAll(keepingCapacity: true)
            workspace.beginBatch(rows: batch.count)
            var stream = try embed()
            for (index, layer) in decoder.layers.enumerated() {
                guard shouldContinue() else {
                    end(segments, committing: false)
                    return false
                }
                stream = try layer.run(stream, self, isLast: index == decoder.layers.count - 1)
            }
            if stream.count > 0, let outputNorm = decoder.outputNorm { stream = try norm(stream, outputNorm) }
            try body(stream)
            end(segments, committing: true)
            return true
        } catch {
            // Buffers that have grown already would be missing for a smaller batch.
            if error.code == .outOfMemory { workspace.removeAll() }
            end(segments, committing: false)
            throw error
        }
    }

    private func end(_ segments: [BatchSegment], committing: Bool) {
        for segment in segments {
            if committing {
                segment.sequence.commit(segment.tokens)
            } else {
                segment.sequence.abandon(segment.tokens.count)
            }
        }
        batch.end()
        forgetPrepared()
    }

    /// Tells that the pass comes to a matrix, which may have to be read from disk.
    func reach(_ matrix: WeightMatrix) {
        guard let readAhead else { return }
        readAhead.reach(matrix.kernel.data)
        if readAhead.isDone { self.readAhead = nil }
    }

    /// The embeddings of the batch's tokens.
    private func embed() throws(EngineError) -> Rows {
        let stream = try rows(.stream, batch.count, decoder.embedding.columns)
        readEmbeddings(into: stream)
        try adaptEmbeddings(stream)
        if decoder.embeddingScale != 1 { kernels.scale(stream, by: decoder.embeddingScale) }
        placeVectors(in: stream)
        if let positions = decoder.positionEmbedding { try addPositions(positions.kernel, to: stream) }
        if let type = decoder.typeEmbedding { kernels.addBias(type, to: stream) }
        if let embeddingNorm = decoder.embeddingNorm { kernels.norm(stream, embeddingNorm, into: stream) }
        return stream
    }

    /// The vocabulary's rows for tokens; zero where a vector comes in their place.
    private func readEmbeddings(into stream: Rows) {
        let table = decoder.embedding.kernel
        var row = 0
        for segment in batch.segments {
            for token in segment.tokens {
                if token >= 0 {
                    leap_dequantize_row(
                        table.type, table.data + Int(token) * table.row_bytes, stream.row(row), Int64(stream.length))
                } else {
                    stream.row(row).update(repeating: 0, count: stream.length)
                }
                row += 1
            }
        }
    }

    /// Vectors that come in place of tokens; they are as they are, neither scaled nor adapted.
    private func placeVectors(in stream: Rows) {
        var row = 0
        for segment in batch.segments {
            defer { row += segment.tokens.count }
            guard let vectors = segment.vectors else { continue }
            for (index, token) in segment.tokens.enumerated() where token < 0 {
                stream.row(row + index).update(
                    from: vectors.vector(at: segment.sequence.count + index), count: stream.length)
            }
        }
    }

    private func addPositions(_ table: leap_matrix, to stream: Rows) throws(EngineError) {
        let rows = try rows(.branch, stream.count, stream.length)
        for row in 0..<rows.count {
            let position = Int(batch.positions[row])
            precondition(position < Int(table.rows), "a context is no longer than the table of positions")
            leap_dequantize_row(
                table.type, table.data + position * table.row_bytes, rows.row(row), Int64(rows.length))
        }
        kernels.add(rows, to: stream)
    }

    /// The logits of vectors that ``read(_:shouldContinue:body:)`` gives, valid until the next call.
    func head(_ rows: Rows) throws(EngineError) -> Rows {
        let logits = try project(rows, decoder.output, into: .logits)
        if decoder.logitScale != 1 { kernels.scale(logits, by: decoder.logitScale) }
        if decoder.logitSoftcap > 0 { kernels.softcap(logits, decoder.logitSoftcap) }
        return logits
    }
}

// MARK: What layers are made of

extension ForwardPass {
    /// Scratch memory for vectors; what the buffer held before is lost.
    func rows(_ purpose: Workspace.Purpose, _ count: Int, _ length: Int) throws(EngineError) -> Rows {
        Rows(base: try workspace.floats(purpose, count * length), count: count, length: length)
    }

    /// Norms the stream for a module that reads it.
    func norm(_ stream: Rows, _ norm: Norm) throws(EngineError) -> Rows {
        let normed = try rows(.normed, stream.count, stream.length)
        kernels.norm(stream, norm, into: normed)
        return normed
    }

    /// Adds a module's output to the stream, behind a norm where there is one.
    func add(_ branch: Rows, to stream: Rows, norm: Norm?, scale: Float) throws(EngineError) {
        if let norm { kernels.norm(branch, norm, into: branch) }
        guard scale != 1 else {
            kernels.add(branch, to: stream)
            return
        }
        let factors = try rows(.factors, stream.count, 1)
        factors.base.update(repeating: scale, count: factors.count)
        kernels.add(branch, times: factors, to: stream)
    }

    /// Leaves out the rows that no logits are wanted for: the one place where a batch gets narrower.
    ///
    /// - Parameters:
    ///   - stream: the residual stream.
    ///   - features: what the mixer goes on with.
    /// - Returns: the rows of both that stay.
    func keepWanted(_ stream: Rows, _ features: Rows) -> (stream: Rows, features: Rows) {
        guard let kept = batch.keepWanted() else { return (stream, features) }
        return (stream.compacted(to: kept), features.compacted(to: kept))
    }
}

// MARK: What mixers need to know of the sequences

extension ForwardPass {
    /// The cosines and sines of every row for one of the decoder's rotations.
    func ropeTable(_ index: Int) throws(EngineError) -> UnsafePointer<Float> {
        let dimensions = decoder.ropes[index].dimensions
        let table = try workspace.ropeTable(index, batch.count * dimensions)
        if readyTables.insert(index).inserted {
            kernels.timed("rotation table") {
                leap_rope_table(
                    batch.positions, Int64(batch.count), ropes[index].inverse, Int32(dimensions),
                    ropes[index].attentionFactor, table)
            }
        }
        return UnsafePointer(table)
    }

    /// Writes every row's keys and values into the cache.
    func storeKeyValues(layer: Int, keys: Rows, values: Rows, heads: Int) {
        slots.removeAll(keepingCapacity: true)
        let offsets = layout.attention[layer]
        for row in 0..<batch.count {
            let position = Int(batch.positions[row])
            let page = batch.sequence(of: row).pages[position / CacheLayout.pageLength].base
            slots.append(
                leap_kv_slot(
                    k_page: page + offsets.keys, v_page: page + offsets.values,
                    offset: Int32(position % CacheLayout.pageLength)))
        }
        kernels.timed("store keys and values") {
            leap_kv_store(
                kernels.pool, layout.keyValueType.kernelValue, Int32(heads), Int32(keys.length / heads), keys.base,
                Int64(keys.length), values.base, Int64(values.length), slots, Int64(slots.count))
        }
    }

    /// Lets rows of queries attend to their sequences.
    func attend(layer: Int, shape: leap_attention_shape, queries rows: Rows, into out: Rows) {
        queries.removeAll(keepingCapacity: true)
        for row in 0..<rows.count {
            let table = batch.sequence(of: row).table
            let position = decoder.isCausal ? Int(batch.positions[row]) : batch.lastPosition(of: row)
            queries.append(
                leap_attention_query(
                    k_pages: table.keys(layer), v_pages: table.values(layer), position: Int64(position),
                    q: rows.row(row), out: out.row(row)))
        }
        kernels.timed(
            "attention", bytes: cacheBytesRead(shape),
            operations: queries.reduce(0) { $0 + 4 * Int(shape.q_heads * shape.head_dim) * seen($1, shape) }
        ) {
            withUnsafePointer(to: shape) { leap_attention(kernels.pool, $0, queries, Int64(queries.count)) }
        }
    }

    /// Positions that a query attends to.
    private func seen(_ query: leap_attention_query, _ shape: leap_attention_shape) -> Int {
        let all = Int(query.position) + 1
        return shape.window > 0 ? min(all, Int(shape.window)) : all
    }

    /// Bytes of the keys and values that the queries of a call read, those of one sequence once.
    private func cacheBytesRead(_ shape: leap_attention_shape) -> Int {
        let perPosition =
            2 * leap_kv_page_bytes(shape.kv_type, shape.kv_heads, shape.head_dim) / Int(LEAP_KV_PAGE)
        var longest: [UnsafeRawPointer: Int] = [:]
        for query in queries { longest[UnsafeRawPointer(query.k_pages), default: 0] = seen(query, shape) }
        return longest.values.reduce(0, +) * perPosition
    }

    /// Runs a short convolution over every row and keeps its inputs in the cache, where a later token may need them.
    func convolve(layer: Int, _ block: ShortConvolutionBlock, projected: Rows, into out: Rows) throws(EngineError) {
        guard decoder.isCausal else { return try convolveCentred(block, projected: projected, into: out) }
        convolutionTokens.removeAll(keepingCapacity: true)
        for row in 0..<batch.count {
            let sequence = batch.sequence(of: row)
            let position = Int(batch.positions[row])
            var token = leap_conv_token(
                bcx: projected.row(row), previous: (nil, nil, nil, nil, nil, nil, nil),
                state: sequence.convolutionInput(layer: layer, position: position), out: out.row(row))
            withUnsafeMutableBytes(of: &token.previous) { raw in
                let previous = raw.bindMemory(to: UnsafePointer<Float>?.self)
                for back in 1..<max(block.taps, 1) where position >= back {
                    previous[back - 1] = UnsafePointer(
                        sequence.convolutionInput(layer: layer, position: position - back))
                }
            }
            convolutionTokens.append(token)
        }
        convolve(block, channels: out.length)
    }

    private func convolve(_ block: ShortConvolutionBlock, channels: Int) {
        kernels.timed("short convolution") {
            leap_short_conv(
                kernels.pool, block.filters.pointer, Int32(block.taps), Int64(channels), convolutionTokens,
                Int64(convolutionTokens.count))
        }
    }

    /// A convolution whose filters reach as far ahead as back: the causal one, read so many positions later.
    ///
    /// So the input of a row stands beside the output gate of the row that many positions before it. Segments are whole texts; behind
    /// each come inputs of zero, and what comes out for the positions before its start is dropped.
    private func convolveCentred(_ block: ShortConvolutionBlock, projected: Rows, into out: Rows) throws(EngineError) {
        let channels = out.length
        let reach = block.taps / 2
        let count = batch.count + reach * batch.segments.count
        let shifted = try rows(.up, count, 3 * channels)
        let inputs = try rows(.query, count, channels)
        let dropped = try rows(.key, 1, channels)
        convolutionTokens.removeAll(keepingCapacity: true)
        var row = 0
        for segment in batch.segments {
            let length = segment.tokens.count
            for index in 0..<length + reach {
                let target = shifted.row(convolutionTokens.count)
                if index < length {
                    target.update(from: projected.row(row + index), count: 3 * channels)
                } else {
                    target.update(repeating: 0, count: 3 * channels)
                }
                if index >= reach {
                    (target + channels).update(from: projected.row(row + index - reach) + channels, count: channels)
                }
                var token = leap_conv_token(
                    bcx: target, previous: (nil, nil, nil, nil, nil, nil, nil),
                    state: inputs.row(convolutionTokens.count),
                    out: index < reach ? dropped.base : out.row(row + index - reach))
                withUnsafeMutableBytes(of: &token.previous) { raw in
                    let previous = raw.bindMemory(to: UnsafePointer<Float>?.self)
                    for back in 1..<max(block.taps, 1) where index >= back {
                        previous[back - 1] = UnsafePointer(inputs.row(convolutionTokens.count - back))
                    }
                }
                convolutionTokens.append(token)
            }
            row += length
        }
        convolve(block, channels: channels)
    }
}
