/// An event after which an app should use less memory, or may use more again.
public enum MemoryEvent: String, Sendable, Hashable, Codable, CaseIterable {
    /// The system, or the limit of this process, is short of memory.
    case warning
    /// The system is about to end processes, or this process is about to reach its limit.
    case critical
    /// The app went to the background, where systems end large apps first.
    case background
    /// The app is in the foreground again.
    case foreground
}

/// A source of events about memory: the system, or a double of it in tests.
public protocol MemoryPressureSource: Sendable {
    /// Returns the events from now on; they end when the source has no more, and the source is released when the
    /// consumer stops.
    func events() -> AsyncStream<MemoryEvent>
}
