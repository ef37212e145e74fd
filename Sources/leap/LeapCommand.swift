import ArgumentParser

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
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, ChatCommand.self, RunCommand.self,
            InspectCommand.self, TokenizeCommand.self, DetokenizeCommand.self,
            RenderCommand.self, EvalCommand.self, BenchCommand.self,
            SchemaCommand.self,
            PullCommand.self, ListCommand.self, RemoveCommand.self, FitsCommand.self, VerifyCommand.self,
        ]
    )
}
