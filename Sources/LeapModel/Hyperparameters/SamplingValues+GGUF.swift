import LeapGGUF

extension SamplingValues {
    /// Reads the values that a model file recommends, in its keys `general.sampling.*`, or those of one of its parts.
    ///
    /// Values that llama.cpp takes as "off" or "all" (a top-k of -1, a negative temperature) are taken the same way.
    ///
    /// - Throws: ``EngineError`` with code `invalidMetadata` for a value that has no meaning.
    init(_ metadata: GGUFMetadata, contextLength: Int, prefix: String = "general.sampling.") throws {
        for parameter in SamplingParameter.allCases {
            let descriptor = parameter.descriptor
            guard let rule = descriptor.metadata else { continue }
            let key = prefix + rule.key
            let range = rule.range ?? descriptor.range
            let found =
                descriptor.isInteger
                ? try metadata.int(key).map { Double($0) } : try metadata.float(key).map { Double($0) }
            guard let value = found else { continue }
            if value < range.lowerBound, case .contextLength = rule.outside {
                self[parameter] = Double(contextLength)
                continue
            }
            if case .refused = rule.outside, !range.contains(value) { throw Self.invalid(key, value, range) }
            guard value.isFinite else { throw Self.invalid(key, value, range) }
            self[parameter] = min(max(value, range.lowerBound), range.upperBound)
        }
    }

    private static func invalid(_ key: String, _ value: Double, _ range: ClosedRange<Double>) -> EngineError {
        EngineError(
            .invalidMetadata,
            "\(key) is \(Float(value)) but has to be between \(range.lowerBound) and \(range.upperBound)", field: key)
    }
}
