import LeapCompute
import LeapModel

/// Attention to pages that lie in several chunks, each of which is one binding.
extension GPUPass {
    /// True if there are kernels for pages in several chunks, and bindings have room for what these give, where the
    /// pages of a batch lie in several.
    func canAttend(to pages: [SeenPages]) -> Bool {
        guard let chunk = pages.first?.places.first?.chunk,
            pages.contains(where: { $0.places.contains { $0.chunk !== chunk } })
        else { return true }
        let pageCount = pages.map(\.places.count).max() ?? 0, limits = device.properties
        guard pipelines.joinsPages(model.keyValueType), pageCount <= limits.groupCounts[2] else { return false }
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
        let work = placement.attending(flow.rows, pageCount: inputs.pageCount)
        let parts = flow.recording.boundParts(of: flow.rows, work).flatMap { part in
            stride(from: part.lowerBound, to: part.upperBound, by: step).map { $0..<min($0 + step, part.upperBound) }
        }
        for rows in parts {
            // The rows before may still be read where these are written.
            if rows.lowerBound > 0 { try flow.recording.barrier() }
            var spans: [BoundSpan] = []
            for span in inputs.spans {
                guard let table = span.table(block.sight, isNarrowed: flow.isNarrowed) else {
                    throw .invalid("a window without a table")
                }
                spans.append(
                    BoundSpan(
                        pages: inputs.chunks[span.chunk].pages, seen: table.rows(rows, length: BoundSpan.seenLength)))
            }
            try flow.recording.attend(
                placement, scale: block.scale,
                projected.rows(rows, length: placement.vectors * placement.headLength), spans: spans,
                table: inputs.pages, seen: seen.rows(rows, length: BoundSpan.seenLength), sinks: block.sinks,
                count: rows.count, pageCount: inputs.pageCount, gathered: gathered,
                into: mixed.rows(rows, length: placement.heads * placement.headLength))
        }
    }

    /// The number of rows at multiples of which bindings may begin.
    private func rowUnit(_ placement: HeadPlacement) -> Int {
        let lengths = [
            placement.vectors * placement.headLength, BoundSpan.seenLength, placement.heads * placement.headLength,
        ].map { $0 * MemoryLayout<Float>.stride }
        var unit = 1
        while unit < device.properties.bindingAlignment,
            lengths.contains(where: { unit * $0 % device.properties.bindingAlignment != 0 })
        {
            unit *= 2
        }
        return unit
    }
}
