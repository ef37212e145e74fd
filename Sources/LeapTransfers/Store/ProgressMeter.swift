import Foundation
import LeapBase
package import LeapHTTP

/// Turns counts of bytes into progress that never goes back.
package final class ProgressMeter: Sendable {
    private let state: Locked<State>
    /// Nanoseconds of a monotonic clock.
    private let now: @Sendable () -> UInt64

    private struct State {
        var progress = TransferProgress(phase: .resolving)
        /// Bytes that were there when the transfer began: they say nothing about its speed.
        var baseline: [Int: Int64] = [:]
        var counts: [Int64] = []
        var speed = TransferSpeed()
        var lastBytes: Int64 = 0
    }

    /// Makes a meter.
    ///
    /// - Parameter now: nanoseconds of a monotonic clock, by which the speed is measured.
    package init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
        self.now = now
        state = Locked(State())
    }

    /// Says which files there are, and how many bytes of each are on disk already.
    package func setFiles(_ files: [(name: String, have: Int64, total: Int64?, sha256: String?)]) {
        state.withLock { state in
            state.counts = files.map(\.have)
            state.progress.files = files.map {
                .init(name: $0.name, bytes: $0.have, total: $0.total, sha256: $0.sha256)
            }
            state.progress.total = files.allSatisfy { $0.total != nil } ? files.reduce(0) { $0 + ($1.total ?? 0) } : nil
            state.lastBytes = state.counts.reduce(0, +)
            Self.update(&state)
        }
    }

    /// Says that a file is longer or shorter than was thought.
    func set(file index: Int, total: Int64?) {
        state.withLock { state in
            guard state.progress.files.indices.contains(index) else { return }
            state.progress.files[index].total = total
            let totals = state.progress.files.map(\.total)
            state.progress.total = totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
        }
    }

    /// Says why there is a wait, or a second fetch; nil ends the wait.
    func setNote(_ note: String?) {
        state.withLock { $0.progress.note = note }
    }

    /// Says for which reason, other than the server's, nothing arrives; nil ends that wait.
    package func setWait(_ wait: TransferWait?) {
        state.withLock { Self.set(wait, &$0) }
    }

    package func setPhase(_ phase: TransferProgress.Phase) {
        state.withLock { $0.progress.phase = phase }
    }

    /// Says how many bytes of a file are on disk.
    package func set(file index: Int, bytes: Int64) {
        state.withLock { state in
            guard state.counts.indices.contains(index) else { return }
            // One connection may wait while another brings bytes.
            if bytes > state.counts[index] { Self.set(nil, &state) }
            // What was on disk before the first report was not transferred now.
            if state.baseline[index] == nil {
                state.baseline[index] = bytes
                state.lastBytes += bytes - state.counts[index]
            }
            state.counts[index] = bytes
            state.progress.files[index].bytes = max(state.progress.files[index].bytes, bytes)
            Self.update(&state)
        }
    }

    /// Measures the speed since the last call, and returns how things stand.
    package func sample() -> TransferProgress {
        state.withLock { state in
            let bytes = state.counts.reduce(0, +)
            state.speed.add(bytes - state.lastBytes, at: now())
            state.lastBytes = bytes
            state.progress.bytesPerSecond = state.speed.bytesPerSecond
            let isMoving = state.progress.phase == .downloading && state.progress.wait == nil
            state.progress.secondsLeft =
                isMoving ? state.progress.total.flatMap { state.speed.secondsLeft(missing: $0 - bytes) } : nil
            return state.progress
        }
    }

    /// The progress at present.
    package var progress: TransferProgress { state.withLock { $0.progress } }

    /// Everything is there and can be used: the one place where the fraction becomes 1.
    package func finish() {
        state.withLock { state in
            state.progress.phase = .finished
            state.progress.fraction = 1
            state.progress.secondsLeft = nil
            Self.set(nil, &state)
            if let total = state.progress.total { state.progress.bytes = max(state.progress.bytes, total) }
            for index in state.progress.files.indices {
                state.progress.files[index].bytes =
                    state.progress.files[index].total ?? state.progress.files[index].bytes
            }
        }
    }

    private static func set(_ wait: TransferWait?, _ state: inout State) {
        guard wait != state.progress.wait else { return }
        state.progress.wait = wait
        state.progress.note = wait?.text
    }

    private static func update(_ state: inout State) {
        let bytes = state.counts.reduce(0, +)
        state.progress.bytes = max(state.progress.bytes, bytes)
        if let total = state.progress.total, total > 0 {
            let fraction = min(0.999, Double(bytes) / Double(total))
            state.progress.fraction = max(state.progress.fraction, fraction)
        }
    }
}
