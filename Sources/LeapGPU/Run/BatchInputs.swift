import LeapCompute
import LeapModel

/// A batch's rows as its layers are told of them, where kernels read that.
struct BatchInputs {
    let rowCount: Int
    let wanted: [Int]
    let stream: GPUBinding
    /// Cosines and sines in pairs, by rotation.
    private(set) var rotations: [HeadRotation: GPUBinding] = [:]
    /// The same of the rows that something is wanted of, for layers that have these only.
    private(set) var wantedRotations: [HeadRotation: GPUBinding] = [:]
    /// Streams side by side; nil where there is one.
    let streams: GPUBinding?
    /// The rows of each of these but the first; of fewer rows, the first so many.
    let streamRows: [GPUBinding]
    /// The vectors that the rows' tokens have for all layers, and the floats of a token's; nil without.
    let tokenInputs: (rows: GPUBinding, length: Int)?
    /// The positions that rows see.
    private(set) var seen: [Sight: GPUBinding] = [:]
    private(set) var wantedSeen: [Sight: GPUBinding] = [:]
    /// The starts of pages in their chunks.
    let pages: GPUBinding
    /// The most pages of a sequence.
    let pageCount: Int
    /// The chunks that pages lie in, and the rows' places there.
    let chunks: [BoundChunk]
    /// The chunk of each run of pages, and what rows see of it; none where there is one chunk.
    let spans: [SpanInputs]
    /// The numbers of the chunks and the chunks of the runs, which are parts of a batch's shape.
    let chunkNumbers: [Int]
    /// The rows that are of prompts.
    let promptRows: [Range<Int>]
    let sequenceCount: Int
    let sequences: GPUBinding
    let states: GPUBinding
    let places: GPUBinding
    /// The places of rows in their pictures; nil where no layer convolves these.
    let patches: GPUBinding?
    let wantedRows: GPUBinding
    /// The indices of as many rows as something is wanted of, from 0 on.
    let order: GPUBinding
    /// The places of the rows whose convolution inputs are kept.
    let kept: [SuffixBatch.Place]

    /// - Parameters:
    ///   - segmentPages: the pages that the positions of each segment see.
    ///   - tables: the cosines and then the sines of each row, by the stack's rotation.
    init(
        _ batch: SuffixBatch, _ model: GPUModel, _ scratch: Scratch, pages segmentPages: [SeenPages],
        tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) {
        rowCount = batch.stream.count
        pageCount = segmentPages.map(\.places.count).max() ?? 0
        promptRows = batch.segments.filter(\.isPrompt).map(\.rows)
        wanted = batch.wanted
        stream = try scratch.take(.stream, rowCount * model.width)
        stream.buffer.contents.copyMemory(from: UnsafeRawBufferPointer(batch.stream.values))

        streams = try Self.streams(batch, model, scratch)
        tokenInputs = try Self.tokenInputs(batch, model, scratch)
        streamRows = try Self.streamRows(rowCount, model, scratch)

        for rotation in model.rotations {
            let pairs = model.ropes[rotation.first].dimensions / 2, parts = rotation.indices.compactMap { tables[$0] }
            rotations[rotation] = try scratch.write(.rotations(rotation), Self.turns(0..<rowCount, parts, pairs: pairs))
            guard model.narrowedRotations.contains(rotation), wanted.count < rowCount else { continue }
            wantedRotations[rotation] = try scratch.write(
                .wantedRotations(rotation), Self.turns(wanted, parts, pairs: pairs))
        }
        patches = try model.convolvesImages ? scratch.write(.purpose(.patches), Self.patches(batch)) : nil

        let positions = PositionTables(batch, segmentPages)
        // As many pages as all segments have together are no part of a batch's shape: kernels see the whole buffer.
        pages = GPUBinding(try scratch.write(.purpose(.pages), positions.pageStarts).buffer)
        let pageSpans = PageSpans(segmentPages)
        chunkNumbers = pageSpans.chunks.map(\.number)
        var chunks: [BoundChunk] = []
        for (index, chunk) in pageSpans.chunks.enumerated() {
            let slots = try scratch.write(.chunkSlots(index), positions.slots(in: chunk))
            chunks.append(BoundChunk(pages: GPUBinding(pageSpans.buffers[index]), slots: slots))
        }
        self.chunks = chunks
        var spans: [SpanInputs] = []
        for (index, span) in pageSpans.spans.enumerated() {
            spans.append(try SpanInputs(span, index: index, wanted: batch.wanted, batch, model, scratch, positions))
        }
        self.spans = spans
        for sight in model.sights {
            seen[sight] = try scratch.write(
                .seen(sight), positions.seen(from: 0..<rowCount, sight, batch, isCausal: model.isCausal))
            guard wanted.count < rowCount else { continue }
            wantedSeen[sight] = try scratch.write(
                .wantedSeen(sight), positions.seen(from: wanted, sight, batch, isCausal: model.isCausal))
        }
        wantedRows = try scratch.write(.purpose(.wantedRows), wanted.map { UInt32($0) })
        order = try scratch.write(.purpose(.order), wanted.indices.map { UInt32($0) })

        sequenceCount = batch.segments.count
        let sequenceTables = SequenceTables(batch, hasConvolutions: !model.convolutions.isEmpty)
        kept = sequenceTables.kept
        sequences = try scratch.write(.purpose(.sequences), sequenceTables.sequences)
        places = try scratch.write(.purpose(.places), sequenceTables.places)
        states = try scratch.write(.purpose(.states), Self.states(batch, model))
    }

