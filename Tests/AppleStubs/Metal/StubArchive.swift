import Foundation

/// An archive that has the identities of functions in place of their code.
final class StubArchive: MTLBinaryArchive, @unchecked Sendable {  // what changes is behind a lock
    private static let mark = "functions:"
    private let lock = NSLock()
    private var functions: Set<String> = []

    /// - Parameter url: a file that another archive wrote; nil for an archive without functions.
    init(_ url: URL?) throws {
        guard let url else { return }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        guard lines.first == Self.mark else { throw StubError("not a file of an archive") }
        functions = Set(lines.dropFirst())
    }

    func has(_ function: StubFunction) -> Bool { lock.withLock { functions.contains(function.identity) } }

    func addComputePipelineFunctions(descriptor: MTLComputePipelineDescriptor) throws {
        guard let function = descriptor.computeFunction as? StubFunction else {
            throw StubError("a descriptor without a function of this device")
        }
        _ = lock.withLock { functions.insert(function.identity) }
    }

    func serialize(to url: URL) throws {
        let lines = lock.withLock { [Self.mark] + functions.sorted() }
        try lines.joined(separator: "\n").write(to: url, atomically: false, encoding: .utf8)
    }
}

extension StubFunction {
    /// Its name, its library and the values of its constants.
    fileprivate var identity: String {
        ([kernel.library, kernel.name] + constants.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            .joined(separator: " ")
    }
}
