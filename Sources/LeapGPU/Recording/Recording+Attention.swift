import LeapCompute
import LeapModel

/// The placement of heads; see place.slang.
struct HeadPlacement {
    /// Heads of queries.
    let heads: Int
    let keyHeads: Int
    let headLength: Int
    /// The gains of the queries and then those of the keys.
    let norm: GPUNorm?
    let pairs: Int
    let isInterleaved: Bool
    /// True if the halves of heads turn by themselves, `pairs` of each.
    var turnsHalves = false
    /// True if each head of the queries is followed by its gates.
    var hasGates = false
    /// True if keys and values follow the queries; without them, others are attended to.
    var hasKeys = true
    /// The epsilon of a norm of values, without gains; nil where they are not normed.
    var valueEpsilon: Float?
    /// The places of the layer's keys and values in a page, in bytes.
    let keyStart: Int
    let valueStart: Int
    /// The type in which keys and values are kept.
    let type: KeyValueType

    /// Heads between a query head and the next one, itself included.
    var queryStep: Int { hasGates ? 2 : 1 }
    /// Vectors of a token in front of its keys.
    var queryVectors: Int { heads * queryStep }
    /// Vectors of a token's queries, gates, keys and values.
    var vectors: Int { queryVectors + 2 * placedKeyHeads }
    /// Heads of keys among the vectors.
    var placedKeyHeads: Int { hasKeys ? keyHeads : 0 }
    /// True if several heads that have the same key head go together where there are many rows; see
    /// ``GPUAttention/hasGroups``.
    let hasGroups: Bool
    /// Floats that a page gives to a token's heads.
    var floatsPerPage: Int { heads * (2 + headLength) }

    /// The constants of the kernels that place heads; see place.slang.
    func constants(count: Int, isRotated: Bool) -> [UInt32] {
        [
            UInt32(count), UInt32(queryVectors), UInt32(placedKeyHeads), UInt32(headLength),
            (norm == nil ? 0 : 1) + (valueEpsilon == nil ? 0 : 2), (norm?.epsilon ?? valueEpsilon ?? 1).bitPattern,
            UInt32(isRotated ? pairs : 0), (isInterleaved ? 1 : 0) + (turnsHalves ? 2 : 0), UInt32(queryStep),
            UInt32(keyStart / 2), UInt32(valueStart / 2),
        ]
    }

    /// The work of norming, rotating and storing the heads of so many tokens.
    func placing(_ count: Int) -> GPUWork { .elements(count * vectors * headLength, buffers: 2) }

    /// The work of so many tokens that attend to pages.
    func attending(_ count: Int, pageCount: Int) -> GPUWork {
        .attention(
            heads: heads, headLength: headLength, rows: count, positions: pageCount * StatePage.length,
            byteCount: type.byteCount(of: headLength) * keyHeads)
    }

    /// The same where heads are normed and rotated already.
    func copyingConstants(count: Int) -> [UInt32] {
        var constants = constants(count: count, isRotated: false)
        (constants[4], constants[7]) = (0, 0)
        return constants
    }

    /// The constants of the kernels of attention; see attention.slang.
    func constants(scale: Float, pageCount: Int, hasSinks: Bool) -> [UInt32] {
        [
            UInt32(heads), UInt32(keyHeads), UInt32(headLength), scale.bitPattern, 0, hasSinks ? 1 : 0,
            UInt32(vectors * headLength), UInt32(queryStep), UInt32(keyStart / 2), UInt32(valueStart / 2),
            UInt32(pageCount),
        ]
    }
}

extension GPUKernel {
    /// The kernel that places the heads of keys and values that are kept in a type.
    static func placement(_ type: KeyValueType) -> Self {
        switch type {
        case .f16: .placeF16
        case .f32: .placeF32
        case .q8_0: .placeRows
        }
    }

    /// The kernels of attention to keys and values of a type: all pages of a head, of several heads, and one page.
    static func attention(_ type: KeyValueType) -> (whole: Self, group: Self, page: Self) {
        switch type {
        case .f16: (.attentionF16, .attentionGroupF16, .attentionPageF16)
        case .f32: (.attentionF32, .attentionGroupF32, .attentionPageF32)
        case .q8_0: (.attentionQ8_0, .attentionGroupQ8_0, .attentionPageQ8_0)
        }
    }
}

