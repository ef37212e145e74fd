import ArgumentParser
import LeapTransfers

/// `leap pull MODEL`: fetch a model.
struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Fetch a model.",
        discussion: """
            MODEL is NAME or NAME:QUANTIZATION of the LEAP library (LFM2-1.2B:Q4_K_M), hf:OWNER/REPOSITORY:QUANTIZATION, or the address \
            of a manifest or a GGUF file. Ctrl-C stops; the same command goes on where it stopped. HF_ENDPOINT and HF_TOKEN are honoured.
            """
    )

    @Argument(help: "The model's name or address.")
    var model: String

    @Flag(help: "Fetch it again even if it is here.")
    var force = false

    func run() async throws {
        let reference = try ModelNames.parse(model)
        let installed = try await Puller.pull(reference, force: force)
        Terminal.writeLine(installed.path(.model) ?? installed.folder)
    }
}
