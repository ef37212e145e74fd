import LeapBase

/// The models in memory of this process, by their folders.
///
/// A model counts as used for as long as the object that runs it exists.
final class ModelUses: Sendable {
    private struct Use {
        weak var object: AnyObject?
    }

    private let uses = Locked<[String: [Use]]>([:])

    /// Notes that an object runs the model of a folder.
    func add(_ object: AnyObject, folder: String) {
        uses.withLock { uses in
            uses[folder] = (uses[folder] ?? []).filter { $0.object != nil } + [Use(object: object)]
        }
    }

    /// Returns whether an object runs the model of a folder.
    func contains(folder: String) -> Bool {
        uses.withLock { uses in
            let left = (uses[folder] ?? []).filter { $0.object != nil }
            uses[folder] = left.isEmpty ? nil : left
            return !left.isEmpty
        }
    }
}
