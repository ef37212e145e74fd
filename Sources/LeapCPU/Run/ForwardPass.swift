import CLeapKernels
import LeapBase
package import LeapCompute
package import LeapModel
import LeapTokenizer

/// Runs batches of positions through layers.
///
/// A batch is a list of rows, one for each position, and rows of several sequences may stand in one batch: the weights
/// are read once for all of them. What a row's numbers are does not depend on the batch it is in.
///
/// Used by one thread at a time.
package final class ForwardPass {
    let stack: LayerStack
    /// The embedding that turns tokens into vectors; nil where only vectors come in.
    private let embedding: TokenEmbedding?
    package let layout: CacheLayout
    package let kernels: Kernels
    let workspace: Workspace
    private let ropes: [(inverse: [Float], attentionFactor: Float)]
    /// Until all weights have been asked for.
    var readAhead: WeightReadAhead?
    /// Computes the last layers where there is such a device; none of ``capturedLayers`` is among them.
    package var suffix: (any LayerSuffix)?
    /// The products with the output head's matrix that came with the latest batch's vectors; nil where they are to be
    /// computed.
    private(set) var suffixLogits: Rows?
    /// Layers behind these that predict further tokens: every pass keeps what they need of its rows.
    var draftLayers: DraftLayers?
    /// The layers whose outputs are kept, in ascending order.
    var capturedLayers: [Int] = []
    /// The outputs of these layers for each row of the latest pass, `[rows][capturedLayers · width]`.
    private(set) var capturedStreams: Rows?

    // The batch in progress.
    var batch = Batch()
    private var readyTables: Set<Int> = []
    var prepared: [PreparedInputs?] = []
    private var slots: [leap_kv_slot] = []
    private var queries: [leap_attention_query] = []
    private var convolutionTokens: [leap_conv_token] = []
    /// The vectors of the tokens for all layers, where layers have such.
    private(set) var tokenInputs: Rows?
    /// The streams side by side, where layers go on with several: the first in front of a layer is the stream itself,
    /// within one its prediction.
    var streams: [Rows] = []
    /// True if they lie in the second of two places: what is made of them comes to the other.
    private var areStreamsMoved = false
    /// See ``LayerStack/lastKeepingLayer``.
    private let lastKeepingLayer: Int
    /// True if some rotation tells rows and columns of images apart.
    private let isRotary: Bool
    /// See ``LayerStack/needsWholeImages``.
    private let findsImages: Bool

    /// Prepares for layers.
    ///
    /// - Parameters:
    ///   - embedding: what turns tokens into vectors; nil where only vectors come in.
    ///   - contextSize: the maximum number of positions of any sequence; some models rotate differently for long
    ///     contexts.
    init(
        _ stack: LayerStack, embedding: TokenEmbedding? = nil, layout: CacheLayout, kernels: Kernels, contextSize: Int
    ) {
        self.stack = stack
        self.embedding = embedding
        self.layout = layout
        self.kernels = kernels
        workspace = Workspace(memory: layout.pool)
        lastKeepingLayer = stack.lastKeepingLayer
        isRotary = stack.ropes.contains { !$0.axes.isEmpty }
        findsImages = stack.needsWholeImages
        ropes = stack.ropes.map { $0.frequencies(contextSize: contextSize) }
    }

    /// Computes a batch up to the norm behind the layers, and adds its positions to their sequences.
    ///
    /// - Parameters:
    ///   - segments: at most one for each sequence; token ids inside of the vocabulary. Where layers are not causal,
    ///     whole texts in empty sequences.
    ///   - isScratchBegun: whether ``Workspace/beginBatch(rows:)`` was called for these rows, as vectors that come in
    ///     lie in buffers.
    ///   - shouldContinue: asked before each layer; when it says no, the sequences hold what they held before, or up to
    ///     63 tokens less (see ``SequenceState/abandon(_:)``).
    ///   - observedLayers: the layers whose streams `afterLayer` gets, in ascending order; nil means all, which are
    ///     computed by the processor then.
    ///   - afterLayer: gets the stream behind each layer by its index.
    ///   - body: takes the vectors of the wanted positions in the order of the batch, `[wanted][width]`, valid during
    ///     the call.
    /// - Returns: false if it was stopped; then `body` is not called.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`, or what `body` throws; the sequences are
    ///   as after a stop.
    func compute(
        _ segments: [BatchSegment], isScratchBegun: Bool = false, shouldContinue: () -> Bool = { true },
        observedLayers: [Int]? = nil, afterLayer: ((Int, Rows) throws(EngineError) -> Void)? = nil,
        body: (Rows) throws(EngineError) -> Void
    ) throws(EngineError) -> Bool {
        do {
            try begin(segments, isScratchBegun: isScratchBegun)
            try beginCapturing()
            // All rows are needed up to the last layer whose output is kept.
            let last =
                draftLayers == nil
                ? max(lastKeepingLayer, capturedLayers.last.map { $0 + 1 } ?? 0) : stack.layers.count
            var (stream, isNormed) = (try embed(), false)
            try stack.alternating?.begin(stream, self)
            for (index, layer) in stack.layers.enumerated() {
                guard shouldContinue() else {
                    end(segments, committing: false)
                    return false
                }
                if afterLayer == nil || observedLayers != nil, index == suffix?.firstLayer,
                    case let kept = observedLayers?.filter({ $0 >= index }) ?? [],
                    let output = try suffix?.run(suffixBatch(stream, keptLayers: kept))
                {
                    for (layer, rows) in zip(kept, output.streams) { try afterLayer?(layer, rows) }
                    (stream, suffixLogits, isNormed) = (output.vectors, output.logits, true)
                    break
                }
                stream = try layer.run(stream, self, isLast: index == last)
                if index < stack.additionCount { addVectors(behind: index, to: stream) }
                if let slot = capturedLayers.firstIndex(of: index) { capture(stream, at: slot) }
                if observedLayers?.contains(index) ?? true { try afterLayer?(index, stream) }
                // Nothing is wanted of the batch, and nothing more of it is kept.
                if stream.count == 0 { break }
            }
            if stream.count > 0, !isNormed { try stack.alternating?.end(stream, self) }
            if draftLayers == nil, !capturedLayers.isEmpty, !isNormed { stream = keepWanted(stream) }
            if stream.count > 0, !isNormed, let outputNorm = stack.outputNorm { stream = try norm(stream, outputNorm) }
            if let draftLayers {
                try keepDraftState(stream, draftLayers)
                stream = keepWanted(stream)
            }
            try body(stream)
            end(segments, committing: true)
            return true
        } catch { throw fail(segments, error) }
    }

    /// Adds positions to sequences, of which the body keeps what later ones need.
    ///
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; the sequences hold what they held
    ///   before.
    func extend(_ segments: [BatchSegment], body: () throws(EngineError) -> Void) throws(EngineError) {
        do {
            try begin(segments)
            try body()
            end(segments, committing: true)
        } catch { throw fail(segments, error) }
    }

    private func begin(_ segments: [BatchSegment], isScratchBegun: Bool = false) throws(EngineError) {
        for segment in segments { try segment.sequence.reserve(segment.count) }
        for segment in segments { segment.sequence.beginPass(segment.count) }
        // Another device keeps no inputs of its layers.
        for segment in segments where segment.proposalCount > 0 && suffix == nil {
            segment.sequence.cached.recurrence?.record(segment.count, of: stack, layout, kernels)
        }
        beginRows(segments, isScratchBegun: isScratchBegun)
    }

    /// Begins a batch whose positions are added to no sequence by itself.
    func beginRows(_ segments: [BatchSegment], isScratchBegun: Bool = false, isAdapted: Bool = true) {
        batch.begin(segments, isRotary: isRotary, findsImages: findsImages, isAdapted: isAdapted)
        readyTables.removeAll(keepingCapacity: true)
        if !isScratchBegun { workspace.beginBatch(rows: batch.count) }
        suffixLogits = nil
    }

    /// Ends what ``beginRows(_:isScratchBegun:isAdapted:)`` began.
    func endRows() {
        batch.end()
        workspace.endBatch()
        forgetPrepared()
    }

    private func fail(_ segments: [BatchSegment], _ error: EngineError) -> EngineError {
        capturedStreams = nil
        // Buffers that have grown already would be missing for a smaller batch.
        if error.code == .outOfMemory { workspace.removeAll() }
        end(segments, committing: false)
        return error
    }

    private func end(_ segments: [BatchSegment], committing: Bool) {
        for segment in segments {
            if committing {
                segment.sequence.commit(segment.inputs)
            } else {
                segment.sequence.abandon(segment.count)
            }
        }
        endRows()
    }

    private func beginCapturing() throws(EngineError) {
        capturedStreams =
            capturedLayers.isEmpty ? nil : try rows(.captured, batch.count, capturedLayers.count * stack.width)
    }

    /// Keeps a layer's output, the place of which among those that are kept is `slot`.
    private func capture(_ stream: Rows, at slot: Int) {
        guard let captured = capturedStreams else { return }
        for row in 0..<stream.count {
            (captured.row(row) + slot * stream.length).update(from: stream.row(row), count: stream.length)
        }
    }

    /// Tells that the pass comes to a matrix, which may have to be read from disk.
    func reach(_ matrix: WeightMatrix) {
        guard let readAhead else { return }
        readAhead.reach(matrix.kernel.data)
        if readAhead.isDone { self.readAhead = nil }
    }

    /// The vectors of the batch's positions in front of the first layer.
    private func embed() throws(EngineError) -> Rows {
        let stream = try rows(.stream, batch.count, stack.width)
        if let embedding {
            readEmbeddings(WeightMatrix(embedding.table), into: stream)
            try adaptEmbeddings(stream)
            if embedding.scale != 1 { kernels.scale(stream, by: embedding.scale) }
        }
        placeVectors(in: stream)
        workspace.release([.patches])
        guard let embedding else { return stream }
        if let positions = embedding.positions { try addPositions(WeightMatrix(positions), to: stream) }
        if let type = embedding.type { addTypes(type, embedding.secondType, to: stream) }
        if let norm = embedding.norm { kernels.norm(stream, norm, into: stream) }
        if let perLayer = embedding.perLayer {
            tokenInputs = try perLayer.run(stream, rows: batch.tokens.map { max(Int($0), 0) }, self)
        }
        return stream
    }

    /// The vocabulary's rows for tokens; zero where a vector comes in their place.
    private func readEmbeddings(_ table: WeightMatrix, into stream: Rows) {
        var row = 0
        for segment in batch.segments {
            if case .tokens(let tokens, _) = segment.inputs {
                for (index, token) in tokens.enumerated() {
                    if token >= 0 {
                        table.read(row: Int(token), into: stream.row(row + index))
                    } else {
                        stream.row(row + index).update(repeating: 0, count: stream.length)
                    }
                }
            }
            row += segment.count
        }
    }

    /// Vectors that come in place of tokens; they are as they are, neither scaled nor adapted.
    private func placeVectors(in stream: Rows) {
        var row = 0
        for segment in batch.segments {
            func place(_ index: Int, _ vectors: any InputVectors) {
                stream.row(row + index).update(
                    from: vectors.vector(at: segment.sequence.count + index), count: stream.length)
            }
            switch segment.inputs {
            case .tokens(let tokens, let vectors?):
                for (index, token) in tokens.enumerated() where token < 0 { place(index, vectors) }
            case .tokens(_, nil): break
            case .vectors(let count, let vectors): for index in 0..<count { place(index, vectors) }
            }
            row += segment.count
        }
    }

    /// Adds the vectors that come behind one of the first layers in the places of tokens.
    private func addVectors(behind layer: Int, to stream: Rows) {
        for row in 0..<stream.count {
            guard let vectors = batch.vectors(of: row),
                let addition = vectors.addition(at: Int(batch.positions[row]), layer: layer)
            else { continue }
            kernels.add(
                Rows(base: UnsafeMutablePointer(mutating: addition), count: 1, length: stream.length),
                to: stream.slice(row..<row + 1))
        }
    }

    /// Marks the tokens of texts, and those of the second of two in another way.
    private func addTypes(_ first: Vector, _ second: Vector?, to stream: Rows) {
        guard let second, batch.segments.contains(where: { $0.secondText != nil }) else {
            return kernels.addBias(first, to: stream)
        }
        var row = 0
        for segment in batch.segments {
            let (middle, end) = (row + (segment.secondText ?? segment.count), row + segment.count)
            kernels.addBias(first, to: stream.slice(row..<middle))
            if middle < end { kernels.addBias(second, to: stream.slice(middle..<end)) }
            row = end
        }
    }

    /// Norms the stream, and adds to the positions of each text the vector of its question's type.
    func enter(_ stream: Rows, _ entry: StreamEntry) {
        if let norm = entry.norm { kernels.norm(stream, norm, into: stream) }
        var row = 0
        for segment in batch.segments {
            let end = row + segment.count
            if let type = segment.questionType {
                let vector = entry.types.slice(type * stream.length..<(type + 1) * stream.length)
                kernels.addBias(vector, to: stream.slice(row..<end))
            }
            row = end
        }
    }

    private func addPositions(_ table: WeightMatrix, to stream: Rows) throws(EngineError) {
        defer { release([.positions]) }
        let rows = try rows(.positions, stream.count, stream.length)
        // A context is no longer than the table of positions.
        for row in 0..<rows.count { table.read(row: Int(batch.positions[row]), into: rows.row(row)) }
        kernels.add(rows, to: stream)
    }
}

