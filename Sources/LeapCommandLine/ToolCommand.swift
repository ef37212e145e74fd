package import ArgumentParser
import LeapBase

/// A command whose work is done by `leap-tools`: `leap` reads the arguments and hands over, so that whoever does not
/// batch or measure does not build what that takes.
package protocol ToolCommand: AsyncParsableCommand {}

extension ToolCommand {
    package mutating func run() async throws {
        guard let work = Tools.work(for: Self.self) else {
            try SiblingProgram.tools.execute(CommandLine.arguments.dropFirst())
        }
        try await work(self)
    }
}

/// The commands that this program can carry out beyond reading their arguments: none in `leap`, all in `leap-tools`.
package enum Tools {
    private typealias Work = @Sendable (any ToolCommand) async throws -> Void
    private static let all = Locked<[ObjectIdentifier: Work]>([:])

    /// Says how a command is carried out.
    package static func register<Command: ToolCommand>(_ body: @escaping @Sendable (Command) async throws -> Void) {
        all.withLock {
            $0[ObjectIdentifier(Command.self)] = { if let command = $0 as? Command { try await body(command) } }
        }
    }

    static func work<Command: ToolCommand>(for type: Command.Type) -> (
        @Sendable (any ToolCommand) async throws -> Void
    )? {
        all.withLock { $0[ObjectIdentifier(type)] }
    }
}
