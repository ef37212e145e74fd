import Foundation

/// The lines of an input that nobody edits.
struct PlainLines {
    /// Bytes that a line may have; what comes beyond is dropped, and told.
    static let maxLineBytes = 16 << 20

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var hasEnded = false

    init(descriptor: Int32 = 0) {
        self.descriptor = descriptor
    }

    /// The next line without its end, or nil at the end of input; what is no UTF-8 is replaced.
    mutating func next() -> String? {
        var line: [UInt8] = []
        var isCut = false
        while true {
            if position == buffer.count, !fill() {
                guard !line.isEmpty else { return nil }
                break
            }
            let rest = buffer[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(end ?? buffer.count)]
            let room = Self.maxLineBytes - line.count
            line += piece.prefix(room)
            if piece.count > room { isCut = true }
            position = end.map { $0 + 1 } ?? buffer.count
            if end != nil { break }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if isCut {
            Terminal.note("(a line is longer than \(Self.maxLineBytes >> 20) MiB and was cut there)")
        }
        if let text = String(validating: line, as: UTF8.self) { return text }
        Terminal.note("(invalid UTF-8 bytes were replaced by \u{FFFD})")
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func fill() -> Bool {
        guard !hasEnded else { return false }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&wait, 1, -1)
                continue
            }
            guard count > 0 else {
                hasEnded = true
                return false
            }
            buffer = Array(piece[..<count])
            position = 0
            return true
        }
    }
}
