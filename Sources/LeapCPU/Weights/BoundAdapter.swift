import CLeapKernels
import LeapGGUF
import LeapModel

/// An adapter as the kernels take it.
///
/// The first of each two matrices is used where it lies in the file if it is stored as F32 or F16; what is stored
/// otherwise, and the second ones, are kept in memory as F32.
final class BoundAdapter {
    /// By where the model's matrix begins.
    private let updates: [TensorPlace: BoundUpdate]
    /// The update of rows of the embedding table.
    let embedding: BoundUpdate?

    init(_ adapter: Adapter) {
        updates = adapter.updates.mapValues(BoundUpdate.init)
        embedding = adapter.embedding.map(BoundUpdate.init)
    }

    /// Bytes of what is kept in memory beside the file.
    var byteCount: Int {
        (Array(updates.values) + (embedding.map { [$0] } ?? [])).reduce(0) { $0 + $1.byteCount }
    }

    /// Returns the update of products with a matrix; nil where it stays as it is.
    func update(of matrix: Matrix) -> BoundUpdate? { updates[matrix.place] }
}

/// The addition of an adapter to the product of a matrix with x: scale · up · (down · x).
struct BoundUpdate {
    let down: WeightMatrix
    let up: LowRankTable
    let scale: Float
    /// The values that `down` points into where it does not lie in the file.
    private let values: FloatVector?

    /// Numbers between the two matrices.
    var rank: Int { up.rank }
    /// Bytes of what is kept in memory beside the file.
    var byteCount: Int { up.values.byteCount + (values?.byteCount ?? 0) }

    fileprivate init(_ update: LowRankUpdate) {
        scale = update.scale
        up = LowRankTable(update.up)
        let down = update.down
        // In a type that is computed with without rounding its inputs.
        if down.type == .f32 || down.type == .f16 {
            self.down = WeightMatrix(down)
            values = nil
            return
        }
        let stored = WeightMatrix(down)
        let floats = FloatVector(count: down.rows * down.columns) { out in
            for row in 0..<down.rows { stored.read(row: row, into: out + row * down.columns) }
        }
        values = floats
        self.down = WeightMatrix(
            data: floats.pointer, type: Int32(LEAP_F32), rows: down.rows, columns: down.columns,
            rowBytes: down.columns * MemoryLayout<Float>.stride)
    }
}

/// An adapter's B as the kernels take it: turned, some outputs side by side, `[panels][rank][32]`.
struct LowRankTable {
    let values: FloatVector
    /// Numbers of a row of the matrix.
    let rank: Int
    /// Outputs.
    let columns: Int

    /// Turns a matrix of `columns` rows of `rank` numbers.
    init(_ matrix: Matrix) {
        let stored = WeightMatrix(matrix)
        self.init(rank: matrix.columns, columns: matrix.rows) { stored.read(row: $0, into: $1) }
    }

    /// Turns a matrix of `columns` rows of `rank` numbers.
    ///
    /// - Parameter row: writes a row to memory for `rank` floats.
    init(rank: Int, columns: Int, row: (Int, UnsafeMutablePointer<Float>) -> Void) {
        self.rank = rank
        self.columns = columns
        let width = Int(LEAP_LOW_RANK_PANEL)
        values = FloatVector(count: (columns + width - 1) / width * width * rank) { out in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: max(rank, 1)) { buffer in
                guard let base = buffer.baseAddress else { return }
                for column in 0..<columns {
                    row(column, base)
                    let (panel, place) = column.quotientAndRemainder(dividingBy: width)
                    let first = out + panel * rank * width + place
                    for k in 0..<rank { first[k * width] = base[k] }
                }
            }
        }
    }
}
