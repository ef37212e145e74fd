import Foundation

/// Runs the compiler over a piece of source that uses the macros.
///
/// Importing the plugin into a test instead would make SwiftPM build every test of the package, and all that they need,
/// for the host a second time.
enum MacroCompiler {
    struct Finding: Equatable, CustomStringConvertible {
        let line: Int
        let message: String
        let fixIts: [String]
        var description: String { "\(line): \(message) \(fixIts)" }
    }

    /// The compiler could not judge the source.
    struct Failure: Error, CustomStringConvertible {
        let output: String
        var description: String { "the compiler cannot import LeapSDKMacros:\n\(output)" }
    }

    /// True if the compiler and the plugin are there: not where the tests run in an app or on a device.
    static var isAvailable: Bool { compiler != nil && plugin != nil }

    /// Returns the messages of the macros about a source file that sees `LeapSDKMacros`; its first line counts as 1.
    static func findings(in source: String) throws -> [Finding] {
        guard let compiler, let plugin else { return [] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-macros-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("test.swift")
        try Data(source.utf8).write(to: file)
        let prelude = folder.appendingPathComponent("prelude.swift")
        try Data("@_exported import LeapSDKMacros\n".utf8).write(to: prelude)

        let process = Process()
        process.executableURL = compiler
        process.arguments = [
            "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-module-name", "Test",
            "-load-plugin-executable", "\(plugin.path)#LeapSDKMacrosPlugin",
            "-I", products.appendingPathComponent("Modules").path, "-I", products.path,
        ]
        // The C modules that the libraries were built with have their module maps in the sources.
        for folder in cModules { process.arguments? += ["-Xcc", "-I\(folder.path)"] }
        process.arguments? += [file.path, prelude.path]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // A library that cannot be imported would look like a source without findings.
        if text.contains("prelude.swift:") || text.contains("<unknown>:0: error") { throw Failure(output: text) }
        return findings(inOutput: text)
    }

    /// Lines `…/test.swift:LINE:COLUMN: error: MESSAGE`, each followed by a note for every fix-it.
    private static func findings(inOutput text: String) -> [Finding] {
        var findings: [Finding] = []
        for line in text.split(separator: "\n") {
            guard let range = line.range(of: "test.swift:") else { continue }
            let fields = line[range.upperBound...].split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count == 4, let number = Int(fields[0]) else { continue }
            let message = fields[3].trimmingCharacters(in: .whitespaces)
            switch fields[2].trimmingCharacters(in: .whitespaces) {
            case "error":
                // The compiler's own findings, about names that the piece does not declare, are not ours.
                guard let end = message.range(of: " (from macro '") else { continue }
                findings.append(Finding(line: number, message: String(message[..<end.lowerBound]), fixIts: []))
            case "note":
                guard let last = findings.popLast() else { continue }
                findings.append(Finding(line: last.line, message: last.message, fixIts: last.fixIts + [message]))
            default: break
            }
        }
        return findings
    }

    private static let compiler: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// The folder that holds the built modules and programs.
    private static let products: URL = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Modules").path) { return folder }
            folder.deleteLastPathComponent()
        }
        return Bundle.main.bundleURL.deletingLastPathComponent()
    }()

    private static let plugin: URL? = ["LeapSDKMacrosPlugin-tool", "LeapSDKMacrosPlugin"]
        .map { products.appendingPathComponent($0) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static let cModules: [URL] = {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let targets = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        return targets.map { sources.appendingPathComponent("\($0)/include") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }()
}
