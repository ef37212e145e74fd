import ArgumentParser
import Foundation
import LeapTransfers

/// `leap list`: the models on this machine.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models on this machine, the most recently used first.")

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private struct Line: Encodable {
        var name: String
        var bytes: Int64
        var lastUse: Date
        var folder: String
    }

    func run() throws {
        let models = try ModelNames.store.list()
        let unfinished = ModelNames.store.listUnfinished()
        if json {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for model in models {
                let line = Line(name: model.name, bytes: model.size, lastUse: model.lastUse, folder: model.folder)
                Terminal.writeLine(String(decoding: try encoder.encode(line), as: UTF8.self))
            }
            return
        }
        defer {
            // Not models yet, so not among the results.
            for model in unfinished {
                let size = "\(ByteText.of(model.bytes)) of \(ByteText.of(model.total))"
                Terminal.note(
                    model.isRunning
                        ? "\(model.name): being fetched, \(size)"
                        : "\(model.name): \(size) here; “leap pull \(model.name)” goes on.")
            }
        }
        guard !models.isEmpty else {
            if !unfinished.isEmpty { return }
            Terminal.note("No models in \(ModelNames.store.configuration.folder). “leap pull LFM2-1.2B” fetches one.")
            return
        }
        let width = models.map(\.name.count).max() ?? 0
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        for model in models {
            Terminal.writeLine(
                "\(model.name.padded(to: width))  \(ByteText.of(model.size).leftPadded(to: 9))  \(formatter.string(from: model.lastUse))"
            )
        }
    }
}
