import LeapCommandLine

/// `leap-tools`: the same command line as that of `leap`, which hands these commands over.
@main
struct ToolsProgram {
    static func main() async {
        LeapCommand.prepare()
        Tools.register { (command: BatchCommand) in try await command.answer() }
        Tools.register { (command: BenchCommand) in try await command.measure() }
        Tools.register { (command: EvalCommand) in try await command.evaluate() }
        Tools.register { (command: SchemaBenchCommand) in try await command.measure() }
        await LeapCommand.start()
    }
}
