import ArgumentParser
import FoundationEssentials
import LeapTransfers

/// `leap pull MODEL`: fetch a model.
struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Fetch a model.",
        discussion: """
            MODEL is NAME or NAME:QUANTIZATION of the LEAP library (LFM2-1.2B:Q4_K_M), hf:OWNER/REPOSITORY:QUANTIZATION, or the address \
            of a manifest or a GGUF file. A file on this machine is left as it is. Ctrl-C stops; the same command continues where it stopped. HF_ENDPOINT and HF_TOKEN are respected. \
            “leap list --help” names the folder for models; LEAP_HOME moves it.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Flag(help: "Fetch it again even if it is here.")
    var force = false

    func run() async throws {
        guard case .model(let reference) = try model.place() else {
            let path = try await model.url().path
            Terminal.note("\(model.text) is on this machine; there is nothing to fetch.")
            Terminal.writeLine(path)
            return
        }
        let installed = try await Puller.pull(reference, force: force)
        Terminal.writeLine(installed.path(.model) ?? installed.folder)
    }
}
