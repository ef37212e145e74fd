import Foundation
import LeapBase

/// Turns counts of bytes into progress that never goes back.
package final class ProgressMeter: Sendable {
    private let state: Locked<State>

    private struct State {
        var progress = TransferProgress(phase: .resolving)
        /// Bytes that were there when the transfer began: they say nothing about its speed.
        var baseline: [Int: Int64] = [:]
        var counts: [Int64] = []
        var speed: Double = 0
        var lastBytes: Int64 = 0
        var lastTime: UInt64?
    }

    package init() {
        state = Locked(State())
    }

    /// Says which files there are, and how many bytes of each are on disk already.
    func setFiles(_ files: [(name: String, have: Int64, total: Int64?, sha256: String?)]) {
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

    func setPhase(_ phase: TransferProgress.Phase) {
        state.withLock { $0.progress.phase = phase }
    }

    /// Says how many bytes of a file are on disk.
    func set(file index: Int, bytes: Int64) {
        state.withLock { state in
            guard state.counts.indices.contains(index) else { return }
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
            let now = DispatchTime.now().uptimeNanoseconds
            let bytes = state.counts.reduce(0, +)
            if let last = state.lastTime, now > last {
                let seconds = Double(now - last) / 1e9
                let current = max(0, Double(bytes - state.lastBytes)) / seconds
                // The first measurement stands for itself; later ones are averaged over about three seconds.
                let weight = state.speed == 0 ? 1 : 1 - exp(-seconds / 3)
                state.speed += (current - state.speed) * weight
            }
            state.lastTime = now
            state.lastBytes = bytes
            state.progress.bytesPerSecond = Int64(exactly: state.speed.rounded()) ?? .max
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
            if let total = state.progress.total { state.progress.bytes = max(state.progress.bytes, total) }
            for index in state.progress.files.indices {
                state.progress.files[index].bytes =
                    state.progress.files[index].total ?? state.progress.files[index].bytes
            }
        }
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