extension KeyValueType {
    /// The bytes of so many elements of a head, a multiple of 32 where they share scales.
    fileprivate func byteCount(of elements: Int) -> Int {
        switch self {
        case .f16: 2 * elements
        case .f32: 4 * elements
        case .q8_0: elements + elements / 16
        }
    }
}

/// Attention and the pages that it reads.
extension Recording {
    /// Norms and rotates heads, and writes keys and values into pages.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token.
    ///   - turns: the cosines and sines of the rotation; nil without one.
    mutating func place(
        _ block: HeadPlacement, _ rows: GPUBinding, turns: GPUBinding?, pages: GPUBinding, slots: GPUBinding, count: Int
    ) throws(GPUError) {
        // What is not read is bound to something.
        try run(
            .placement(block.type), [rows, block.norm?.gains ?? slots, turns ?? slots, pages, slots],
            block.constants(count: count, isRotated: turns != nil),
            groups: (Self.groups(count * block.vectors, GPUKernel.rowsPerGroup), 1), work: block.placing(count))
        guard block.type == .q8_0, block.hasKeys else { return }
        try barrier()
        try storeCodes(block, rows, pages: pages, slots: slots, count: count)
    }

    /// Writes keys and values that are in the rows into pages, as bytes.
    mutating func storeCodes(
        _ block: HeadPlacement, _ rows: GPUBinding, pages: GPUBinding, slots: GPUBinding, count: Int
    ) throws(GPUError) {
        let constants = block.constants(count: count, isRotated: false)
        try run(
            .storeQ8_0, [rows, pages, slots], Array(constants[..<4] + constants[9...]),
            groups: (Self.groups(count * 2 * block.keyHeads, GPUKernel.rowsPerGroup), 1),
            work: .elements(count * 2 * block.keyHeads * block.headLength, buffers: 2))
    }

    /// Attends to pages.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token, of which the queries are read.
    ///   - seen: the positions that each token sees.
    ///   - sinks: the score of nothing for each head; nil without.
    ///   - isBusy: whether there are so many rows that a device is busy even if several heads go together, and reads
    ///     keys and values once for them; the bits are the same.
    ///   - gathered: has room for what each page gives, see ``HeadPlacement/floatsPerPage``, if they are gone through
    ///     side by side; the bits are the same.
    mutating func attend(
        _ block: HeadPlacement, scale: Float, _ rows: GPUBinding, pages: GPUBinding, table: GPUBinding,
        seen: GPUBinding,
        sinks: GPUBinding?, count: Int, pageCount: Int, isBusy: Bool = false, gathered: GPUBinding? = nil,
        into output: GPUBinding
    ) throws(GPUError) {
        let kernels = GPUKernel.attention(block.type)
        if let gathered, pipelines.joinsPages(block.type) {
            return try attend(
                block, scale: scale, rows, spans: [BoundSpan(pages: pages, seen: seen)], table: table, seen: seen,
                sinks: sinks, count: count, pageCount: pageCount, gathered: gathered, into: output)
        }
        let constants = block.constants(scale: scale, pageCount: pageCount, hasSinks: sinks != nil)
        let (kernel, heads) =
            isBusy && block.hasGroups && pipelines.has(kernels.group)
            ? (kernels.group, block.heads / GPUKernel.headsTogether) : (kernels.whole, block.heads)
        // Each row attends by itself.
        for part in boundParts(of: count, block.attending(count, pageCount: pageCount)) {
            let queries = rows.rows(part, length: block.vectors * block.headLength)
            let results = output.rows(part, length: block.heads * block.headLength)
            try run(
                kernel,
                [
                    queries, pages, pages, table, seen.rows(part, length: BoundSpan.seenLength), results,
                    sinks ?? table,
                ], constants, groups: (heads, part.count), work: block.attending(part.count, pageCount: pageCount))
        }
    }
}