// MARK: What layers are made of

extension ForwardPass {
    /// Scratch memory for vectors; what the buffer held before is lost.
    func rows(_ purpose: Workspace.Purpose, _ count: Int, _ length: Int) throws(EngineError) -> Rows {
        Rows(base: try workspace.floats(purpose, count * length), count: count, length: length)
    }

    /// Ends the use of buffers; see ``Workspace/release(_:)``.
    func release(_ purposes: @autoclosure () -> [Workspace.Purpose]) { workspace.release(purposes()) }

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
        defer { release([.factors]) }
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
    func keepWanted(_ stream: Rows, _ features: MixerFeatures) -> (stream: Rows, features: MixerFeatures) {
        guard let kept = batch.keepWanted() else { return (stream, features) }
        readyTables.removeAll(keepingCapacity: true)
        tokenInputs = tokenInputs?.compacted(to: kept)
        streams = streams.map { $0.compacted(to: kept) }
        return (stream.compacted(to: kept), features.compacted(to: kept))
    }

    /// Leaves them out behind the layers, where all rows were needed so far.
    private func keepWanted(_ stream: Rows) -> Rows {
        guard let kept = batch.keepWanted() else { return stream }
        return stream.compacted(to: kept)
    }
}

// MARK: Streams side by side

extension ForwardPass {
    /// Scratch memory for streams that are made of ``streams``.
    ///
    /// - Parameter stream: has the size of each.
    func newStreams(_ count: Int, like stream: Rows) throws(EngineError) -> [Rows] {
        areStreamsMoved.toggle()
        let all = try rows(areStreamsMoved ? .movedStreams : .streams, count * stream.count, stream.length)
        return (0..<count).map { all.slice($0 * stream.count..<($0 + 1) * stream.count) }
    }
}

