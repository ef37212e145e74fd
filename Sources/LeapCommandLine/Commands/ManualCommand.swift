import ArgumentParser
import Foundation
import LeapBase

/// `leap manual`: the manual pages, made of what `--help` is made of.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual pages of this program: leap.1, leap-run.1 and so on.",
        shouldDisplay: false)

    @Option(help: "The folder to write them into (default: leap.1 alone, to standard output).", completion: .directory)
    var into: String?

    func run() throws {
        let pages = try ManualPage.all(of: try HelpTree.of(LeapCommand.self))
        guard let into else {
            Terminal.write(pages.first?.text ?? "")
            return
        }
        try FileSystem.makeFolder(into)
        for page in pages {
            try FileSystem.publish(Array(page.text.utf8), at: "\(into)/\(page.name).1", durable: false)
        }
    }
}
