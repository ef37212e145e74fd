import LeapGGUF

extension DecoderParts {
    /// The rotation that all layers share, whose pairs turn by time, row and column in turn as
    /// `rope.dimension_sections` says.
    ///
    /// Pair i turns by the row where i is 1 more than a multiple of 3 and less than 3 times the second section, by the
    /// column where it is 2 more and less than 3 times the third, and by time elsewhere (transformers,
    /// `modeling_qwen3_vl.py`). The three numbers of text are equal, so without pictures sections make no difference.
    func sectionedRope() throws -> RopeSpecification {
        var rope = try rope(interleaved: false)
        let key = reader.key("rope.dimension_sections")
        guard let sections = try reader.metadata.ints(key) else { return rope }
        let pairs = rope.dimensions / 2
        guard (3...4).contains(sections.count), sections.allSatisfy({ (0...1024).contains($0) }),
            sections.reduce(0, +) <= pairs
        else {
            throw EngineError(
                .invalidMetadata,
                "\(key) is \(sections.prefix(8)) (\(sections.count) long): it has to be 3 or 4 non-negative numbers with a sum of at most \(pairs), the number of rotated pairs",
                field: key)
        }
        rope.axes = (0..<pairs).map { pair in
            let axis = pair % 3
            return axis > 0 && pair < 3 * Int(sections[axis]) ? UInt8(axis) : 0
        }
        return rope
    }
}
