extension DecoderParts {
    /// Returns a flag for each layer, true if it has a sliding window: all but the last of every period, unless the
    /// file says otherwise by a period of its own or a list of flags.
    func slidingLayers(period: Int) throws -> [Bool] {
        let name = "attention.sliding_window_pattern"
        let layers = common.layers
        if let flags = try reader.optionalFlags(name, layers: layers) { return flags }
        let period = try reader.optionalInt(name, in: 1...4096) ?? period
        return (0..<layers).map { $0 % period != period - 1 }
    }
}
