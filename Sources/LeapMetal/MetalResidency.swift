#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Dispatch
    import LeapBase
    import Metal

    /// A set of buffers that are kept where the device reads them at once.
    protocol MetalResident: AnyObject, Sendable {
        func add(_ buffer: any MTLBuffer)
        func remove(_ buffer: any MTLBuffer)
        /// Before commands that use the buffers.
        func use()
        /// Lets the system take the memory for others until the buffers are used again.
        func end()
    }

    /// A residency set of all buffers of a device: without one, a GPU that was idle for a second is slow to begin.
    ///
    /// macOS 26 lets go of a set about a second after its last use. So residency is requested again twice a second,
    /// for a minute after the last commands. Then the memory is left to the system.
    @available(iOS 18, *)
    final class MetalResidency: MetalResident, @unchecked Sendable {  // the set is used behind the lock
        /// Runs a closure on any thread when half a second has passed.
        typealias Schedule = @Sendable (_ beat: @escaping @Sendable () -> Void) -> Void

        private struct State {
            var isChanged = false
            var isRequested = false
            /// The number of requests that are still to be made without further commands.
            var beatsLeft = 0
            /// True if the next request is scheduled.
            var isBeating = false
        }

        /// The requests that follow the last commands: a minute of them.
        static let beatCount = 120

        private let set: any MTLResidencySet
        private let state = Locked(State())
        private let schedule: Schedule

        /// - Parameter schedule: has the next request made.
        /// - Returns: nil where the device has no such sets.
        init?(
            _ device: any MTLDevice, _ queue: any MTLCommandQueue,
            schedule: @escaping Schedule = { beat in
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 0.5) { beat() }
            }
        ) {
            let descriptor = MTLResidencySetDescriptor()
            descriptor.label = "open-leap"
            guard let set = try? device.makeResidencySet(descriptor: descriptor) else { return nil }
            self.set = set
            self.schedule = schedule
            queue.addResidencySet(set)
        }

        deinit { set.endResidency() }

        func add(_ buffer: any MTLBuffer) {
            state.withLock { state in
                set.addAllocation(buffer)
                state.isChanged = true
            }
        }

        func remove(_ buffer: any MTLBuffer) {
            state.withLock { state in
                set.removeAllocation(buffer)
                // Until then the set keeps the memory, and no commands may follow.
                set.commit()
            }
        }

        func use() {
            let begins = state.withLock { state in
                if state.isChanged { set.commit() }
                // The system may have let go of it meanwhile.
                set.requestResidency()
                let begins = !state.isBeating
                state = State(isRequested: true, beatsLeft: Self.beatCount, isBeating: true)
                return begins
            }
            if begins { scheduleBeat() }
        }

        func end() {
            state.withLock { state in
                guard state.isRequested else { return }
                set.endResidency()
                state.isRequested = false
            }
        }

        private func scheduleBeat() { schedule { [weak self] in self?.beat() } }

        /// Requests residency once more, or ends it where there were no commands for long.
        private func beat() {
            let continues = state.withLock { state in
                guard state.isRequested, state.beatsLeft > 0 else {
                    if state.isRequested { set.endResidency() }
                    (state.isRequested, state.isBeating) = (false, false)
                    return false
                }
                state.beatsLeft -= 1
                set.requestResidency()
                return true
            }
            if continues { scheduleBeat() }
        }
    }
#endif
