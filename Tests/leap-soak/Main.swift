import Foundation
import LeapCore

// Eight conversations with random cancels, edits, reloads and parts of memory that are given back, for as long as is
// asked. The events of the system are followed too, and printed.
//   leap-soak SECONDS [CACHE-FOLDER]
// After each round (a model that is loaded, used and unloaded) it prints a line: actions, tokens, errors, private
// memory. It ends with status 1 if an action failed, a fixed question got another answer, or memory grew by more than a
// tenth and 8 MiB after the second round: the first rounds fill what is kept for the process.

@main
enum Main {
    static func main() async throws {
        guard CommandLine.arguments.count >= 2, let seconds = Double(CommandLine.arguments[1]), seconds > 0 else {
            FileHandle.standardError.write(Data("usage: leap-soak SECONDS [CACHE-FOLDER]\n".utf8))
            exit(2)
        }
        let folder = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
        var soak = Soak(end: .now + .seconds(seconds), folder: folder)
        exit(try await soak.run() ? 0 : 1)
    }

    /// Writes a line at once: whoever reads it may not wait for the end.
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
