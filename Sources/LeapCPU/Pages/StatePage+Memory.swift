import LeapCompute

extension StatePage {
    /// The first byte of a page in the processor's memory: sequences of the processor get no other ones.
    var base: UnsafeMutableRawPointer { unsafeDowncast(contents, to: AlignedMemory.self).base }
}

extension StateTail {
    /// The values of convolution inputs, `[positions][layers][channels]`, or what ``RecurrentState`` holds: sequences
    /// of the processor get no other tails.
    var values: UnsafeMutablePointer<Float> {
        unsafeDowncast(contents, to: AlignedMemory.self).base.assumingMemoryBound(to: Float.self)
    }
}
