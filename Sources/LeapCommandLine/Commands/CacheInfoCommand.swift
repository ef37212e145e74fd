import ArgumentParser
import LeapEngine
import LeapTransfers

/// `leap cache info DIR`: entries and bytes.
struct CacheInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show how many prompts a cache directory holds, and their size.")

    @Argument(help: "The directory that --cache named.", completion: .directory)
    var directory: String

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Line: Encodable {
        let directory: String
        let entries: Int
        let pages: Int
        let bytes: Int64
        let temporary_bytes: Int64
    }

    func run() throws {
        let summary = try CacheDirectory.existing(directory).summary()
        if json {
            let line = Line(
                directory: directory, entries: summary.entries, pages: summary.pages, bytes: summary.bytes,
                temporary_bytes: summary.temporaryBytes)
            Terminal.writeLine(try line.jsonLine())
            return
        }
        let rows = [
            ("entries", "\(summary.entries)"), ("pages", "\(summary.pages)"), ("size", ByteText.of(summary.bytes)),
            ("unfinished", ByteText.of(summary.temporaryBytes)),
        ]
        for (name, value) in rows { Terminal.writeLine("\(name.padded(to: 12))\(value)") }
    }
}
