import ArgumentParser
import LeapBase
import LeapTransfers

/// `leap rm MODEL…`: remove models.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove models from this machine.",
        discussion: "With --down-to, removes the least recently used models until the rest fits."
    )

    @Argument(help: "Models, by the names that “leap list” shows.", completion: ModelCompletion.installedKind)
    var models: [String] = []

    @Option(help: "Keep at most this many bytes of models (10GB, 500MB, or a number).", transform: RemoveCommand.bytes)
    var downTo: Int64?

    static func bytes(_ text: String) throws -> Int64 {
        let upper = text.uppercased()
        for (unit, factor) in [("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)] where upper.hasSuffix(unit) {
            if let number = Double(upper.dropLast(2)), number >= 0, number * factor < 1e18 {
                return Int64(number * factor)
            }
        }
        guard let number = Int64(text), number >= 0 else {
            throw ValidationError("“\(text)” is not a size: write 10GB, 500MB or a number of bytes.")
        }
        return number
    }

    func validate() throws {
        guard !models.isEmpty || downTo != nil else { throw ValidationError("Name a model, or give --down-to.") }
    }

    private static func inUse(_ name: String) -> CommandError {
        CommandError("\(name) is being fetched by another process; stop that with Ctrl-C first, or wait for it.")
    }

    private func remove(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as DownloadError where error.code == .inUse {
            throw Self.inUse(name)
        }
    }

    func run() async throws {
        let store = ModelNames.store
        for name in models {
            // Names as they are listed come first: they need not be ones that can be parsed.
            if let model = try store.listRecorded().first(where: { $0.name == name }) {
                try await remove(name) { try await store.remove(folder: model.folder) }
            } else {
                let reference = try ModelNames.kept(name)
                switch store.state(reference) {
                case .absent: throw CommandError("\(name) is not on this machine; “leap list” shows what is.")
                case .running: throw Self.inUse(name)
                case .stopped, .installed: try await remove(name) { try await store.remove(reference) }
                }
            }
            Terminal.note("Removed \(name).")
        }
        if let downTo {
            for model in try await store.cleanUp(toBytes: downTo) {
                Terminal.note("Removed \(model.name) (\(ByteText.of(model.size))).")
            }
        }
    }
}
