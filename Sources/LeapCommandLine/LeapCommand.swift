package import ArgumentParser
import LeapBase

/// `leap`: the command line of Open Leap.
package struct LeapCommand: AsyncParsableCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "leap",
        abstract: "Run language models on this machine's own CPU.",
        discussion: """
            MODEL has the same forms in every command: "demo", "demo-vision", "demo-audio" or "demo-decisions" for a model that comes with this program (the second \
            one looks at pictures, the third one hears, the fourth one answers typed questions), the path of a GGUF file or of a folder with one, a model's name such as LFM2-1.2B:Q4_K_M or hf:OWNER/REPOSITORY:Q4_K_M, or the address of a manifest or a GGUF file. \
            A path that exists is never looked up on the network. A folder's model is the one that its manifest names, or else \
            the only GGUF file directly in it that is not a companion (projector, audio decoder) of a model.

            Results go to standard output, everything else to standard error. The exit status is 0 for success, 64 for invalid arguments, \
            74 if the output cannot be written, 130 after Ctrl-C, 141 if the output's reader has gone, and 1 otherwise.

            LEAP_HOME is the folder that models are kept under (“leap list” shows it). HF_ENDPOINT and HF_TOKEN are the address of Hugging Face \
            and the token for it. LEAP_ISA is the instruction set to compute with (“leap doctor” lists them). LEAP_READING=first \
            or other is the kernel that reads a single token's weights; without it, leap measures which is faster. LEAP_GPU selects the GPU for --gpu, by its \
            number or a part of its name.
            """,
        version: PackageVersion.text,
        subcommands: [
            DemoCommand.self, ChatCommand.self, RunCommand.self, TranscribeCommand.self, SpeakCommand.self,
            VoiceCommand.self,
            InspectCommand.self, TokenizeCommand.self, DetokenizeCommand.self,
            RenderCommand.self, EmbedCommand.self, RerankCommand.self, FillMaskCommand.self, DecideCommand.self,
            EvalCommand.self,
            BenchCommand.self,
            SchemaCommand.self, CacheCommand.self, ServeCommand.self, LaunchCommand.self, MCPCommand.self,
            BatchCommand.self,
            ServiceCommand.self,
            PullCommand.self, ModelsCommand.self, ListCommand.self, RemoveCommand.self, FitsCommand.self,
            VerifyCommand.self,
            DoctorCommand.self, ManualCommand.self,
        ]
    )

    /// Takes the places of outputs and inputs that are closed, before the system gives their numbers to something else.
    package static func prepare() { StandardStreams.prepare() }

    /// Runs the command that the arguments name, and ends the program where that does not go well.
    ///
    /// ``prepare()`` has to be called before anything else of the process runs.
    package static func start() async {
        // Swift reads them from /proc on Linux; without it every command would look like none.
        guard !CommandLine.arguments.isEmpty else {
            Terminal.note("leap: the arguments cannot be read: mount /proc, as with “mount -t proc proc /proc”")
            exit(withError: ExitCode(71))
        }
        do {
            try UnknownCommand.check(CommandLine.arguments.dropFirst(), of: Self.self)
            var command = try parseAsRoot()
            for warning in KernelWishes.warnings { Terminal.note(warning) }
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
            if code.isSuccess { Terminal.writeLine(text) } else { Terminal.note(OptionNames.translated(text)) }
        }
        exit(withError: code)
    }
}
