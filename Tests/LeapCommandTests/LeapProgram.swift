import Foundation
import LeapBase

/// Runs the built `leap` program as a user would.
struct LeapProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
        /// The output as it is.
        var outputBytes = Data()

        /// The errors of the program, as one line.
        var errorLine: String { errors.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// The program beside the test bundle.
    static let url: URL = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        // On macOS the test binary sits inside Package.xctest/Contents/MacOS.
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("leap")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return Bundle.main.bundleURL.deletingLastPathComponent().appendingPathComponent("leap")
    }()

    /// Runs it with arguments and the given standard input, and waits for its end.
    static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], program: URL = url,
        started: (Process) -> Void = { _ in }
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        // Of a program that ends without reading its input.
        BrokenPipes.becomeErrors()
        try process.run()
        started(process)
        // Each pipe on a thread of its own: a full pipe must not stop the others.
        let collected = Collector()
        let group = DispatchGroup()
        for (pipe, isOutput) in [(output, true), (errors, false)] {
            DispatchQueue.global().async(group: group) {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                collected.set(data, isOutput: isOutput)
            }
        }
        DispatchQueue.global().async(group: group) {
            try? standardInput.fileHandleForWriting.write(contentsOf: input)
            try? standardInput.fileHandleForWriting.close()
        }
        group.wait()
        process.waitUntilExit()
        return collected.outcome(status: process.terminationStatus)
    }

    static func run(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(arguments, input: Data(input.utf8))
    }

    private final class Collector: @unchecked Sendable {
        private let lock = NSLock()
        private var output = Data()
        private var errors = Data()

        func set(_ data: Data, isOutput: Bool) {
            lock.withLock { if isOutput { output = data } else { errors = data } }
        }

        func outcome(status: Int32) -> Outcome {
            lock.withLock {
                Outcome(
                    status: status, output: String(decoding: output, as: UTF8.self),
                    errors: String(decoding: errors, as: UTF8.self), outputBytes: output)
            }
        }
    }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("leap-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ data: Data) throws -> String {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file.path
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
