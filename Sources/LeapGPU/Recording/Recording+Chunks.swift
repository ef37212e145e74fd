import LeapCompute
import LeapModel

/// A chunk of pages as kernels see it.
struct BoundChunk {
    let pages: GPUBinding
    /// The page of each row and its place there; of rows whose page is in another chunk, the spare page.
    let slots: GPUBinding
}

/// Neighbouring pages in one chunk as kernels see them.
struct BoundSpan {
    let pages: GPUBinding
    /// The positions there that each row sees.
    let seen: GPUBinding

    /// Numbers of a row in a table of what rows see.
    static let seenLength = 4
}

/// Attention to pages in several chunks.
extension Recording {
    /// Norms and rotates heads, and writes keys and values into pages of one or several chunks; the bits are the same.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token.
    ///   - turns: the cosines and sines of the rotation; nil without one.
    ///   - chunks: the chunks that the rows' pages are in, one at least.
    mutating func place(
        _ block: HeadPlacement, _ rows: GPUBinding, turns: GPUBinding?, chunks: [BoundChunk], count: Int
    ) throws(GPUError) {
        guard let first = chunks.first else { throw .invalid("a batch without pages") }
        guard chunks.count > 1, block.hasKeys else {
            return try place(block, rows, turns: turns, pages: first.pages, slots: first.slots, count: count)
        }
        // The rows get what is stored, which is then copied into each chunk.
        try run(
            .placeRows, [rows, block.norm?.gains ?? first.slots, turns ?? first.slots, first.pages, first.slots],
            block.constants(count: count, isRotated: turns != nil),
            groups: (Self.groups(count * block.vectors, GPUKernel.rowsPerGroup), 1), work: block.placing(count))
        for chunk in chunks {
            try barrier()
            try store(block, rows, chunk, count: count)
        }
    }

    /// Writes keys and values that are in the rows into pages.
    private mutating func store(
        _ block: HeadPlacement, _ rows: GPUBinding, _ chunk: BoundChunk, count: Int
    ) throws(GPUError) {
        if block.type == .q8_0 {
            return try storeCodes(block, rows, pages: chunk.pages, slots: chunk.slots, count: count)
        }
        try run(
            .placement(block.type), [rows, block.norm?.gains ?? chunk.slots, chunk.slots, chunk.pages, chunk.slots],
            block.copyingConstants(count: count),
            groups: (Self.groups(count * block.vectors, GPUKernel.rowsPerGroup), 1), work: block.placing(count))
    }

    /// Attends to pages one by one, and adds up what they gave.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token, of which the queries are read.
    ///   - spans: together all pages, each once.
    ///   - seen: the positions that each token sees, in all pages.
    ///   - sinks: the score of nothing for each head; nil without.
    ///   - gathered: has room for what each page gives; see ``HeadPlacement/floatsPerPage``.
    mutating func attend(
        _ block: HeadPlacement, scale: Float, _ rows: GPUBinding, spans: [BoundSpan], table: GPUBinding,
        seen: GPUBinding, sinks: GPUBinding?, count: Int, pageCount: Int, gathered: GPUBinding,
        into output: GPUBinding
    ) throws(GPUError) {
        let kernel = GPUKernel.attention(block.type).page
        let constants = block.constants(scale: scale, pageCount: pageCount, hasSinks: sinks != nil)
        // Each page is in one span. How many pages a span has is no part of a batch's shape, so each counts the same.
        var work = block.attending(count, pageCount: pageCount)
        (work.flops, work.bytes) = (work.flops / Double(spans.count), work.bytes / Double(spans.count))
        for span in spans {
            try run(
                kernel, [rows, span.pages, span.pages, table, span.seen, gathered, sinks ?? table], constants,
                groups: (block.heads, count), depth: pageCount, work: work)
        }
        guard let pages = spans.first?.pages else { throw .invalid("attention without pages") }
        try barrier()
        try run(
            .attentionJoin, [gathered, pages, pages, table, seen, output, sinks ?? table], constants,
            groups: (block.heads, count), work: .elements(count * pageCount * block.floatsPerPage, buffers: 1))
    }
}
