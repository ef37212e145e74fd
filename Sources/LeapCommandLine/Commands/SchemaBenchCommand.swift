package import ArgumentParser

/// `leap schema bench DIR --model MODEL`: MaskBench files, judged and timed.
package struct SchemaBenchCommand: ToolCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Judge and time the instances of MaskBench files, token by token.",
        discussion: """
            DIR holds JSON files with "schema" and "tests" (each "valid" and "data"). MODEL may hold a vocabulary only.
            With --json, prints one line per file, else a summary.
            """
    )

    @Argument(help: "A folder of MaskBench files.", completion: .directory)
    package var folder: String

    @Option(help: ModelArgument.help)
    package var model: ModelArgument

    @OptionGroup package var arguments: SchemaArguments

    @Flag(
        name: .customLong("declared-order"),
        help: "Accept properties in the schema's order only, as generation does.")
    package var declaredOrder = false

    @Flag(help: "Print one JSON object per file.")
    package var json = false
}
