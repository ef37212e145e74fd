import Foundation
import LeapBase
import LeapTestSupport

/// The probe as a process of its own.
final class Child: @unchecked Sendable {
    // Sendable: the process is started before anyone else has it, and its identifier does not change.
    private let process = Process()
    private let input = Pipe()
    private let state = Locked((lines: [String](), rest: [UInt8]()))

    /// nil where the probe was not built.
    init?(_ arguments: [String]) throws {
        guard let url = ProgramBesideTests.url("leap-service-probe") else { return nil }
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [state] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            state.withLock { state in
                state.rest += data
                while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                    state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                    state.rest.removeSubrange(...end)
                }
            }
        }
        try process.run()
    }

    deinit { kill() }

    var identifier: pid_t { process.processIdentifier }

    /// The lines that the child has written.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits for a line that begins so; nil where none comes.
    func line(_ prefix: String) async throws -> String? {
        var found: String?
        _ = try await ServiceBench.eventually {
            found = lines.first { $0.hasPrefix(prefix) }
            return found != nil || (!process.isRunning && lines.contains { $0.hasPrefix("error") })
        }
        return found
    }

    /// Ends the child as `kill -9` does.
    func kill() {
        guard process.isRunning else { return }
        _ = LeapBase.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
