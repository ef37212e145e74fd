import CLeapKernels
import LeapEngine

/// A report on the time of each operation in prefill and decode, and on its distance from the machine's limits.
package struct ProfileReport: Sendable, Hashable {
    /// One kind of operation.
    package struct Row: Sendable, Hashable {
        /// The name of the operation.
        package var name: String
        package var calls: Int
        package var seconds: Double
        /// Of the whole phase, 0...1.
        package var shareOfTime: Double
        /// Bytes of weights or cache read.
        package var bytes: Int
        /// Multiplications and additions; 0 where they do not count.
        package var operations: Int
        /// The rate reached of the limit that binds the operation, 0...1.
        ///
        /// Memory or arithmetic, whichever is nearer. Data that lies in a cache can be read faster than memory. Nil
        /// where neither was counted.
        package var shareOfLimit: Double?
    }

    /// The time of one thread.
    package struct ThreadRow: Sendable, Hashable {
        /// The time in its pieces of what is shared.
        package var sharedSeconds: Double
        /// The time in what it computes alone; 0 for all but the first.
        package var aloneSeconds: Double
        /// The time in which it waits for other threads.
        package var waitingSeconds: Double
        /// The part of ``waitingSeconds`` in which it is asleep rather than looking for work.
        package var asleepSeconds: Double

        /// The part of all its time in which it waits, 0...1.
        package var shareIdle: Double {
            let total = sharedSeconds + aloneSeconds + waitingSeconds
            return total > 0 ? waitingSeconds / total : 0
        }

        init(_ time: leap_thread_time, isFirst: Bool) {
            sharedSeconds = Double(time.computing) * 1e-9
            waitingSeconds = Double(time.waiting) * 1e-9
            asleepSeconds = Double(time.asleep) * 1e-9
            aloneSeconds = isFirst ? Double(time.total - time.computing - time.waiting) * 1e-9 : 0
        }
    }

    /// The profile of a phase, which is prefill or decode.
    package struct Phase: Sendable, Hashable {
        /// Wall-clock time of the phase.
        package var seconds: Double
        package var rows: [Row]
        /// The work of each thread meanwhile, the first being the one that computes what is not shared.
        package var threads: [ThreadRow]

        init(seconds: Double, _ profile: OperationProfile, limits: MachineLimits, threads: [leap_thread_time]) {
            self.seconds = seconds
            self.threads = threads.enumerated().map { ThreadRow($1, isFirst: $0 == 0) }
            rows = profile.sorted.map { Row($0, phase: seconds, limits: limits) }
            let recorded = rows.reduce(0) { $0 + $1.seconds }
            rows.append(
                Row(
                    name: "everything else", calls: 0, seconds: max(seconds - recorded, 0),
                    shareOfTime: seconds > 0 ? max(seconds - recorded, 0) / seconds : 0, bytes: 0, operations: 0))
        }
    }

    /// The result of decoding's comparison of the two kernels that read the weights of a single token.
    package struct Reading: Sendable, Hashable {
        /// Kinds of products that have settled on one of them.
        package var products: Int
        /// The number of products whose second kernel is the faster one on this machine.
        package var second: Int

        /// Returns the results of this process so far.
        static func current() -> Reading {
            let found = leap_reading_found()
            return Reading(products: Int(found.products), second: Int(found.other))
        }
    }

    package var limits: MachineLimits
    package var prefill: Phase
    package var decode: Phase
    package var reading: Reading
}

extension ProfileReport.Row {
    fileprivate init(_ cost: OperationProfile.Cost, phase: Double, limits: MachineLimits) {
        let arithmetic = limits.operationsPerSecond(cost.arithmetic)
        let seconds = max(cost.seconds, 1e-9)
        let shares = [
            limits.memory.bytesPerSecond > 0 ? Double(cost.bytes) / seconds / limits.memory.bytesPerSecond : 0,
            arithmetic > 0 ? Double(cost.operations) / seconds / arithmetic : 0,
        ]
        self.init(
            name: cost.name, calls: cost.calls, seconds: cost.seconds,
            shareOfTime: phase > 0 ? cost.seconds / phase : 0, bytes: cost.bytes, operations: cost.operations,
            shareOfLimit: cost.bytes + cost.operations > 0 ? shares.max() : nil)
    }
}
