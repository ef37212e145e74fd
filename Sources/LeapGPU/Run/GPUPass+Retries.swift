import LeapCompute

/// Batches whose work a watchdog ended.
extension GPUPass {
    /// The attempts that are made at a batch before the processor computes it.
    private static let attemptCount = 3

    /// Computes a batch, and computes it again in shorter submissions if a watchdog ends one of them.
    ///
    /// A pass writes behind the positions that count and beside the states that it reads, so each attempt begins at the
    /// batch's first position.
    func computeWithRetries(
        _ batch: SuffixBatch, _ pages: [SeenPages], _ places: [StatePlaces], _ tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) -> SuffixOutput {
        try followDevice()
        var attempt = 1
        while true {
            do throws(GPUError) {
                return try compute(batch, pages, places, tables)
            } catch {
                guard error.isWatchdog, attempt < Self.attemptCount else { throw error }
                attempt += 1
                try prepareAnother(after: error)
            }
        }
    }

    /// Prepares for another attempt after a submission was ended, and opens the device again if it was reset.
    private func prepareAnother(after error: GPUError) throws(GPUError) {
        plans.removeAll()
        if error.code == .reset {
            try gpu.renew()
            try followDevice()
        }
        notice("\(error): it gets less at a time, and computes the batch again")
    }

    /// Makes what was made of an earlier opening of the device of the present one.
    private func followDevice() throws(GPUError) {
        guard generation != gpu.generation else { return }
        let bound = try bind(gpu.device)
        // What sequences hold stays where it is, if that is the host's memory.
        let pages = try arena.buffer(on: gpu.device)
        var states: (any GPUBuffer)?
        if let arena = self.states { states = try arena.buffer(on: gpu.device) }
        plans.removeAll()
        (model, pageBuffer, stateBuffer) = (bound, pages, states)
        scratch = Scratch(gpu.device)
        generation = gpu.generation
    }
}
