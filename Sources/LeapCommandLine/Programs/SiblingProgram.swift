import Foundation
import LeapBase

/// A program that stands beside this one and does what most people who run `leap` do without: it is built only where it
/// is asked for.
struct SiblingProgram {
    /// The HTTP server and the model service.
    static let server = SiblingProgram(
        name: "leap-server", build: "swift build -c release --traits Server --product leap-server")
    /// Batches and measurements.
    static let tools = SiblingProgram(name: "leap-tools", build: "swift build -c release --product leap-tools")

    let name: String
    /// The command that builds it.
    let build: String

    /// The program beside this one, links followed.
    func path() throws -> String {
        let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        for folder in [own.deletingLastPathComponent(), own.resolvingSymlinksInPath().deletingLastPathComponent()] {
            let path = folder.appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw CommandError("\(name) is not beside \(own.path): build it with “\(build)”")
    }

    /// Goes on as that program, with other arguments.
    func execute(_ arguments: some Sequence<String>) throws -> Never {
        let program = try path()
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        execv(program, &pointers)
        throw CommandError("\(program) cannot be run: \(String(cString: strerror(errno)))")
    }
}
