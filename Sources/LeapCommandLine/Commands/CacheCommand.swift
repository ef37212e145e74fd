import ArgumentParser

/// `leap cache …`: what a directory given with `--cache` holds.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show or empty a directory of computed prompts.",
        subcommands: [CacheInfoCommand.self, CacheClearCommand.self]
    )
}