    /// The streams side by side in front of the layers, `[rows][streams][width]`; nil where there is one.
    private static func streams(
        _ batch: SuffixBatch, _ model: GPUModel, _ scratch: Scratch
    ) throws(GPUError) -> GPUBinding? {
        guard model.alternating != nil else { return nil }
        let streams = batch.streams, (rows, length) = (batch.stream.count, model.width)
        let binding = try scratch.take(.streams, rows * streams.count * length)
        guard let base = binding.buffer.contents.baseAddress?.assumingMemoryBound(to: Float.self) else { return nil }
        for (index, stream) in streams.enumerated() {
            for row in 0..<rows {
                (base + (row * streams.count + index) * length).update(from: stream.row(row), count: length)
            }
        }
        return binding
    }

    /// The vectors that the rows' tokens have for all layers; nil where no layer takes them.
    private static func tokenInputs(
        _ batch: SuffixBatch, _ model: GPUModel, _ scratch: Scratch
    ) throws(GPUError) -> (rows: GPUBinding, length: Int)? {
        guard let vectors = batch.tokenInputs, model.layers.contains(where: { $0.tokenInput != nil }) else {
            return nil
        }
        let rows = try scratch.take(.tokenInputs, vectors.count * vectors.length)
        rows.buffer.contents.copyMemory(from: UnsafeRawBufferPointer(vectors.values))
        return (rows, vectors.length)
    }

    /// The indices of the rows of each stream but the first.
    private static func streamRows(
        _ rowCount: Int, _ model: GPUModel, _ scratch: Scratch
    ) throws(GPUError) -> [GPUBinding] {
        var streamRows: [GPUBinding] = []
        guard let count = model.alternating?.count else { return streamRows }
        for stream in 1..<count {
            let rows = (0..<rowCount).map { UInt32($0 * count + stream) }
            streamRows.append(try scratch.write(.streamRows(stream), rows))
        }
        return streamRows
    }

    /// The cosines and sines of rows in pairs.
    ///
    /// - Parameter tables: the cosines and then the sines of each row, by the part of a head that they rotate.
    private static func turns(
        _ rows: some Collection<Int>, _ tables: [UnsafePointer<Float>], pairs: Int
    ) -> [Float] {
        var turns: [Float] = []
        turns.reserveCapacity(2 * tables.count * pairs * rows.count)
        for row in rows {
            for table in tables {
                for pair in 0..<pairs {
                    turns.append(table[2 * pairs * row + pair])
                    turns.append(table[2 * pairs * row + pairs + pair])
                }
            }
        }
        return turns
    }

    /// The inputs of convolutions in front of each segment, `[layers][segments][taps - 1][channels]`.
    private static func states(_ batch: SuffixBatch, _ model: GPUModel) -> [Float] {
        var states: [Float] = []
        for layer in model.convolutions {
            for segment in batch.segments {
                let first = segment.start - (layer.taps - 1)
                if first < 0 { states += repeatElement(0, count: -first * layer.channels) }
                batch.addConvolutionInputs(
                    layer: layer.cacheIndex, positions: max(0, first)..<segment.start, of: segment.sequence,
                    to: &states)
            }
        }
        return states
    }
}

/// The part of a run of pages that a batch's rows see; see ``PageSpans``.
struct SpanInputs {
    /// The index of the run's chunk among those of the batch.
    let chunk: Int
    private let seen: [Sight: GPUBinding]
    private let wantedSeen: [Sight: GPUBinding]

    fileprivate init(
        _ span: PageSpans.Span, index: Int, wanted: [Int], _ batch: SuffixBatch, _ model: GPUModel,
        _ scratch: Scratch, _ positions: PositionTables
    ) throws(GPUError) {
        let rowCount = batch.stream.count
        var (seen, wantedSeen): ([Sight: GPUBinding], [Sight: GPUBinding]) = ([:], [:])
        for sight in model.sights {
            seen[sight] = try scratch.write(
                .spanSeen(index, sight),
                positions.seen(from: 0..<rowCount, sight, batch, isCausal: model.isCausal, in: span.pages))
            guard wanted.count < rowCount else { continue }
            wantedSeen[sight] = try scratch.write(
                .wantedSpanSeen(index, sight),
                positions.seen(from: wanted, sight, batch, isCausal: model.isCausal, in: span.pages))
        }
        (chunk, self.seen, self.wantedSeen) = (span.chunk, seen, wantedSeen)
    }

