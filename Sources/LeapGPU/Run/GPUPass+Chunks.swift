import LeapCompute
import LeapModel

/// Attention to pages that lie in several chunks, each of which is one binding.
extension GPUPass {
    /// True if bindings have room for what the pages of a batch give, where they lie in several chunks.
    func canAttend(to pages: [SeenPages]) -> Bool {
        guard let chunk = pages.first?.places.first?.chunk,
            pages.contains(where: { $0.places.contains { $0.chunk !== chunk } })
        else { return true }
        let pageCount = pages.map(\.places.count).max() ?? 0, limits = device.properties
        guard pageCount <= limits.groupCounts[2] else { return false }
        return model.layers.compactMap(\.attention).allSatisfy { block in
            let placement = placement(of: block)
            return rowUnit(placement) * pageCount * placement.floatsPerPage <= limits.bindingByteCount / 4
        }
    }

    /// Attends to pages chunk by chunk and page by page, for as many rows at a time as there is room for.
    ///
    /// - Parameter seen: the positions that each row sees, in all chunks.
    func attendToChunks(
        _ block: GPUAttention, _ placement: HeadPlacement, _ projected: GPUBinding, _ inputs: BatchInputs,
        seen: GPUBinding, into mixed: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) {
        let perRow = inputs.pageCount * placement.floatsPerPage, unit = rowUnit(placement)
        let room = min(Self.gatheredMax, device.properties.bindingByteCount / 4)
        let step = max(unit, room / perRow / unit * unit)
        let gathered = try scratch.take(.gathered, min(step, flow.rows) * perRow)
        for start in stride(from: 0, to: flow.rows, by: step) {
            let rows = start..<min(start + step, flow.rows)
            // The rows before may still be read where these are written.
            if start > 0 { try flow.recording.barrier() }
            var spans: [BoundSpan] = []
            for span in inputs.spans {
                guard let table = span.table(block.sight, isNarrowed: flow.isNarrowed) else {
                    throw .invalid("a window without a table")
                }
                spans.append(
                    BoundSpan(
                        pages: inputs.chunks[span.chunk].pages,
                        seen: Self.part(table, rows, byteCount: Self.seenByteCount)))
            }
            try flow.recording.attend(
                placement, scale: block.scale,
                Self.part(projected, rows, byteCount: placement.vectors * placement.headLength * 4), spans: spans,
                table: inputs.pages, seen: Self.part(seen, rows, byteCount: Self.seenByteCount), sinks: block.sinks,
                count: rows.count, pageCount: inputs.pageCount, gathered: gathered,
                into: Self.part(mixed, rows, byteCount: placement.heads * placement.headLength * 4))
        }
    }

    /// Bytes that a row has in the table of what rows see.
    private static let seenByteCount = 16

    /// The number of rows at multiples of which bindings may begin.
    private func rowUnit(_ placement: HeadPlacement) -> Int {
        let lengths = [
            placement.vectors * placement.headLength * 4, Self.seenByteCount,
            placement.heads * placement.headLength * 4,
        ]
        var unit = 1
        while unit < device.properties.bindingAlignment,
            lengths.contains(where: { unit * $0 % device.properties.bindingAlignment != 0 })
        {
            unit *= 2
        }
        return unit
    }

    /// Some rows of a binding.
    private static func part(_ binding: GPUBinding, _ rows: Range<Int>, byteCount: Int) -> GPUBinding {
        let start = binding.range.lowerBound
        return GPUBinding(
            binding.buffer, start + rows.lowerBound * byteCount..<start + rows.upperBound * byteCount)
    }
}
