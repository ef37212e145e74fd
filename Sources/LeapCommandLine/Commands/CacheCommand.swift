import ArgumentParser

/// `leap cache …`: what a directory given with `--cache` holds.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look at a directory of computed prompts, or empty it.",
        subcommands: [CacheInfoCommand.self, CacheClearCommand.self]
    )
}
