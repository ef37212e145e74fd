import ArgumentParser
import LeapBase
import LeapEngine
import LeapTransfers

/// `leap cache clear DIR`: deletes what is kept.
struct CacheClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete the prompts that a directory keeps.",
        discussion: "Other files in the directory stay as they are."
    )

    @Argument(help: "The directory that --cache named.", completion: .directory)
    var directory: String

    func run() throws {
        let folder = try CacheDirectory.existing(directory)
        do {
            Terminal.note("freed \(ByteText.of(try folder.clear()))")
        } catch {
            throw CommandError("\(error)")
        }
    }
}
