import Dispatch
import Foundation

/// The lines of standard input, read on a thread of their own.
enum InputLines {
    enum Element: Sendable {
        case line([UInt8])
        /// One that was longer than may be; it is passed over.
        case tooLong
    }

    /// - Parameter maxBytes: the maximum number of bytes of a line.
    static func stream(maxBytes: Int) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        DispatchQueue(label: "leap.input.lines").async {
            var line: [UInt8] = []
            var isTooLong = false
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for part in buffer[..<count].split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
                    // A line feed stands before every part but the first.
                    if part.offset > 0 {
                        continuation.yield(isTooLong ? .tooLong : .line(line))
                        (line, isTooLong) = ([], false)
                    }
                    if line.count + part.element.count > maxBytes { (line, isTooLong) = ([], true) }
                    if !isTooLong { line += part.element }
                }
            }
            if !line.isEmpty { continuation.yield(.line(line)) }
            continuation.finish()
        }
        return stream
    }
}
