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
        _ batch: SuffixBatch, _ places: BatchPlaces, _ tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) -> SuffixOutput {
        var (attempt, places) = (1, places)
        while true {
            do throws(GPUError) {
                return try compute(batch, places, tables)
            } catch {
                guard error.isWatchdog, attempt < Self.attemptCount else { throw error }
                attempt += 1
                try prepareAnother(after: error)
                // The buffers of pages are others where the device was opened again.
                guard let moved = self.places(of: batch) else { throw error }
                places = moved
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
    func followDevice() throws(GPUError) {
        guard generation != gpu.generation else { return }
        // What sequences hold stays where it is, if that is the host's memory.
        try arena.move(to: gpu.device)
        try states?.move(to: gpu.device)
        // Commands from before and their buffers are of no use.
        plans.removeAll()
        scratch = Scratch(gpu.device)
        model = try bind(gpu.device)
        claim = gpu.budget.claim(model.weights.byteCount, for: .weights)
        generation = gpu.generation
    }
}
