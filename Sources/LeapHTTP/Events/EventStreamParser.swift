/// Reads server-sent events (the HTML Standard, section 9.2) from bytes that arrive in pieces of any size.
///
/// A byte-order mark at the start is passed over; lines end with CR LF, LF or CR; comments, `id` and `retry` are passed
/// over. How the bytes are cut makes no difference. What it keeps is at most ``maxEventBytes``.
package struct EventStreamParser: Sendable {
    /// An event.
    package struct Event: Sendable, Hashable {
        /// The value of `event`; nil where there is none.
        package var name: String?
        /// The lines of `data` with line feeds between them, as UTF-8; invalid sequences are replaced.
        package var data: String

        package init(name: String? = nil, data: String) {
            self.name = name
            self.data = data
        }
    }

    /// The bytes that a line may have, and that the data of an event may have.
    package let maxEventBytes: Int
    /// True if a line, or the data of an event, was longer than the limit; nothing is read after it.
    package private(set) var isTooLong = false

    private var line: [UInt8] = []
    private var name: String?
    private var data: [UInt8] = []
    /// True if the event has `data`, which may be empty.
    private var hasData = false
    /// True if the byte before was a CR, whose LF belongs to it.
    private var isAfterReturn = false
    private var isFirstLine = true

    package init(maxEventBytes: Int) { self.maxEventBytes = maxEventBytes }

    /// Takes the next bytes.
    ///
    /// - Returns: the events that they complete, of those before what is too long.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) -> [Event] {
        var events: [Event] = []
        var start = 0
        for index in bytes.indices where !isTooLong {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else {
                isAfterReturn = false
                continue
            }
            defer { start = index + 1 }
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            keep(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            if let event = endLine() { events.append(event) }
        }
        keep(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        return events
    }

    /// Takes the next bytes.
    package mutating func append(_ bytes: [UInt8]) -> [Event] { bytes.withUnsafeBytes { append($0) } }

    /// The event that the stream's end cut off before the empty line after it; nil where there is none.
    ///
    /// A browser drops it, as it may lack lines. Whoever can tell whether its data is whole may use it.
    package mutating func finish() -> Event? {
        if let event = endLine() { return event }
        return endEvent()
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        guard !isTooLong, bytes.count <= maxEventBytes - line.count else { return giveUp() }
        line.append(contentsOf: bytes)
    }

    private mutating func giveUp() {
        isTooLong = true
        (line, data, hasData) = ([], [], false)
    }

    private mutating func endLine() -> Event? {
        if isTooLong { return nil }
        defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 16) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard let first = line.first else { return endEvent() }
        // A comment, such as servers send to keep a connection open.
        if first == UInt8(ascii: ":") { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let field = line[..<colon]
        if field.elementsEqual("data".utf8) {
            guard value.count < maxEventBytes - data.count else {
                giveUp()
                return nil
            }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            name = nil
            data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
            hasData = false
        }
        guard hasData else { return nil }
        return Event(name: name, data: String(decoding: data, as: UTF8.self))
    }
}