    /// The table of a sight, for all rows or those that something is wanted of.
    func table(_ sight: Sight, isNarrowed: Bool) -> GPUBinding? { (isNarrowed ? wantedSeen : seen)[sight] }
}

/// The places of a batch's rows in their sequences and in the pages of these.
private struct PositionTables {
    /// The starts of the pages that segments see, one segment's after the other's.
    private(set) var pageStarts: [UInt32] = []
    /// The page of each row, and its place there.
    private var slots: [(page: StateArena.Place, position: Int)] = []
    /// The index of each segment's first page among ``pageStarts``.
    private var firsts: [Int] = []
    private var positions: [(segment: Int, position: Int)] = []
    /// The position behind each segment.
    private let ends: [Int]
    private let segmentPages: [SeenPages]

    init(_ batch: SuffixBatch, _ segmentPages: [SeenPages]) {
        self.segmentPages = segmentPages
        ends = batch.segments.map { $0.start + $0.rows.count }
        for segment in segmentPages {
            firsts.append(pageStarts.count)
            for place in segment.places { pageStarts.append(UInt32(place.offset / 2)) }
        }
        for (index, segment) in batch.segments.enumerated() {
            for row in segment.rows {
                let position = segment.start + row - segment.rows.lowerBound
                positions.append((index, position))
                let page = position / StatePage.length - segmentPages[index].first
                slots.append((segmentPages[index].places[page], position % StatePage.length))
            }
        }
    }

    /// The page of each row in a chunk, and its place there; the spare page for rows whose page is in another chunk.
    func slots(in chunk: StateChunk) throws(GPUError) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(2 * slots.count)
        for (page, position) in slots {
            guard let start = page.chunk === chunk ? page.offset : chunk.spareStart else {
                throw .invalid("a batch has pages in two chunks, one of which has no spare page")
            }
            words += [UInt32(start / 2), UInt32(position)]
        }
        return words
    }

    /// For each of some rows the first page of its segment, the positions that it sees, and its queries' factor.
    ///
    /// - Parameter pages: the pages of each segment that are looked at, counted from the first; nil for all.
    func seen(
        from rows: some Sequence<Int>, _ sight: Sight, _ batch: SuffixBatch, isCausal: Bool,
        in pages: [Range<Int>]? = nil
    ) -> [UInt32] {
        rows.flatMap { row -> [UInt32] in
            let (segment, position) = positions[row]
            let first = sight.window > 0 ? max(0, position - sight.window + 1) : 0
            let factor = sight.temperature?.factor(at: position).bitPattern ?? 0
            // Positions are counted from the first page on that is seen.
            let start = segmentPages[segment].first * StatePage.length
            let last = sight.seesWholeImages ? Int(batch.imageEnds[row]) : position
            let end = isCausal ? last + 1 : ends[segment]
            var range = first - start..<max(first, end) - start
            if let run = pages?[segment] {
                range = range.clamped(to: run.lowerBound * StatePage.length..<run.upperBound * StatePage.length)
                // Kernels leave out pages where the end is 0.
                if range.isEmpty { range = 0..<0 }
            }
            return [UInt32(firsts[segment]), UInt32(range.lowerBound), UInt32(range.upperBound), factor]
        }
    }
}

/// The rows of each sequence of a batch, and those whose convolution inputs are kept.
private struct SequenceTables {
    private(set) var sequences: [UInt32] = []
    /// The index of each row among ``kept``.
    private(set) var places: [UInt32]
    private(set) var kept: [SuffixBatch.Place] = []

    private static let none = UInt32.max

    init(_ batch: SuffixBatch, hasConvolutions: Bool) {
        places = [UInt32](repeating: Self.none, count: batch.stream.count)
        for (index, segment) in batch.segments.enumerated() {
            sequences += [UInt32(segment.rows.lowerBound), UInt32(segment.rows.count), UInt32(index), 0]
            guard hasConvolutions else { continue }
            let end = segment.start + segment.rows.count
            for row in segment.rows {
                let position = segment.start + row - segment.rows.lowerBound
                let isRecent = position >= end - SequenceState.historyLength
                guard isRecent || segment.sequence.indexInPage(position) != nil else { continue }
                places[row] = UInt32(kept.count)
                kept.append(SuffixBatch.Place(position: position, sequence: segment.sequence))
            }
        }
    }
}
