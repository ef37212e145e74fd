package import ArgumentParser

/// `leap schema bench DIR --model MODEL`: MaskBench files, judged and timed.
package struct SchemaBenchCommand: ToolCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Judge and time the instances of MaskBench files, token by token.",
        discussion: """
            DIR holds JSON files with "schema" and "tests" (each "valid" and "data"). MODEL may hold a vocabulary only.
            With --json one line a file; else a summary.
            """
    )

    @Argument(help: "A folder of MaskBench files.", completion: .directory)
    package var folder: String

    @Option(help: ModelArgument.help)
    package var model: ModelArgument

    @OptionGroup package var arguments: SchemaArguments

    @Flag(
        name: .customLong("declared-order"),
        help: "Take properties in the order of the schema only, as generation does.")
    package var declaredOrder = false

    @Flag(help: "One JSON object a file on standard output.")
    package var json = false
}
