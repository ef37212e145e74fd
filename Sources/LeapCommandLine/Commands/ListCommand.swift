import ArgumentParser
import Foundation
import LeapTransfers

/// `leap list`: the models on this machine.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models on this machine, the most recently used first.",
        discussion: """
            Models are in $LEAP_HOME/leap_models. If LEAP_HOME is not set, they are in Application Support on macOS, else in \
            $XDG_DATA_HOME/leap_models or ~/.local/share/leap_models. To move them, move that folder and set LEAP_HOME to its new parent folder. \
            Standard error shows the folder and the total size of its models.
            """)

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private struct Line: Encodable {
        var name: String
        var bytes: Int64
        /// The time of the last use, in ISO 8601.
        var lastUse: String
        var folder: String
    }

    func run() throws {
        let recorded = try ModelNames.store.listRecorded().map { ($0, try ModelNames.store.faults($0)) }
        let models = recorded.filter(\.1.isEmpty).map(\.0)
        let damaged = recorded.filter { !$0.1.isEmpty }
        // What is being mended is shown as such, what is damaged with its faults.
        let unfinished = ModelNames.store.listUnfinished()
            .filter { unfinished in unfinished.isRunning || !damaged.contains { $0.0.folder == unfinished.folder } }
        if json {
            for model in models {
                let line = Line(
                    name: model.name, bytes: model.size, lastUse: model.lastUse.formatted(.iso8601),
                    folder: model.folder)
                Terminal.writeLine(try line.jsonLine())
            }
            return
        }
        defer {
            // Not models any more, so not among the results.
            for (model, faults) in damaged {
                Terminal.note(
                    "\(model.name): damaged, \(faults.joined(separator: ", ")); “leap pull \(model.name)” repairs it.")
            }
            // Not models yet.
            for model in unfinished {
                let size = "\(ByteText.of(model.bytes)) of \(ByteText.of(model.total))"
                Terminal.note(
                    model.isRunning
                        ? "\(model.name): being fetched, \(size)"
                        : "\(model.name): \(size) here; “leap pull \(model.name)” continues.")
            }
        }
        let folder = ModelNames.store.configuration.folder
        guard !models.isEmpty else {
            if !unfinished.isEmpty || !damaged.isEmpty { return }
            Terminal.note("No models in \(folder). “leap pull LFM2-1.2B” fetches one; LEAP_HOME moves the folder.")
            return
        }
        let width = models.map(\.name.count).max() ?? 0
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        for model in models {
            Terminal.writeText(
                "\(model.name.padded(to: width))  \(ByteText.of(model.size).leftPadded(to: 9))  \(formatter.string(from: model.lastUse))"
            )
        }
        Terminal.note("\(ByteText.of(models.reduce(0) { $0 + $1.size })) in \(folder); LEAP_HOME moves it")
    }
}