// MARK: What layers get of the tokens

extension ForwardPass {
    /// A layer's vectors of the batch's tokens; their rows are ``tokenInputStride`` floats apart.
    ///
    /// - Parameters:
    ///   - index: which of the layers with such vectors it is.
    ///   - length: floats of a vector.
    func tokenInputs(_ index: Int, length: Int) -> UnsafePointer<Float> {
        // Layers have such vectors only where the embedding makes them.
        UnsafePointer(tokenInputs.unsafelyUnwrapped.base + index * length)
    }

    /// Floats between the vectors of two rows.
    var tokenInputStride: Int { tokenInputs?.length ?? 0 }
}

// MARK: What mixers need to know of the sequences

extension ForwardPass {
    /// The cosines and sines of every row for one of the stack's rotations.
    package func ropeTable(_ index: Int) throws(EngineError) -> UnsafePointer<Float> {
        let (dimensions, axes) = (stack.ropes[index].dimensions, stack.ropes[index].axes)
        let table = try workspace.ropeTable(index, batch.count * dimensions)
        if readyTables.insert(index).inserted {
            kernels.timed("rotation table") {
                leap_rope_table(
                    axes.isEmpty ? batch.positions : batch.rotaryPositions, axes.isEmpty ? 1 : 3,
                    axes.isEmpty ? nil : axes, Int64(batch.count), ropes[index].inverse, Int32(dimensions),
                    ropes[index].attentionFactor, table)
            }
        }
        return UnsafePointer(table)
    }

