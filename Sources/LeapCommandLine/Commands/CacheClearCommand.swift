import ArgumentParser
import LeapEngine
import LeapTransfers

/// `leap cache clear DIR`: deletes what is kept.
struct CacheClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete the prompts in a cache directory.",
        discussion: "Other files in the directory stay as they are."
    )

    @Argument(help: "The directory that --cache named.", completion: .directory)
    var directory: String

    func run() throws {
        Terminal.note("freed \(ByteText.of(try CacheDirectory.existing(directory).clear()))")
    }
}
