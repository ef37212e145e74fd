import CLeapKernels
import LeapTokenizer

/// Runs batches of tokens through a model.
///
/// A batch is a list of rows, one for each token, and rows of several sequences may stand in one batch: the weights are read once for
/// all of them. What a row's numbers are does not depend on the batch it is in.
///
/// Used by one thread at a time.
final class ForwardPass {
    /// Holds the file in memory into which the decoder's weights point.
    private let model: Model
    let decoder: Decoder
    let layout: CacheLayout
    let kernels: Kernels
    let workspace = Workspace()
    private let ropes: [(inverse: [Float], attentionFactor: Float)]

    // The batch in progress.
    private(set) var segments: [BatchSegment] = []
    private(set) var positions: [Int32] = []
    /// Rows that the layers work on: all of them up to the last mixer, then those whose logits are wanted.
    private(set) var rowCount = 0
    private var wantedRows: [Int] = []
    /// Whether the layer in progress is the last one, of which only wanted rows go on.
    private var isLastLayer = false
    private(set) var normed: UnsafeMutablePointer<Float>
    private(set) var branch: UnsafeMutablePointer<Float>
    private var stream: UnsafeMutablePointer<Float>
    private var prepared: [UnsafeMutableRawPointer?] = []
    private var readyTables: Set<Int> = []
    private var slots: [leap_kv_slot] = []
    private var queries: [leap_attention_query] = []
    private var convolutionTokens: [leap_conv_token] = []

    /// Length of the vectors between the layers.
    private var width: Int { decoder.embedding.columns }
    /// Logits of one position.
    var vocabularySize: Int { decoder.output.rows }

    /// Prepares for a model.
    ///
    /// - Parameter contextSize: the most positions of any sequence; some models rotate differently for long contexts.
    init(model: Model, layout: CacheLayout, kernels: Kernels, contextSize: Int) throws(EngineError) {
        let decoder = model.decoder
        self.model = model
        self.decoder = decoder
        self.layout = layout
        self.kernels = kernels
        ropes = decoder.ropes.map { $0.frequencies(contextSize: contextSize) }
        stream = try workspace.floats(.stream, decoder.embedding.columns)
        normed = try workspace.floats(.normed, decoder.embedding.columns)
        branch = try workspace.floats(.branch, decoder.embedding.columns)
    }

    /// Computes a batch and adds its tokens to their sequences.
    ///
    /// - Parameters:
    ///   - batch: at most one segment for each sequence; token ids inside of the vocabulary.
    ///   - shouldContinue: asked before each layer; when it says no, the sequences hold what they held before, or up to 63
    ///     tokens less (see ``SequenceState/abandon(_:)``).
    /// - Returns: the logits of the wanted tokens in the order of the batch, `[wanted][vocabularySize]`, valid until the next
    ///   run; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; the sequences are as after a stop.
    func run(
        _ batch: [BatchSegment], shouldContinue: () -> Bool = { true }
    ) throws(EngineError) -> UnsafeMutableBufferPointer<Float>? {
        do {
            for segment in batch { try segment.sequence.reserve(segment.tokens.count) }
            try begin(batch)
            for index in decoder.layers.indices {
                guard shouldContinue() else {
                    end(committing: false)
                    return nil
                }
                isLastLayer = index == decoder.layers.count - 1
                try run(decoder.layers[index])
                if rowCount == 0 { break }
            }
            let logits = try runOutput()
            end(committing: true)
            return logits
        } catch {
            segments = batch
            end(committing: false)
            throw error
        }
    }

    private func begin(_ batch: [BatchSegment]) throws(EngineError) {
        segments = batch
        positions.removeAll(keepingCapacity: true)
        wantedRows.removeAll(keepingCapacity: true)
        readyTables.removeAll(keepingCapacity: true)
        for segment in batch {
            for index in segment.wantedIndices { wantedRows.append(positions.count + index) }
            for index in 0..<segment.tokens.count { positions.append(Int32(segment.sequence.count + index)) }
        }
        rowCount = positions.count
        workspace.beginBatch(rows: rowCount)
        stream = try workspace.floats(.stream, rowCount * width)
        normed = try workspace.floats(.normed, rowCount * width)
        branch = try workspace.floats(.branch, rowCount * width)
        let table = decoder.embedding.kernel
        var row = 0
        for segment in batch {
            for token in segment.tokens {
                leap_dequantize_row(
                    table.type, table.data + Int(token) * table.row_bytes, stream + row * width, Int64(width))
                row += 1
            }
        }
        if decoder.embeddingScale != 1 {
            kernels.scale(stream, by: decoder.embeddingScale, length: width, rows: rowCount)
        }
    }

