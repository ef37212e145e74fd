import Dispatch
import LeapBase
import LeapCompute
import LeapGGUF
import LeapModel

/// Weights of a model where a device reads them: in place where it reads the host's memory, in copies elsewhere.
final class BoundWeights {
    /// Consecutive bytes of a file, and the buffer that has them.
    private struct Span {
        let part: Int
        let addresses: Range<UInt>
        let buffer: any GPUBuffer
        /// The address of the buffer's first byte.
        let start: UInt
    }

    /// Rows of a matrix that one binding can cover.
    private struct Piece {
        let part: Int
        let addresses: Range<UInt>
    }

    private let device: any GPUDevice
    private let reader: any WeightReader
    /// Keep the memory of files alive that the device reads in place.
    private let sources: [TensorReference]
    private var spans: [Span] = []
    /// Copies of matrices whose rows are no multiple of ``GPUKernel/unit``, with zeros behind each, by the address of
    /// the first row.
    private var longer: [UInt: GPUMatrix] = [:]
    /// Bytes that the device reads in place.
    private(set) var sharedByteCount = 0
    /// Bytes of copies.
    private(set) var copiedByteCount = 0

    /// Bytes that the device reads.
    var byteCount: Int { sharedByteCount + copiedByteCount }

    /// Bytes between matrices that are not worth a buffer of their own.
    private static let maxGap: UInt = 64 << 10
    /// Bytes of a buffer, where the device allows as many.
    private static let maxSpan = 1 << 30

    /// Makes the device read matrices.
    ///
    /// - Parameters:
    ///   - stacks: experts' matrices, which one binding has to cover, however many rows they have.
    ///   - reader: reads them as the processor does.
    init(
        _ matrices: [Matrix], stacks: [Matrix] = [], _ device: any GPUDevice, _ reader: any WeightReader
    ) throws(GPUError) {
        self.device = device
        self.reader = reader
        sources = (matrices + stacks).map(\.source)
        var pieces: [Piece] = []
        for matrix in stacks {
            guard matrix.byteCount <= Self.bindingBytes(device.properties) else {
                throw .invalid("the experts of a layer have \(matrix.byteCount) bytes, more than a kernel can address")
            }
            pieces.append(Piece(part: matrix.source.tensor.part, addresses: addresses(matrix, 0..<matrix.rows)))
        }
        for matrix in matrices {
            guard matrix.columns % GPUKernel.unit == 0 else {
                try addLonger(matrix)
                continue
            }
            for rows in Self.rowRanges(matrix, device.properties) {
                pieces.append(Piece(part: matrix.source.tensor.part, addresses: addresses(matrix, rows)))
            }
        }
        pieces.sort { ($0.part, $0.addresses.lowerBound) < ($1.part, $1.addresses.lowerBound) }
        let longest = min(device.properties.bufferByteCount, Self.maxSpan) - 2 * Self.slack(device.properties)
        let limit = UInt(max(longest, 0))
        var first = 0
        while first < pieces.count {
            var (last, end) = (first, pieces[first].addresses.upperBound)
            while last + 1 < pieces.count, pieces[last + 1].part == pieces[first].part,
                pieces[last + 1].addresses.lowerBound <= end + Self.maxGap,
                pieces[last + 1].addresses.upperBound - pieces[first].addresses.lowerBound <= limit
            {
                last += 1
                end = max(end, pieces[last].addresses.upperBound)
            }
            try add(pieces[first].part, pieces[first].addresses.lowerBound..<end)
            first = last + 1
        }
    }

