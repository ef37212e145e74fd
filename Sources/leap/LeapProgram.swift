import LeapCommandLine

/// `leap`: the command line, without the modules that ``ToolCommand``s need.
@main
struct LeapProgram {
    static func main() async {
        LeapCommand.prepare()
        await LeapCommand.start()
    }
}
