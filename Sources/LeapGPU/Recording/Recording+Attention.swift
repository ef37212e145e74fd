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
        let constants: [UInt32] = [
            UInt32(count), UInt32(block.queryVectors), UInt32(block.placedKeyHeads), UInt32(block.headLength),
            (block.norm == nil ? 0 : 1) + (block.valueEpsilon == nil ? 0 : 2),
            (block.norm?.epsilon ?? block.valueEpsilon ?? 1).bitPattern, UInt32(turns == nil ? 0 : block.pairs),
            (block.isInterleaved ? 1 : 0) + (block.turnsHalves ? 2 : 0), UInt32(block.queryStep),
            UInt32(block.keyStart / 2),
            UInt32(block.valueStart / 2),
        ]
        // What is not read is bound to something.
        try run(
            .placement(block.type), [rows, block.norm?.gains ?? slots, turns ?? slots, pages, slots],
            constants, groups: (Self.groups(count * block.vectors, GPUKernel.rowsPerGroup), 1),
            work: .elements(count * block.vectors * block.headLength, buffers: 2))
        guard block.type == .q8_0, block.hasKeys else { return }
        try barrier()
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
        let constants: [UInt32] = [
            UInt32(block.heads), UInt32(block.keyHeads), UInt32(block.headLength), scale.bitPattern, 0,
            sinks == nil ? 0 : 1, UInt32(block.vectors * block.headLength), UInt32(block.queryStep),
            UInt32(block.keyStart / 2), UInt32(block.valueStart / 2), UInt32(pageCount),
        ]
        func bindings(_ from: GPUBinding, _ to: GPUBinding, _ seen: GPUBinding) -> [GPUBinding] {
            [from, pages, pages, table, seen, to, sinks ?? table]
        }
        func work(_ rows: Int) -> GPUWork {
            .attention(
                heads: block.heads, headLength: block.headLength, rows: rows, positions: pageCount * StatePage.length,
                byteCount: block.type.byteCount(of: block.headLength) * block.keyHeads)
        }
        guard let gathered, pipelines.has(kernels.page), pipelines.has(.attentionJoin) else {
            let (kernel, heads) =
                isBusy && block.hasGroups && pipelines.has(kernels.group)
                ? (kernels.group, block.heads / GPUKernel.headsTogether) : (kernels.whole, block.heads)
            // Each row attends by itself.
            for part in boundParts(of: count, work(count)) {
                try run(
                    kernel,
                    bindings(
                        rows.rows(part, length: block.vectors * block.headLength),
                        output.rows(part, length: block.heads * block.headLength), seen.rows(part, length: 4)),
                    constants, groups: (heads, part.count), work: work(part.count))
            }
            return
        }
        try run(
            kernels.page, bindings(rows, gathered, seen), constants, groups: (block.heads, count), depth: pageCount,
            work: work(count))
        try barrier()
        try run(
            .attentionJoin, bindings(gathered, output, seen), constants, groups: (block.heads, count),
            work: .elements(count * pageCount * block.floatsPerPage, buffers: 1))
    }
}
