// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Dispatch has and that of Linux has not, beside Metal because the sources that import it need it.
@_exported import Dispatch
import Foundation

public protocol DispatchSourceMemoryPressure: AnyObject {
    func setEventHandler(handler: (@Sendable () -> Void)?)
    func activate()
    func cancel()
}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }

    public static func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { StubMemoryPressure() }
}

/// A source that tests let speak.
public final class StubMemoryPressure: DispatchSourceMemoryPressure, @unchecked Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var active: [ObjectIdentifier: @Sendable () -> Void] = [:]
    private var handler: (@Sendable () -> Void)?

    public func setEventHandler(handler: (@Sendable () -> Void)?) { self.handler = handler }
    public func activate() { Self.lock.withLock { Self.active[ObjectIdentifier(self)] = handler } }
    public func cancel() { _ = Self.lock.withLock { Self.active.removeValue(forKey: ObjectIdentifier(self)) } }

    /// Tells all active sources that memory is short.
    public static func warn() {
        for handler in lock.withLock({ Array(active.values) }) { handler() }
    }
}
