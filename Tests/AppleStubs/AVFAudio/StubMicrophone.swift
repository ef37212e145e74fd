// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// The microphone and loudspeaker in the place of devices, which tests set up and look at.
public final class StubMicrophone: Sendable {
    public struct State: Sendable {
        /// A raw value of `AVAuthorizationStatus`.
        public var permission = 3
        /// The number of times that access was asked for.
        public var requests = 0
        /// The microphone's samples per second; 0 where there is none.
        public var sampleRate = 48_000.0
        /// The error with which an engine does not start; nil where it starts.
        public var failure: String?
        /// The categories, modes and options to which the audio session was set.
        public var session: [String] = []
        public init() {}
    }

    /// A value behind a lock.
    public final class Box<Value>: @unchecked Sendable {
        // Sendable: every access runs under the lock.
        private let lock = NSLock()
        private var value: Value
        init(_ value: Value) { self.value = value }
        public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
            try lock.withLock { try body(&value) }
        }
    }

    public static let shared = StubMicrophone()

    public let state = Box(State())
    private let engines = Box<[AVAudioEngine]>([])

    /// The engines that run.
    public var running: [AVAudioEngine] { engines.withLock { $0.filter(\.isRunning) } }

    func note(_ engine: AVAudioEngine) { engines.withLock { $0.append(engine) } }

    /// Forgets everything.
    public func reset() {
        state.withLock { $0 = State() }
        engines.withLock { $0 = [] }
    }
}

/// An error of the stub.
public struct StubAudioError: Error, LocalizedError {
    public let errorDescription: String?
}
