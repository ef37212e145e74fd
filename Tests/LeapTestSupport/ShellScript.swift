package import Foundation

/// Small programs that stand in for others.
package enum ShellScript {
    /// Writes a script that anyone may run, to start in its own folder.
    ///
    /// A program of its own writes it: a file that this process writes is open for a moment in every program that
    /// another test starts meanwhile, and what is open for writing cannot be run ("text file busy").
    /// - Throws: what Foundation throws, or an error that names the file.
    package static func write(_ script: String, named name: String, in folder: URL) throws {
        let path = folder.appendingPathComponent(name).path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", #"printf '%s' "$1" > "$0" && chmod 755 "$0""#, path, "#!/bin/sh\ncd '\(folder.path)'\n\(script)\n",
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }
}
