import ArgumentParser
import LeapBase
import LeapJSON
import LeapMCP
import LeapSDK

/// `leap mcp MODEL`: the model as tools of the Model Context Protocol, over standard input and output.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Serve a model as tools to programs that speak the Model Context Protocol.",
        discussion: """
            Programs with their own model, such as coding agents and desktop assistants, start this command and write JSON-RPC to its standard input, \
            one message per line. The tools: chat, embed, count_tokens, and transcribe if the model hears. In the settings of such a program:

              {"mcpServers": {"leap": {"command": "leap", "args": ["mcp", "demo"]}}}

            When standard input ends, it answers the running calls and exits.
            """)

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    func run() async throws {
        try StandardInput.take(for: "mcp")
        let runner = try await loading.load(model)
        let server = MCPServer(tools: MCPTools(runner), version: PackageVersion.text) { answer in
            OutputChannel.put(JSONWriter.string(answer) + "\n", on: 1)
        }
        let lines = InputLines(maxBytes: MCPServer.maxLineBytes)
        while let element = await lines.next() {
            switch element {
            case .line(let line): server.take(line)
            case .tooLong: server.refuseLongLine()
            }
        }
        await server.finish()
        await runner.unload()
    }
}
