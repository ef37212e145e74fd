import ArgumentParser

/// `leap serve`: hands over to `leap-server`, a program of its own, so that whoever does not want it builds no HTTP
/// server.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve models on this machine over HTTP in OpenAI's and Ollama's protocols.",
        discussion: """
            Runs the program leap-server from the same folder, with the same arguments; “leap serve --help” lists them. Build it with
            “swift build -c release --traits Server --product leap-server”.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of leap-server.")
    var arguments: [String] = []

    func run() throws {
        try SiblingProgram.server.execute(arguments)
    }
}
