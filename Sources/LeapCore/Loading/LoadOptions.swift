/// What both kinds of loading options hold.
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
    package var extras: String?

    /// -1 stands for every layer, in whatever type it comes.
    static func layers(_ count: Int) -> UInt32 {
        count < 0 ? .max : UInt32(clamping: count)
    }
}