    /// Multiplies queries with the factors of their positions.
    func scale(_ queries: Rows, by temperature: QueryTemperature) {
        for row in 0..<queries.count {
            let factor = temperature.factor(at: Int(batch.positions[row]))
            if factor != 1 { kernels.scale(queries.slice(row..<row + 1), by: factor) }
        }
    }

    /// Writes every row's keys and values into the cache.
    func storeKeyValues(layer: Int, keys: Rows, values: Rows, heads: Int) {
        slots.removeAll(keepingCapacity: true)
        let offsets = layout.attention[layer]
        for row in 0..<batch.count {
            let position = Int(batch.positions[row])
            let page = batch.sequence(of: row).pages[position / StatePage.length].base
            slots.append(
                leap_kv_slot(
                    k_page: page + offsets.keys, v_page: page + offsets.values,
                    offset: Int32(position % StatePage.length)))
        }
        kernels.timed("store keys and values") {
            leap_kv_store(
                kernels.pool, layout.keyValueType.kernelValue, Int32(heads), Int32(keys.length / heads), keys.base,
                Int64(keys.length), values.base, Int64(values.length), slots, Int64(slots.count))
        }
    }

    /// Lets rows of queries attend to their sequences.
    ///
    /// - Parameters:
    ///   - block: whose queries they are.
    ///   - shape: what the queries have in common.
    func attend(_ block: AttentionBlock, _ shape: leap_attention_shape, queries rows: Rows, into out: Rows) {
        let layer = block.cacheIndex
        var shape = shape
        // The window is counted back from the query, which is not where the positions end that it sees.
        if block.seesWholeImages || block.readsBehind { shape.window = 0 }
        queries.removeAll(keepingCapacity: true)
        for row in 0..<rows.count {
            let table = batch.sequence(of: row).table
            let seen = seenPositions(of: row, block)
            queries.append(
                leap_attention_query(
                    k_pages: table.keys(layer), v_pages: table.values(layer), position: Int64(seen.upperBound),
                    q: rows.row(row), out: out.row(row), first: Int64(seen.lowerBound)))
        }
        kernels.timed(
            "attention", bytes: cacheBytesRead(shape),
            operations: queries.reduce(0) { $0 + 4 * Int(shape.q_heads * shape.head_dim) * seen($1, shape) }
        ) {
            withUnsafePointer(to: shape) { leap_attention(kernels.pool, $0, queries, Int64(queries.count)) }
        }
    }

