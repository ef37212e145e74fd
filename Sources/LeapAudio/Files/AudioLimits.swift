/// Limits of the length and the size to which a compressed sound may grow.
///
/// Silence of hours fits into a few bytes of FLAC, so the bytes of a file bound neither the time nor the memory that it
/// takes.
package struct AudioLimits: Sendable {
    /// Samples of one channel that are kept: 70 minutes at 16,000 a second, which take 256 MiB.
    package var maxSamples: Int
    /// Samples of all channels that are decoded: 70 minutes of two channels at 48,000 a second, and a quarter more.
    package var maxDecoded: Int
    /// Channels of a file.
    package var maxChannels: Int

    package init(maxSamples: Int = 1 << 26, maxDecoded: Int = 1 << 29, maxChannels: Int = 32) {
        self.maxSamples = maxSamples
        self.maxDecoded = maxDecoded
        self.maxChannels = maxChannels
    }
}
