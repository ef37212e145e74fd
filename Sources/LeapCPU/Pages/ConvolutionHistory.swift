import LeapCompute
import LeapModel

/// The latest inputs of a sequence's convolution layers, one vector for each of the last 64 positions and each layer.
///
/// A convolution's state at a position is its last few inputs. Kept for a stretch of positions rather than for the last
/// one only, they let a sequence be cut back to any token of that stretch; further back it is cut at a page, whose own
/// last inputs lie in the page (see ``SequenceState/truncate(to:)``).
final class ConvolutionHistory {
    /// Positions that are kept.
    static let length = SequenceState.historyLength

    private let memory: AlignedMemory
    private let offsets: [Int]

    init(_ layout: CacheLayout) throws(EngineError) {
        var offset = 0
        var offsets: [Int] = []
        for layer in layout.convolution {
            offsets.append(offset)
            offset += Self.length * layer.channels
        }
        self.offsets = offsets
        memory = try AlignedMemory(byteCount: offset * MemoryLayout<Float>.stride, pool: layout.pool)
    }

    /// Bytes that it takes.
    static func byteCount(_ layout: CacheLayout) -> Int {
        layout.convolution.reduce(0) { $0 + $1.channels } * length * MemoryLayout<Float>.stride
    }

    /// The input of a layer at a position.
    func input(layer: Int, position: Int, channels: Int) -> UnsafeMutablePointer<Float> {
        memory.base.assumingMemoryBound(to: Float.self) + offsets[layer] + position % Self.length * channels
    }
}
