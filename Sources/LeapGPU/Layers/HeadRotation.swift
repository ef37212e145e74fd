import LeapModel

/// The rotation of heads, by the stack's: of all of a head, or of its first half beside another one of the second.
struct HeadRotation: Hashable {
    let first: Int
    let second: Int?

    /// The rotation of attention; nil where it knows no positions.
    init?(_ block: AttentionBlock) {
        guard let rope = block.rope else { return nil }
        (first, second) = (rope, block.secondRope)
    }

    /// The rotations among the stack's.
    var indices: [Int] { [first] + (second.map { [$0] } ?? []) }

    /// The reason why a device cannot rotate heads so; nil if it can.
    static func obstacle(_ block: AttentionBlock, _ ropes: [RopeSpecification]) -> String? {
        guard let rope = block.rope, let second = block.secondRope else { return nil }
        let (one, other) = (ropes[rope], ropes[second])
        guard one.dimensions == other.dimensions, one.interleaved == other.interleaved,
            2 * one.dimensions <= block.headDimension, block.headDimension % 2 == 0
        else { return "its two rotations differ" }
        return nil
    }
}
