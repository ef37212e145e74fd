import LeapGGUF

extension SamplerOverrides {
    /// What a model file recommends, in its keys `general.sampling.*`.
    ///
    /// Values that llama.cpp takes as "off" or "all" (a top-k of -1, a negative temperature) are taken the same way.
    ///
    /// - Throws: ``EngineError`` with code `invalidMetadata` for a value that has no meaning.
    init(_ metadata: GGUFMetadata, contextLength: Int) throws {
        func float(_ name: String, _ range: ClosedRange<Float>, clamping: Bool = true) throws -> Float? {
            let key = "general.sampling.\(name)"
            guard let value = try metadata.float(key).map({ Float($0) }) else { return nil }
            guard value.isFinite, clamping || range.contains(value) else {
                throw EngineError(
                    .invalidMetadata,
                    "\(key) is \(value) but has to be between \(range.lowerBound) and \(range.upperBound)", field: key)
            }
            return min(max(value, range.lowerBound), range.upperBound)
        }
        self.init(
            temperature: try float("temp", 0...1e6),
            topK: try metadata.int("general.sampling.top_k").map { max(Int(clamping: $0), 0) },
            topP: try float("top_p", Float.leastNonzeroMagnitude...1),
            minP: try float("min_p", 0...1),
            repetitionPenalty: try float("penalty_repeat", 0.01...100, clamping: false),
            repetitionWindow: try metadata.int("general.sampling.penalty_last_n").map {
                $0 < 0 ? contextLength : Int(clamping: $0)
            })
    }
}