    /// The positions that a row sees, but for a window over those before it where the row's own is the last.
    private func seenPositions(of row: Int, _ block: AttentionBlock) -> ClosedRange<Int> {
        let own = Int(batch.positions[row])
        if block.readsBehind {
            // At least the latest one, also with a window of one position.
            let last = max(own - 1, 0)
            return (block.window > 0 ? min(max(0, own - block.window + 1), last) : 0)...last
        }
        if block.seesWholeImages {
            return (block.window > 0 ? max(0, own - block.window + 1) : 0)...Int(batch.imageEnds[row])
        }
        guard !stack.isCausal else { return 0...own }
        let (last, mediaCount) = (batch.lastPosition(of: row), batch.mediaCount(of: row))
        if mediaCount > 0 {
            if own < mediaCount { return 0...mediaCount - 1 }
            if block.skipsMedia { return mediaCount...last }
        }
        guard let reach = block.reach else { return 0...last }
        return max(0, own - reach)...min(last, own + reach)
    }

    /// Returns the number of positions that a query attends to.
    private func seen(_ query: leap_attention_query, _ shape: leap_attention_shape) -> Int {
        let all = Int(query.position - query.first) + 1
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
        guard stack.isCausal else { return try convolveCentred(block, projected: projected, into: out) }
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
                kernels.pool, kernels.bound.floats(block.filters), Int32(block.taps), Int64(channels),
                convolutionTokens,
                Int64(convolutionTokens.count))
        }
    }

    /// A convolution whose filters reach as far ahead as back: the causal one, read so many positions later.
    ///
    /// So the input of a row stands beside the output gate of the row that many positions before it. Segments are whole
    /// texts; behind each come inputs of zero, and what comes out for the positions before its start is dropped. So it
    /// is behind the pictures and sounds in front of a text, whose own filters reach back to them.
    private func convolveCentred(_ block: ShortConvolutionBlock, projected: Rows, into out: Rows) throws(EngineError) {
        let channels = out.length
        let reach = block.taps / 2
        let runs = batch.segments.reduce(0) { $0 + ($1.mediaCount > 0 ? 2 : 1) }
        let count = batch.count + reach * runs
        defer { release([.shiftedInputs, .convolutionInputs, .dropped]) }
        let shifted = try rows(.shiftedInputs, count, 3 * channels)
        let inputs = try rows(.convolutionInputs, count, channels)
        let dropped = try rows(.dropped, 1, channels)
        convolutionTokens.removeAll(keepingCapacity: true)
        var row = 0
        for segment in batch.segments {
            let (length, mediaCount) = (segment.count, segment.mediaCount)
            // The row of the inputs that the first position of the segment has.
            let first = convolutionTokens.count
            for run in mediaCount > 0 ? [0..<mediaCount, mediaCount..<length] : [0..<length] {
                // Behind the inputs of a run before it come as many of zero as filters reach ahead.
                let skipped = run.lowerBound > 0 ? reach : 0
                for index in run.lowerBound..<run.upperBound + reach {
                    let target = shifted.row(convolutionTokens.count)
                    if index < run.upperBound {
                        target.update(from: projected.row(row + index), count: 3 * channels)
                    } else {
                        target.update(repeating: 0, count: 3 * channels)
                    }
                    let isOut = index - reach >= run.lowerBound
                    if isOut {
                        (target + channels).update(from: projected.row(row + index - reach) + channels, count: channels)
                    }
                    var token = leap_conv_token(
                        bcx: target, previous: (nil, nil, nil, nil, nil, nil, nil),
                        state: inputs.row(convolutionTokens.count),
                        out: isOut ? out.row(row + index - reach) : dropped.base)
                    withUnsafeMutableBytes(of: &token.previous) { raw in
                        let previous = raw.bindMemory(to: UnsafePointer<Float>?.self)
                        for back in 1..<max(block.taps, 1) where index >= back {
                            let position = index - back
                            previous[back - 1] = UnsafePointer(
                                inputs.row(first + position + (position < run.lowerBound ? 0 : skipped)))
                        }
                    }
                    convolutionTokens.append(token)
                }
            }
            row += length
        }
        convolve(block, channels: channels)
    }
}
