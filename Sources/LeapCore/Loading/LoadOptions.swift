/// The options that both kinds of loading options hold.
package struct LoadOptions: Sendable, Hashable, Codable {
    package var cacheOptions: LiquidCacheOptions?
    package var cpuThreads: UInt32?
    package var contextSize: UInt32?
    package var nGpuLayers: UInt32?
    package var mmProjPath: String?
    package var audioDecoderPath: String?
    package var audioTokenizerPath: String?
    package var audioDecoderUseGpu = false
    package var chatTemplate: String?
    package var useMmap: Bool?
    /// Further options as an app wrote them.
    package var extras: String?
    /// Further options as values; where they are set, they count and ``extras`` is what they were read from.
    package var further: LoadExtras?

    /// Further options as values, read where they are still text.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the key at fault.
    package func readExtras() throws -> LoadExtras { try further ?? LoadExtras(extras) }

    /// -1 stands for every layer, in whatever type it comes.
    static func layers(_ count: Int) -> UInt32 {
        count < 0 ? .max : UInt32(clamping: count)
    }

    /// Returns the number of layers that a text stands for: a number, or “all”; nil for another text.
    package static func layers(_ text: String) -> UInt32? { text == "all" ? .max : UInt32(text) }
}
