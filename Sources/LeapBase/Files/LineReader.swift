/// Reads a file line by line, in memory that does not grow with the file.
package final class LineReader {
    /// A line of a file.
    package struct Line: Sendable {
        /// The number of the line in the file, from 1.
        package let number: Int
        /// The offset of its first byte in the file.
        package let offset: Int64
        /// Without the line end; the first bytes of a line that is too long.
        package let bytes: [UInt8]
        package let isTooLong: Bool
        /// True if a line end follows it.
        package let isComplete: Bool

        /// True if it has nothing but blanks.
        package var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

        package init(number: Int, offset: Int64, bytes: [UInt8], isTooLong: Bool, isComplete: Bool) {
            self.number = number
            self.offset = offset
            self.bytes = bytes
            self.isTooLong = isTooLong
            self.isComplete = isComplete
        }
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
    package init(_ file: OpenFile, maxLineBytes: Int, from offset: Int64 = 0) {
        self.file = file
        self.maxLineBytes = maxLineBytes
        position = offset
    }

    /// The next line; nil at the end of the file.
    package func next() throws(CommandError) -> Line? {
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

    /// The next line that is not blank; nil at the end of the file.
    package func nextText() throws(CommandError) -> Line? {
        while let line = try next() {
            if line.isTooLong || !line.isBlank { return line }
        }
        return nil
    }

    /// The number of lines of a file that are not blank.
    package static func countText(_ file: OpenFile, maxLineBytes: Int) throws(CommandError) -> Int {
        let reader = LineReader(file, maxLineBytes: maxLineBytes)
        var count = 0
        while try reader.nextText() != nil { count += 1 }
        return count
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

extension OpenFile {
    /// Opens the file of a batch's lines, which is read more than once.
    ///
    /// - Throws: ``CommandError`` where it cannot be opened, or is no regular file.
    package static func ofLines(_ path: String) throws(CommandError) -> OpenFile {
        let file: OpenFile
        let status: Status
        do {
            file = try OpenFile(path, .reading)
            status = try file.status()
        } catch {
            throw CommandError(batch: error)
        }
        guard status.isRegular else {
            throw CommandError(
                "\(ShownText.of(path, limit: 4096)) is not a regular file: a batch must be able to read it again")
        }
        return file
    }
}
