import ArgumentParser
import LeapBase

/// `leap`: the command line of Open Leap.
@main
struct LeapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leap",
        abstract: "Run language models on this machine's own CPU.",
        discussion: """
            MODEL is a path to a GGUF file, "demo" for the model that is embedded in this program, or a model's name:
            LFM2-1.2B:Q4_K_M, hf:OWNER/REPOSITORY:Q4_K_M, or the address of a manifest or a GGUF file.
            Results go to standard output, everything else to standard error.
            """,
        version: PackageVersion.text,
        subcommands: [
            DemoCommand.self, ChatCommand.self, RunCommand.self, TranscribeCommand.self,
            InspectCommand.self, TokenizeCommand.self, DetokenizeCommand.self,
            RenderCommand.self, EmbedCommand.self, EvalCommand.self, BenchCommand.self,
            SchemaCommand.self, CacheCommand.self, ServeCommand.self, BatchCommand.self, ServiceCommand.self,
            PullCommand.self, ListCommand.self, RemoveCommand.self, FitsCommand.self, VerifyCommand.self,
        ]
    )

    static func main() async {
        OutputChannel.prepare()
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }

    /// Ends the program with what the error says: help to standard output, complaints to standard error.
    private static func end(_ error: any Error) -> Never {
        let (text, code) = (fullMessage(for: error), exitCode(for: error))
        if !text.isEmpty {
            if code.isSuccess { Terminal.writeLine(text) } else { Terminal.note(text) }
        }
        exit(withError: code)
    }
}
