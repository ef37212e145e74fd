import LeapBase

/// Reads a file line by line, in memory that does not grow with the file.
final class LineReader {
    /// A line of a file.
    struct Line {
        /// The number of the line in the file, from 1.
        let number: Int
        /// The offset of its first byte in the file.
        let offset: Int64
        /// Without the line end; the first bytes of a line that is too long.
        let bytes: [UInt8]
        let isTooLong: Bool
        /// True if a line end follows it.
        let isComplete: Bool

        /// True if it has nothing but blanks.
        var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    }

    private let file: OpenFile
    private let maxLineBytes: Int
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var start = 0
    private var end = 0
    /// The offset of the buffer's end in the file.
    private var position: Int64
    private var number = 0

    /// - Parameter offset: where a line begins.
    init(_ file: OpenFile, maxLineBytes: Int, from offset: Int64 = 0) {
        self.file = file
        self.maxLineBytes = maxLineBytes
        position = offset
    }

    /// The next line; nil at the end of the file.
    func next() throws(CommandError) -> Line? {
        let offset = position - Int64(end - start)
        var bytes: [UInt8] = []
        var isTooLong = false
        while true {
            if start == end, try !fill() {
                guard !bytes.isEmpty || isTooLong else { return nil }
                number += 1
                return Line(number: number, offset: offset, bytes: bytes, isTooLong: isTooLong, isComplete: false)
            }
            let lineEnd = buffer[start..<end].firstIndex(of: 0x0A)
            let piece = buffer[start..<(lineEnd ?? end)]
            isTooLong = isTooLong || piece.count > maxLineBytes - bytes.count
            if !isTooLong { bytes += piece }
            start = lineEnd.map { $0 + 1 } ?? end
            if lineEnd != nil {
                number += 1
                return Line(number: number, offset: offset, bytes: bytes, isTooLong: isTooLong, isComplete: true)
            }
        }
    }

    private func fill() throws(CommandError) -> Bool {
        let result: Result<Int, FileSystemError> = buffer.withUnsafeMutableBytes { buffer in
            do throws(FileSystemError) {
                return .success(try file.read(into: buffer, at: position))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let count):
            (start, end) = (0, count)
            position += Int64(count)
            return count > 0
        case .failure(let error): throw CommandError(batch: error)
        }
    }
}
