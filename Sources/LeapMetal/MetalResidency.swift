#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
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
    @available(iOS 18, *)
    final class MetalResidency: MetalResident, @unchecked Sendable {  // the set is used behind the lock
        private struct State {
            var isChanged = false
            var isRequested = false
        }

        private let set: any MTLResidencySet
        private let state = Locked(State())

        /// - Returns: nil where the device has no such sets.
        init?(_ device: any MTLDevice, _ queue: any MTLCommandQueue) {
            let descriptor = MTLResidencySetDescriptor()
            descriptor.label = "open-leap"
            guard let set = try? device.makeResidencySet(descriptor: descriptor) else { return nil }
            self.set = set
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
                state.isChanged = true
            }
        }

        func use() {
            state.withLock { state in
                if state.isChanged { set.commit() }
                if state.isChanged || !state.isRequested { set.requestResidency() }
                state = State(isChanged: false, isRequested: true)
            }
        }

        func end() {
            state.withLock { state in
                guard state.isRequested else { return }
                set.endResidency()
                state.isRequested = false
            }
        }
    }
#endif