    private func add(_ part: Int, _ addresses: Range<UInt>) throws(GPUError) {
        if device.properties.isUnified, let alignment = device.properties.hostMemoryAlignment.map(UInt.init) {
            // The pages of the system that the first and the last byte lie in are mapped as a whole.
            let start = addresses.lowerBound / alignment * alignment
            let end = (addresses.upperBound + alignment - 1) / alignment * alignment
            let memory = UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: start), count: Int(end - start))
            // A driver may refuse memory that is read-only: then it gets a copy.
            if let buffer = try imported(memory) {
                sharedByteCount += addresses.count
                return spans.append(Span(part: part, addresses: addresses, buffer: buffer, start: start))
            }
        }
        let alignment = UInt(device.properties.bindingAlignment)
        let start = addresses.lowerBound / alignment * alignment
        let buffer = try device.makeBuffer(
            byteCount: Int(addresses.upperBound - start) + Self.slack(device.properties), .own)
        let offset = Int(addresses.lowerBound - start)
        let source = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: addresses.lowerBound), count: addresses.count)
        try Self.copy(source, to: buffer, at: offset)
        copiedByteCount += addresses.count
        spans.append(Span(part: part, addresses: addresses, buffer: buffer, start: start))
    }

    /// Adds a copy of a matrix with zeros behind each row, up to a multiple of ``GPUKernel/unit``.
    private func addLonger(_ matrix: Matrix) throws(GPUError) {
        let columns = (matrix.columns + GPUKernel.unit - 1) / GPUKernel.unit * GPUKernel.unit
        let rowByteCount = columns * matrix.type.blockByteCount, byteCount = matrix.rows * rowByteCount
        guard byteCount <= Self.bindingBytes(device.properties),
            Self.rowRanges(matrix, device.properties).count == 1, let source = reader.bytes(of: matrix).baseAddress
        else { throw .invalid("a matrix with rows of \(matrix.columns) has more bytes than a kernel can address") }
        let buffer = try device.makeBuffer(byteCount: byteCount + Self.slack(device.properties), .own)
        let rows = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        defer { rows.deallocate() }
        rows.initializeMemory(as: UInt8.self, repeating: 0)
        for row in 0..<matrix.rows {
            rows[row * rowByteCount..<row * rowByteCount + matrix.rowByteCount].copyBytes(
                from: UnsafeRawBufferPointer(start: source + row * matrix.rowByteCount, count: matrix.rowByteCount))
        }
        try Self.copy(UnsafeRawBufferPointer(rows), to: buffer, at: 0)
        copiedByteCount += byteCount
        longer[UInt(bitPattern: source)] = GPUMatrix(
            type: matrix.type, rows: matrix.rows, columns: columns, rowByteCount: rowByteCount,
            slices: [GPUMatrix.RowSlice(binding: GPUBinding(buffer), start: 0, rows: 0..<matrix.rows)])
    }

    /// Bytes that a thread copies at a time.
    private static let copyLength = 4 << 20

    /// Copies weights, by several threads where the host sees the buffer: one does not reach the speed of the bus.
    private static func copy(
        _ source: UnsafeRawBufferPointer, to buffer: any GPUBuffer, at offset: Int
    ) throws(GPUError) {
        guard let target = buffer.contents.baseAddress, let from = source.baseAddress else {
            return try buffer.write(source, at: offset)
        }
        // Threads write different parts, and the call returns after the last of them.
        nonisolated(unsafe) let (start, first) = (target + offset, from)
        let byteCount = source.count
        DispatchQueue.concurrentPerform(iterations: (byteCount + copyLength - 1) / copyLength) { part in
            let at = part * copyLength
            memcpy(start + at, first + at, min(copyLength, byteCount - at))
        }
    }

    private func imported(_ memory: UnsafeMutableRawBufferPointer) throws(GPUError) -> (any GPUBuffer)? {
        do {
            return try device.makeBuffer(over: memory)
        } catch {
            if error == .lost { throw error }
            return nil
        }
    }

    /// Bytes by which bindings may begin before a matrix or end behind it.
    private static func slack(_ properties: GPUProperties) -> Int { max(properties.bindingAlignment, 64) }

    /// The rows of a matrix in ranges that one binding and one dispatch can cover.
    private static func rowRanges(_ matrix: Matrix, _ properties: GPUProperties) -> [Range<Int>] {
        let rows = max(
            1, min(bindingBytes(properties) / matrix.rowByteCount, properties.groupCounts[0] * GPUKernel.rowsPerGroup))
        return stride(from: 0, to: matrix.rows, by: rows).map { $0..<min($0 + rows, matrix.rows) }
    }

    /// The most bytes of a matrix that one binding covers.
    private static func bindingBytes(_ properties: GPUProperties) -> Int {
        min(properties.bindingByteCount, properties.bufferByteCount, maxSpan) - 4 * slack(properties)
    }

    private func addresses(_ matrix: Matrix, _ rows: Range<Int>) -> Range<UInt> {
        let base = UInt(bitPattern: reader.bytes(of: matrix).baseAddress)
        return base + UInt(rows.lowerBound * matrix.rowByteCount)..<base + UInt(rows.upperBound * matrix.rowByteCount)
    }

    /// A matrix that was among those of the initializer.
    func matrix(_ matrix: Matrix) throws(GPUError) -> GPUMatrix {
        if let copy = longer[UInt(bitPattern: reader.bytes(of: matrix).baseAddress)], copy.rows == matrix.rows {
            return copy
        }
        return try self.matrix(matrix, Self.rowRanges(matrix, device.properties))
    }

    /// Matrices of experts that were among the stacks of the initializer, in one slice.
    func stack(_ matrix: Matrix) throws(GPUError) -> GPUMatrix { try self.matrix(matrix, [0..<matrix.rows]) }

    private func matrix(_ matrix: Matrix, _ ranges: [Range<Int>]) throws(GPUError) -> GPUMatrix {
        var slices: [GPUMatrix.RowSlice] = []
        let alignment = UInt(device.properties.bindingAlignment)
        for rows in ranges {
            let addresses = addresses(matrix, rows), part = matrix.source.tensor.part
            guard
                let span = spans.first(where: {
                    $0.part == part && $0.addresses.lowerBound <= addresses.lowerBound
                        && $0.addresses.upperBound >= addresses.upperBound
                })
            else { throw .invalid("the matrix is not on the GPU") }
            let start = (addresses.lowerBound - span.start) / alignment * alignment
            let end = min(Int(addresses.upperBound - span.start) + 4, span.buffer.byteCount)
            slices.append(
                GPUMatrix.RowSlice(
                    binding: GPUBinding(span.buffer, Int(start)..<end),
                    start: Int(addresses.lowerBound - span.start - start) / 2, rows: rows))
        }
        return GPUMatrix(
            type: matrix.type, rows: matrix.rows, columns: matrix.columns, rowByteCount: matrix.rowByteCount,
            slices: slices, bounds: matrix.bounds)
    }

    /// Numbers in a buffer of their own.
    func vector(_ values: [Float]) throws(GPUError) -> GPUBinding {
        let buffer = try device.makeBuffer(byteCount: max(values.count, 1) * MemoryLayout<Float>.stride)
        values.withUnsafeBytes { buffer.contents.copyMemory(from: $0) }
        copiedByteCount += values.count * MemoryLayout<Float>.stride
        return GPUBinding(buffer)
    }
    /// A vector in a buffer of its own.
    func vector(_ numbers: Vector) throws(GPUError) -> GPUBinding { try vector(elements(of: numbers)) }

    /// The same; nil for none.
    func vector(_ numbers: Vector?) throws(GPUError) -> GPUBinding? {
        guard let numbers else { return nil }
        return try vector(elements(of: numbers))
    }

    // MARK: Numbers

    /// The elements of a vector as numbers.
    func elements(of vector: Vector) -> [Float] { reader.elements(of: vector) }

    /// A row of a matrix as numbers.
    func row(_ row: Int, of matrix: Matrix) -> [Float] { reader.row(row, of: matrix) }

    /// The biases of a matrix's rows; zeros where it has none.
    func biases(of matrix: Matrix) -> [Float] {
        matrix.bias.map(elements) ?? [Float](repeating: 0, count: matrix.rows)
    }
}
