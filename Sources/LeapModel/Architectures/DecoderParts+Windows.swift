import LeapGGUF

extension DecoderParts {
    /// Returns a flag for each layer, true if it has a sliding window: all but the last of every period, unless the
    /// file says otherwise by a period of its own or a list of flags.
    func slidingLayers(period: Int) throws -> [Bool] {
        let name = "attention.sliding_window_pattern"
        let layers = common.layers
        if case .array(let array)? = reader.metadata[reader.key(name)] {
            return array.elementType == .bool
                ? try reader.flags(name, layers: layers)
                : try reader.perLayer(name, layers: layers, in: 0...1).map { $0 == 1 }
        }
        let period = try reader.optionalInt(name, in: 1...4096) ?? period
        return (0..<layers).map { $0 % period != period - 1 }
    }
}
