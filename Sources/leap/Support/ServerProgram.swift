import Foundation

/// The program `leap-server`, which is a program of its own, so that whoever does not want it builds no HTTP server.
enum ServerProgram {
    /// The program beside this one, links followed.
    static func path() throws -> String {
        let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        for folder in [own.deletingLastPathComponent(), own.resolvingSymlinksInPath().deletingLastPathComponent()] {
            let path = folder.appendingPathComponent("leap-server").path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw CommandError(
            "leap-server is not beside \(own.path): build it with “swift build -c release --traits Server --product leap-server”"
        )
    }
}
