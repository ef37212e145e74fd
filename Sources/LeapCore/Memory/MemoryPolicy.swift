public import Foundation

/// The memory that a loaded model gives back at each ``MemoryEvent``.
///
/// Replies stay the same whatever is given back: what is needed later is computed or read again. Replies in progress
/// keep what they need. Parts are given back in the order of ``MemoryPart``.
public struct MemoryPolicy: Sendable, Hashable {
    /// The parts that are given back at a warning; what costs least to do without, unless set.
    public var warning: Set<MemoryPart> = [.scratch, .encoders, .drafts]
    /// The parts that are given back at a critical warning; all, unless set.
    public var critical = Set(MemoryPart.allCases)
    /// The parts that are given back in the background; all but the model, unless set.
    public var background = Set(MemoryPart.allCases).subtracting([.model])
    /// The folder for the state of conversations that is given back; nil to compute it again from the history.
    ///
    /// The files are temporary, readable by this user only, and removed with their conversations.
    public var stateFolder: URL? = Self.processFolder
    /// A Boolean value that indicates whether a released model is loaded again as soon as the app is in the foreground.
    ///
    /// Otherwise its next use loads it.
    public var reloadsInForeground = true

    /// A folder whose name no other process knows beforehand: other users may write into the directory around it.
    private static let processFolder = FileManager.default.temporaryDirectory
        .appendingPathComponent("open-leap-state-\(UUID().uuidString)")

    /// Creates the usual policy.
    public init() {}

    /// The parts that are given back at an event; none in the foreground.
    public func parts(for event: MemoryEvent) -> Set<MemoryPart> {
        switch event {
        case .warning: warning
        case .critical: critical
        case .background: background
        case .foreground: []
        }
    }
}