    private func end(committing: Bool) {
        for segment in segments {
            if committing {
                segment.sequence.commit(segment.tokens)
            } else {
                segment.sequence.abandon(segment.tokens.count)
            }
        }
        segments.removeAll(keepingCapacity: true)
    }

    private func run(_ layer: DecoderLayer) throws(EngineError) {
        kernels.rmsNorm(stream, layer.mixerNorm, length: width, rows: rowCount, into: normed)
        switch layer.mixer {
        case .attention(let block): try block.run(self)
        case .shortConvolution(let block): try block.run(self)
        }
        if isLastLayer { narrowStream() }
        guard rowCount > 0 else { return }
        try addBranch(layer.mixerPostNorm, scale: layer.residualScale)

        kernels.rmsNorm(stream, layer.feedForwardNorm, length: width, rows: rowCount, into: normed)
        switch layer.feedForward {
        case .dense(let network): try network.run(self)
        case .mixture(let network): try network.run(self)
        }
        try addBranch(layer.feedForwardPostNorm, scale: layer.residualScale)
    }

    private func addBranch(_ norm: RMSNorm?, scale: Float) throws(EngineError) {
        if let norm { kernels.rmsNorm(branch, norm, length: width, rows: rowCount, into: branch) }
        guard scale != 1 else {
            kernels.add(branch, to: stream, length: width, rows: rowCount)
            return
        }
        let factors = try workspace.floats(.factors, rowCount)
        factors.update(repeating: scale, count: rowCount)
        let n = Int64(width)
        leap_add_scaled(kernels.pool, stream, n, branch, n, factors, n, Int64(rowCount), stream, n)
    }

    private func runOutput() throws(EngineError) -> UnsafeMutableBufferPointer<Float> {
        let count = rowCount * vocabularySize
        let logits = try workspace.floats(.logits, max(count, 1))
        if rowCount > 0 {
            kernels.rmsNorm(stream, decoder.outputNorm, length: width, rows: rowCount, into: normed)
            try project(normed, count: rowCount, [(decoder.output, logits, vocabularySize)])
            if decoder.logitScale != 1 {
                kernels.scale(logits, by: decoder.logitScale, length: vocabularySize, rows: rowCount)
            }
            if decoder.logitSoftcap > 0 {
                leap_softcap(
                    kernels.pool, logits, Int64(vocabularySize), decoder.logitSoftcap, Int64(vocabularySize),
                    Int64(rowCount))
            }
        }
        return UnsafeMutableBufferPointer(start: logits, count: count)
    }
}

// MARK: Rows that go on

extension ForwardPass {
    /// How many rows leave the mixer in progress.
    var outgoingRowCount: Int { isLastLayer ? wantedRows.count : rowCount }

    /// The rows that leave the mixer in progress, by their index in the batch.
    func outgoingRow(_ index: Int) -> Int { isLastLayer ? wantedRows[index] : index }

    /// Moves the rows that leave the mixer to the front of a buffer that has all of them.
    func narrow(_ buffer: UnsafeMutablePointer<Float>, length: Int) {
        guard isLastLayer, wantedRows.count < rowCount else { return }
        for (index, row) in wantedRows.enumerated() where index != row {
            (buffer + index * length).update(from: buffer + row * length, count: length)
        }
    }

    private func narrowStream() {
        narrow(stream, length: width)
        rowCount = wantedRows.count
    }
}

// MARK: Products

extension ForwardPass {
    /// A product to compute: the matrix, where its outputs go, and the distance of two rows of outputs.
    typealias Product = (matrix: WeightMatrix, out: UnsafeMutablePointer<Float>, stride: Int)

    /// Multiplies `count` rows of inputs with several matrices of the same width in one go, and adds their biases.
    func project(_ x: UnsafePointer<Float>, count: Int, _ products: [Product]) throws(EngineError) {
        for product in products { try prepare(x, count: count, for: product.matrix) }
        withUnsafeTemporaryAllocation(of: leap_matmul_job.self, capacity: products.count) { jobs in
            for (index, product) in products.enumerated() {
                jobs.initializeElement(
                    at: index,
                    to: job(product.matrix, tokens: count, gather: nil, out: product.out, stride: product.stride))
            }
            if let base = jobs.baseAddress { kernels.multiply(base, count: products.count) }
        }
        for product in products {
            if let bias = product.matrix.bias {
                kernels.addBias(bias, to: product.out, stride: product.stride, rows: count)
            }
        }
        forgetPrepared()
    }

    /// Prepares inputs in the form in which a matrix takes them, unless they are in that form already.
    func prepare(_ x: UnsafePointer<Float>, count: Int, for matrix: WeightMatrix) throws(EngineError) {
        let kind = Int(matrix.activationKind)
        while prepared.count <= kind { prepared.append(nil) }
        guard prepared[kind] == nil else { return }
        let columns = Int64(matrix.columns)
        let buffer = try workspace.activation(
            kind: matrix.activationKind, byteCount: leap_activation_bytes(matrix.activationKind, columns, Int64(count)))
        kernels.prepare(kind: matrix.activationKind, x, columns: matrix.columns, rows: count, into: buffer)
        prepared[kind] = buffer
    }

