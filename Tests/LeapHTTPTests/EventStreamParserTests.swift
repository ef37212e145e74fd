import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import Testing

/// Server-sent events, however their bytes are cut.
@Suite(.inServerTurns)
struct EventStreamParserTests {
    typealias Event = EventStreamParser.Event

    /// A stream and its events.
    struct Recording: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let events: [Event]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ events: [Event]) {
            self.init(name, Array(text.utf8), events)
        }

        init(_ name: String, _ bytes: [UInt8], _ events: [Event]) {
            self.name = name
            self.bytes = bytes
            self.events = events
        }
    }

    static let recordings: [Recording] = [
        Recording(
            "line feeds", "data: {\"a\":1}\n\ndata: [DONE]\n\n", [Event(data: "{\"a\":1}"), Event(data: "[DONE]")]),
        Recording("CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", [Event(data: "a"), Event(data: "b")]),
        Recording("CR alone", "data: a\r\rdata: b\r\r", [Event(data: "a"), Event(data: "b")]),
        Recording(
            "all line ends", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r", [Event(data: "a\nb\nc"), Event(data: "d")]),
        Recording("mark of UTF-8", "\u{FEFF}data: a\n\n", [Event(data: "a")]),
        Recording("a second mark is text", "data: \u{FEFF}a\n\n", [Event(data: "\u{FEFF}a")]),
        Recording(
            "comments", ": OPENROUTER PROCESSING\n\n:\n:x\ndata: a\n: in between\ndata: b\n\n", [Event(data: "a\nb")]),
        Recording("several lines", "data: {\ndata:  \"a\": 1\ndata: }\n\n", [Event(data: "{\n \"a\": 1\n}")]),
        Recording("no blank after the colon", "data:a\ndata:  b\n\n", [Event(data: "a\n b")]),
        Recording(
            "other fields", "id: 7\nretry: 10\nevent: message\nfoo: bar\ndata: a\n\n",
            [Event(name: "message", data: "a")]),
        Recording("a name without data", "event: ping\n\ndata: a\n\n", [Event(data: "a")]),
        Recording("data without a colon", "data\n\ndata\ndata\n\n", [Event(data: ""), Event(data: "\n")]),
        Recording("empty lines", "\n\r\n\r\n\ndata: a\n\n\n\n", [Event(data: "a")]),
        Recording("characters of several bytes", "data: é漢🦊\n\n", [Event(data: "é漢🦊")]),
        Recording(
            "invalid UTF-8", Array("data: ".utf8) + [0xFF, 0xE6] + Array("\n\n".utf8), [Event(data: "\u{FFFD}\u{FFFD}")]
        ),
        Recording("cut off", "data: a\n\ndata: b\n", [Event(data: "a")]),
    ]

    private func events(_ pieces: some Sequence<ArraySlice<UInt8>>, limit: Int = 1 << 20) -> [Event] {
        var parser = EventStreamParser(maxEventBytes: limit)
        return pieces.flatMap { parser.append(Array($0)) }
    }

    @Test("The events are the same wherever the stream is cut", arguments: recordings)
    func cuts(recording: Recording) {
        let bytes = recording.bytes
        #expect(events([bytes[...]]) == recording.events)
        for cut in 0...bytes.count { #expect(events([bytes[..<cut], bytes[cut...]]) == recording.events, "at \(cut)") }
        #expect(events(bytes.indices.map { bytes[$0...$0] }) == recording.events)
    }

    @Test("Random streams are read as a reader of whole texts reads them, in pieces of any size")
    func random() {
        let words = ["data", "event", ":", " ", "x", "é", "\n", "\r", "\r\n", "\n\n", "id: 1", "data: ", ": c"]
        for seed in TestLevel.seeds(250, all: 2000) {
            var generator = SeededGenerator(seed: seed)
            var text = ""
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                text += words.randomElement(using: &generator) ?? ""
            }
            let bytes = Array(text.utf8)
            var pieces: [ArraySlice<UInt8>] = []
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...5, using: &generator))
                pieces.append(bytes[start..<end])
                start = end
            }
            #expect(events(pieces) == Self.whole(text), "seed \(seed): \(text.debugDescription)")
        }
    }

    /// The events of a whole text, read line by line.
    private static func whole(_ text: String) -> [Event] {
        var scalars = Array(text.unicodeScalars)[...]
        var lines: [String] = []
        while let end = scalars.firstIndex(where: { $0 == "\n" || $0 == "\r" }) {
            lines.append(String(String.UnicodeScalarView(scalars[..<end])))
            let isPair = scalars[end] == "\r" && end + 1 < scalars.endIndex && scalars[end + 1] == "\n"
            scalars = scalars[(end + (isPair ? 2 : 1))...]
        }
        var events: [Event] = []
        var name: String?
        var data: [String] = []
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty { events.append(Event(name: name, data: data.joined(separator: "\n"))) }
                (name, data) = (nil, [])
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? String(parts[1]) : ""
            if value.hasPrefix(" ") { value.removeFirst() }
            if parts[0] == "data" { data.append(value) }
            if parts[0] == "event" { name = value }
        }
        return events
    }

    @Test("What the end cuts off is given apart")
    func finish() {
        var parser = EventStreamParser(maxEventBytes: 100)
        #expect(parser.append(Array("data: [DONE]".utf8)).isEmpty)
        #expect(parser.finish() == Event(data: "[DONE]"))
        #expect(parser.finish() == nil)
        #expect(parser.append(Array("data: a\nda".utf8)).isEmpty)
        #expect(parser.finish() == Event(data: "a"))
    }

    @Test("A line that is too long ends the reading, with the events before it", arguments: [1, 7, 64])
    func endlessLine(piece: Int) {
        var parser = EventStreamParser(maxEventBytes: 50)
        var found = parser.append(Array("data: a\n\n".utf8))
        for _ in 0..<1000 { found += parser.append([UInt8](repeating: UInt8(ascii: "x"), count: piece)) }
        found += parser.append(Array("\n\ndata: b\n\n".utf8))
        #expect(found == [Event(data: "a")] && parser.isTooLong)
        #expect(parser.finish() == nil)
    }

    @Test("The lines of an event together are bounded too")
    func endlessEvent() {
        var parser = EventStreamParser(maxEventBytes: 50)
        for _ in 0..<20 { #expect(parser.append(Array("data: abcdefgh\n".utf8)).isEmpty) }
        #expect(parser.isTooLong)
        var fits = EventStreamParser(maxEventBytes: 50)
        for _ in 0..<5 { #expect(fits.append(Array("data: abcdefgh\n".utf8)).isEmpty) }
        #expect(fits.append([0x0A]).count == 1 && !fits.isTooLong)
    }
}
