import LeapBase
import LeapGGUF
import LeapHTTP

/// Counts the memory that the last layers of a model, and an audio decoder's layers, take on a GPU, from the headers of the model's files.
struct GPUFit {
    /// The number of the last layers that are asked for; as many as the model has or more mean the output head too.
    private let layers: Int
    /// True if the audio decoder's layers are asked for.
    private let decodesAudio: Bool
    private var decoderBytes: Int64 = 0
    private var imageEncoderBytes: Int64 = 0
    private var architecture: String?
    private var layerCount = 0
    private var layerBytes: [Int: Int64] = [:]
    private var headBytes: Int64 = 0
    private var embeddingBytes: Int64 = 0

    init(layers: Int, decodesAudio: Bool) { (self.layers, self.decodesAudio) = (layers, decodesAudio) }

    /// Adds a file: the model first, then its further parts; companions are of another architecture, and not counted but for the layers of an audio
    /// decoder and of an encoder of pictures.
    mutating func add(_ header: GGUFHeader) throws {
        if decodesAudio, GGUFSpeechDecoder(header.tensors.lazy.map { ($0.name, $0.shape) }) != nil {
            for tensor in header.tensors where GGUFSpeechDecoder.isOfLayer(tensor.name) {
                decoderBytes += Int64(clamping: tensor.byteCount)
            }
        }
        guard layers > 0 || decodesAudio else { return }
        if let projector = GGUFProjector(header.metadata), projector.hasVision {
            for tensor in header.tensors where GGUFProjector.isOfImageLayer(tensor.name) {
                imageEncoderBytes += Int64(clamping: tensor.byteCount)
            }
        }
        guard layers > 0 else { return }
        let metadata = header.metadata, name = try metadata.string("general.architecture")
        if let architecture {
            guard name == nil || name == architecture else { return }
        } else {
            architecture = name ?? ""
            layerCount = Int(clamping: try metadata.int("\(name ?? "").block_count") ?? 0)
        }
        for tensor in header.tensors {
            let parts = tensor.name.split(separator: ".", maxSplits: 2), bytes = Int64(clamping: tensor.byteCount)
            if parts.count == 3, parts[0] == "blk",
                let layer = OutsideNumber.count(parts[1], in: 0...Int.max)
            {
                layerBytes[layer, default: 0] += bytes
            } else if tensor.name == "output.weight" {
                headBytes = bytes
            } else if tensor.name == "token_embd.weight" {
                embeddingBytes = bytes
            }
        }
    }

    /// Bytes of the layers' weights, of the head's where all layers are asked for, and of pages.
    ///
    /// - Parameter keyValueBytes: what one sequence of the context takes.
    func bytes(keyValueBytes: Int64) -> Int64 {
        guard layers > 0 else { return decoderBytes + imageEncoderBytes }
        let first = layerCount - min(layers, layerCount)
        var bytes = layerBytes.reduce(0) { $1.key >= first ? $0 + $1.value : $0 }
        if layers >= layerCount { bytes += headBytes > 0 ? headBytes : embeddingBytes }
        return decoderBytes + imageEncoderBytes + bytes + Int64(clamping: DevicePages.sequences) * keyValueBytes
    }
}
