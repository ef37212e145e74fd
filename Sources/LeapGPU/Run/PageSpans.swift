import LeapModel

/// The chunks that a batch's pages lie in, and where there are several, the runs of pages that lie in one.
struct PageSpans {
    /// A chunk, and of each segment neighbouring pages that lie there.
    struct Span {
        /// The index among the batch's chunks.
        let chunk: Int
        /// The pages of each segment, counted from the first one that is seen; empty for none.
        let pages: [Range<Int>]
    }

    let chunks: [StateChunk]
    /// The chunks' buffers.
    let buffers: [any GPUBuffer]
    /// Together all pages of all segments, each once; none where there is one chunk.
    let spans: [Span]

    init(_ segments: [SeenPages]) {
        var (chunks, buffers): ([StateChunk], [any GPUBuffer]) = ([], [])
        for place in segments.lazy.flatMap(\.places) where !chunks.contains(where: { $0 === place.chunk }) {
            chunks.append(place.chunk)
            buffers.append(place.buffer)
        }
        (self.chunks, self.buffers) = (chunks, buffers)
        guard chunks.count > 1 else {
            spans = []
            return
        }
        var spans: [Span] = []
        for (index, chunk) in chunks.enumerated() {
            let runs = segments.map { Self.runs(of: $0, in: chunk) }
            for round in 0..<(runs.map(\.count).max() ?? 0) {
                spans.append(Span(chunk: index, pages: runs.map { round < $0.count ? $0[round] : 0..<0 }))
            }
        }
        self.spans = spans
    }

    /// Neighbouring pages of a segment that lie in a chunk.
    private static func runs(of segment: SeenPages, in chunk: StateChunk) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, place) in segment.places.enumerated() where place.chunk === chunk {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }
}