    /// Forgets prepared inputs: the next products have others.
    func forgetPrepared() {
        for index in prepared.indices { prepared[index] = nil }
    }

    /// A product of prepared inputs, or of some of them.
    func job(
        _ matrix: WeightMatrix, tokens: Int, gather: UnsafePointer<Int32>?, out: UnsafeMutablePointer<Float>,
        stride: Int
    ) -> leap_matmul_job {
        leap_matmul_job(
            w: matrix.kernel,
            act: prepared[Int(matrix.activationKind)].unsafelyUnwrapped,  // prepare(_:count:for:) has put it there
            gather: gather, tokens: Int64(tokens), out: out, out_stride: Int64(stride))
    }
}

// MARK: What blocks need to know of the sequences

extension ForwardPass {
    /// The cosines and sines of every row for one of the decoder's rotations.
    func ropeTable(_ index: Int) throws(EngineError) -> UnsafePointer<Float> {
        let dimensions = decoder.ropes[index].dimensions
        let table = try workspace.ropeTable(index, rowCount * dimensions)
        if readyTables.insert(index).inserted {
            kernels.timed("rotation table") {
                leap_rope_table(
                    positions, Int64(rowCount), ropes[index].inverse, Int32(dimensions), ropes[index].attentionFactor,
                    table)
            }
        }
        return UnsafePointer(table)
    }

    /// Writes every row's keys and values into the cache.
    func storeKeyValues(
        layer: Int, keys: UnsafePointer<Float>, values: UnsafePointer<Float>, heads: Int, headDimension: Int
    ) {
        slots.removeAll(keepingCapacity: true)
        let offsets = layout.attention[layer]
        for segment in segments {
            for index in 0..<segment.tokens.count {
                let position = segment.sequence.count + index
                let page = segment.sequence.pages[position / CacheLayout.pageLength].base
                slots.append(
                    leap_kv_slot(
                        k_page: page + offsets.keys, v_page: page + offsets.values,
                        offset: Int32(position % CacheLayout.pageLength)))
            }
        }
        let stride = Int64(heads * headDimension)
        kernels.timed("store keys and values") {
            leap_kv_store(
                kernels.pool, layout.keyValueType.kernelValue, Int32(heads), Int32(headDimension), keys, stride, values,
                stride, slots, Int64(slots.count))
        }
    }

    /// Lets the rows that leave the layer attend to their sequences; row i of `out` is the i-th of them.
    func attend(
        layer: Int, shape: leap_attention_shape, q: UnsafePointer<Float>, out: UnsafeMutablePointer<Float>, width: Int
    ) {
        queries.removeAll(keepingCapacity: true)
        var segmentIndex = 0
        var firstRow = 0
        for index in 0..<outgoingRowCount {
            let row = outgoingRow(index)
            while row >= firstRow + segments[segmentIndex].tokens.count {
                firstRow += segments[segmentIndex].tokens.count
                segmentIndex += 1
            }
            let table = segments[segmentIndex].sequence.table
            queries.append(
                leap_attention_query(
                    k_pages: table.keys(layer), v_pages: table.values(layer), position: Int64(positions[row]),
                    q: q + row * width, out: out + index * width))
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

    /// Runs a short convolution over every row and keeps its inputs in the cache.
    func convolve(
        layer: Int, _ block: ShortConvolutionBlock, projected: UnsafePointer<Float>, out: UnsafeMutablePointer<Float>
    ) {
        let channels = block.channels
        convolutionTokens.removeAll(keepingCapacity: true)
        var row = 0
        for segment in segments {
            let sequence = segment.sequence
            for position in sequence.count..<sequence.count + segment.tokens.count {
                var token = leap_conv_token(
                    bcx: projected + row * 3 * channels, previous: (nil, nil, nil, nil, nil, nil, nil),
                    state: sequence.convolutionInput(layer: layer, position: position), out: out + row * channels)
                withUnsafeMutableBytes(of: &token.previous) { raw in
                    let previous = raw.bindMemory(to: UnsafePointer<Float>?.self)
                    for back in 1..<max(block.taps, 1) where position >= back {
                        previous[back - 1] = UnsafePointer(
                            sequence.convolutionInput(layer: layer, position: position - back))
                    }
                }
                convolutionTokens.append(token)
                row += 1
            }
        }
        kernels.timed("short convolution") {
            leap_short_conv(
                kernels.pool, block.filters.pointer, Int32(block.taps), Int64(channels), convolutionTokens,
                Int64(convolutionTokens.count))
        }
    }
}
