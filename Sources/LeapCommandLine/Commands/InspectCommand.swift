import ArgumentParser
import LeapBase
import LeapGGUF
import LeapModel
import LeapVision

/// `leap inspect MODEL`: what a file holds, without running it.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what a GGUF file holds.",
        discussion: "Reads only the header. MODEL may be a file that this program cannot run."
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Flag(help: "List every tensor.")
    var tensors = false

    @Flag(help: "Print every key with its value and every tensor with its shape, without weights, for a report.")
    var names = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let file = try await model.open()
        var summary = GGUFSummary(file)
        guard json || !names else {
            Terminal.writeLine(summary.namesText)
            return
        }
        let use = CompanionUse(file, summary)
        summary.pictures = use?.tiling?.summary
        if let problem = use?.problem { summary.warnings.append("it cannot be used: \(problem)") }
        if let problem = use?.speechProblem { summary.warnings.append("it cannot be used for speech: \(problem)") }
        for part in use?.unread ?? [] {
            summary.warnings.append(
                "this version reads no \(part.medium.rawValue)s of the kind \"\(ShownText.of(part.kind))\"")
        }
        if json {
            Terminal.writeLine(
                try InspectionLine(summary, use, includesTensors: tensors || names, includesKeys: names).jsonLine())
        } else {
            Terminal.writeLine(summary.text)
            if tensors { Terminal.writeLine(summary.tensorText) }
        }
    }
}
