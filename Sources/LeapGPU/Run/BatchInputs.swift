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
    private(set) var streamRows: [GPUBinding] = []
    /// The vectors that the rows' tokens have for all layers, and the floats of a token's; nil without.
    let tokenInputs: (rows: GPUBinding, length: Int)?
    /// The positions that rows see.
    private(set) var seen: [Sight: GPUBinding] = [:]
    private(set) var wantedSeen: [Sight: GPUBinding] = [:]
    let pages: GPUBinding
    /// The most pages of a sequence.
    let pageCount: Int
    let slots: GPUBinding
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

    private static let none = UInt32.max

    /// - Parameters:
    ///   - segmentPages: the pages that the positions of each segment see.
    ///   - tables: the cosines and then the sines of each row, by the stack's rotation.
    init(
        _ batch: SuffixBatch, _ model: GPUModel, _ scratch: Scratch, pages segmentPages: [SeenPages],
        tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) {
        rowCount = batch.stream.count
        pageCount = segmentPages.map(\.offsets.count).max() ?? 0
        promptRows = batch.segments.filter(\.isPrompt).map(\.rows)
        wanted = batch.wanted
        stream = try scratch.take(.stream, rowCount * model.width)
        stream.buffer.contents.copyMemory(from: UnsafeRawBufferPointer(batch.stream.values))

        streams = try Self.streams(batch, model, scratch)
        if let vectors = batch.tokenInputs, model.layers.contains(where: { $0.tokenInput != nil }) {
            let rows = try scratch.take(.tokenInputs, vectors.count * vectors.length)
            rows.buffer.contents.copyMemory(from: UnsafeRawBufferPointer(vectors.values))
            tokenInputs = (rows, vectors.length)
        } else {
            tokenInputs = nil
        }
        if let count = model.alternating?.count {
            for stream in 1..<count {
                let rows = (0..<rowCount).map { UInt32($0 * count + stream) }
                streamRows.append(try scratch.write(.streamRows(stream), rows))
            }
        }

        for rotation in model.rotations {
            let pairs = model.ropes[rotation.first].dimensions / 2, parts = rotation.indices.compactMap { tables[$0] }
            func turns(_ rows: some Collection<Int>) -> [Float] {
                var turns: [Float] = []
                turns.reserveCapacity(2 * parts.count * pairs * rows.count)
                for row in rows {
                    for table in parts {
                        for pair in 0..<pairs {
                            turns.append(table[2 * pairs * row + pair])
                            turns.append(table[2 * pairs * row + pairs + pair])
                        }
                    }
                }
                return turns
            }
            rotations[rotation] = try scratch.write(.rotations(rotation), turns(0..<rowCount))
            guard model.narrowedRotations.contains(rotation), wanted.count < rowCount else { continue }
            wantedRotations[rotation] = try scratch.write(.wantedRotations(rotation), turns(wanted))
        }
        patches = try model.convolvesImages ? scratch.write(.purpose(.patches), Self.patches(batch)) : nil

        var (firsts, pageStarts): ([Int], [UInt32]) = ([], [])
        for segment in segmentPages {
            firsts.append(pageStarts.count)
            for offset in segment.offsets { pageStarts.append(UInt32(offset / 2)) }
        }
        var positions: [(segment: Int, position: Int)] = []
        var slotTable: [UInt32] = []
        for (index, segment) in batch.segments.enumerated() {
            for row in segment.rows {
                let position = segment.start + row - segment.rows.lowerBound
                positions.append((index, position))
                let page = position / StatePage.length - segmentPages[index].first
                slotTable.append(UInt32(segmentPages[index].offsets[page] / 2))
                slotTable.append(UInt32(position % StatePage.length))
            }
        }
        // As many pages as all segments have together are no part of a batch's shape: kernels see the whole buffer.
        pages = GPUBinding(try scratch.write(.purpose(.pages), pageStarts).buffer)
        slots = try scratch.write(.purpose(.slots), slotTable)
        let ends = batch.segments.map { $0.start + $0.rows.count }
        func seenTable(_ rows: some Sequence<Int>, _ sight: Sight) -> [UInt32] {
            rows.flatMap { row -> [UInt32] in
                let (segment, position) = positions[row]
                let first = sight.window > 0 ? max(0, position - sight.window + 1) : 0
                let factor = sight.temperature?.factor(at: position).bitPattern ?? 0
                // Positions are counted from the first page on that is seen.
                let start = segmentPages[segment].first * StatePage.length
                let last = sight.seesWholeImages ? Int(batch.imageEnds[row]) : position
                let end = model.isCausal ? last + 1 : ends[segment]
                return [UInt32(firsts[segment]), UInt32(first - start), UInt32(end - start), factor]
            }
        }
        for sight in model.sights {
            seen[sight] = try scratch.write(.seen(sight), seenTable(0..<rowCount, sight))
            guard wanted.count < rowCount else { continue }
            wantedSeen[sight] = try scratch.write(.wantedSeen(sight), seenTable(wanted, sight))
        }
        wantedRows = try scratch.write(.purpose(.wantedRows), wanted.map { UInt32($0) })
        order = try scratch.write(.purpose(.order), wanted.indices.map { UInt32($0) })

        sequenceCount = batch.segments.count
        var sequenceTable: [UInt32] = []
        var keptRows: [SuffixBatch.Place] = []
        var placeTable = [UInt32](repeating: Self.none, count: rowCount)
        for (index, segment) in batch.segments.enumerated() {
            sequenceTable += [UInt32(segment.rows.lowerBound), UInt32(segment.rows.count), UInt32(index), 0]
            guard !model.convolutions.isEmpty else { continue }
            let end = segment.start + segment.rows.count
            for row in segment.rows {
                let position = segment.start + row - segment.rows.lowerBound
                let isRecent = position >= end - SequenceState.historyLength
                guard isRecent || segment.sequence.indexInPage(position) != nil else { continue }
                placeTable[row] = UInt32(keptRows.count)
                keptRows.append(SuffixBatch.Place(position: position, sequence: segment.sequence))
            }
        }
        kept = keptRows
        sequences = try scratch.write(.purpose(.sequences), sequenceTable)
        places = try scratch.write(.purpose(.places), placeTable)
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
