import CLeapKernels
import LeapBase
import LeapModel

/// Asks the system for the weights of a first pass in the order in which the pass comes to them, so that the disk reads
/// while it computes.
///
/// Without it a page is read when it is first used, together with as many beside it as the disk's read-ahead size
/// allows. Experts are left out: which of them a token needs is known when it is computed. Weights that are in memory
/// cost a system call for every MiB.
final class WeightReadAhead {
    /// Bytes that are asked for beyond those that are computed with.
    static let window = 64 << 20
    /// Bytes that are asked for if the first of them is not in memory.
    static let granule = 1 << 20

    /// The weights in the order of a pass, and how many bytes lie before each of them.
    private let weights: [UnsafeRawBufferPointer]
    private let starts: [Int]
    private let total: Int
    private let isInMemory: (UnsafeRawPointer) -> Bool
    private let request: (UnsafeRawBufferPointer) -> Void
    private let window: Int
    /// The first of the weights that the pass has not come to.
    private var next = 0
    /// The place in the order of the first byte that has not been asked for, and the index of the weights that it lies
    /// in.
    private var asked = 0
    private var current = 0

    /// A disk's read-ahead size from which on the system reads as fast when pages are merely used, and faster where
    /// they lie in one piece of memory, as pages that were asked for do not.
    private static let sufficientReadAhead = 1 << 20

    /// Returns true if asking helps with a file: not where the disk reads far ahead anyway.
    static func helps(fileAt path: String, disks: LinuxDisks = LinuxDisks()) -> Bool {
        guard let device = FileSystem.status(of: path)?.device else { return true }
        return disks.readAhead(of: device).map { $0 < sufficientReadAhead } ?? true
    }

    /// True if all has been asked for.
    var isDone: Bool { asked >= total }

    /// Prepares for weights.
    ///
    /// - Parameters:
    ///   - weights: in the order in which a pass computes with them.
    ///   - window: bytes that are asked for beyond those that are computed with.
    ///   - isInMemory: whether a page is.
    ///   - request: begins to read bytes.
    init(
        _ weights: [UnsafeRawBufferPointer], window: Int = window,
        isInMemory: @escaping (UnsafeRawPointer) -> Bool = FilePages.isInMemory,
        request: @escaping (UnsafeRawBufferPointer) -> Void = FilePages.request
    ) {
        self.weights = weights
        self.window = window
        self.isInMemory = isInMemory
        self.request = request
        var bytes = 0
        starts = weights.map { weight in
            defer { bytes += weight.count }
            return bytes
        }
        total = bytes
    }

    /// Tells that a pass comes to the matrix that begins at `weight`, and asks for what lies up to ``window`` behind
    /// its end.
    func reach(_ weight: UnsafeRawPointer) {
        guard let index = weights[next...].firstIndex(where: { $0.baseAddress == weight }) else { return }
        next = index + 1
        let end = min(total, starts[index] + weights[index].count + window)
        if asked < starts[index] { (asked, current) = (starts[index], index) }
        while asked < end {
            let offset = asked - starts[current]
            guard offset < weights[current].count else {
                current += 1
                continue
            }
            let piece = UnsafeRawBufferPointer(rebasing: weights[current][offset...].prefix(Self.granule))
            if let first = piece.baseAddress, !isInMemory(first) { request(piece) }
            asked += piece.count
        }
    }
}

extension LanguageModel {
    /// The weights that a pass computes with whatever the tokens are, in its order.
    var sharedWeights: [UnsafeRawBufferPointer] {
        sharedMatrices.map { matrix in
            UnsafeRawBufferPointer(start: WeightMatrix(matrix).kernel.data, count: matrix.byteCount)
        }
    }
}
