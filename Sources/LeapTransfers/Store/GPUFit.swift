import LeapBase
import LeapGGUF
import LeapHTTP

/// Counts the memory that the last layers of a model, and an audio decoder's layers, take on a GPU, from the headers of
/// the model's files.
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
    /// The layers that keep a state of a sequence as a whole, and bytes of all of them together.
    private var recurrentLayers: Set<Int> = []
    private var recurrentBytes: Int64 = 0

    init(layers: Int, decodesAudio: Bool) { (self.layers, self.decodesAudio) = (layers, decodesAudio) }

    /// Adds a file: the model first, then its further parts; companions are of another architecture, and not counted
    /// but for the layers of an audio decoder and of an encoder of pictures.
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
                if parts[2] == "ssm_conv1d.weight" { try addRecurrence(layer, filters: tensor.shape, metadata) }
            } else if tensor.name == "output.weight" {
                headBytes = bytes
            } else if tensor.name == "token_embd.weight" {
                embeddingBytes = bytes
            }
        }
    }

    /// The most bytes of a sequence's states that are told apart.
    private static let recurrentMax = Int64.max / 64

    /// Counts the state of a recurrent layer: a matrix for each of its heads, and the latest inputs of the convolution
    /// in front of it.
    ///
    /// - Parameter filters: the shape of the convolution's filters, `[taps, channels]`.
    private mutating func addRecurrence(_ layer: Int, filters: [Int], _ metadata: GGUFMetadata) throws {
        func number(_ key: String) throws -> Double {
            Double(try metadata.int("\(architecture ?? "").ssm.\(key)").map { Int(clamping: $0) } ?? 0)
        }
        guard filters.count == 2, recurrentLayers.insert(layer).inserted else { return }
        let state = try number("state_size") * number("inner_size")
        let inputs = Double(max(0, filters[0] - 1)) * Double(filters[1])
        for part in [state, inputs] {
            // The parts of a state begin at lines of a cache. A header may say anything: sums with what else is counted
            // have to stay numbers.
            let bytes = Int64(exactly: ((part * 4 / 64).rounded(.up) * 64)) ?? .max
            recurrentBytes = min(recurrentBytes + min(max(0, bytes), Self.recurrentMax), Self.recurrentMax)
        }
    }

    /// Bytes of the states of as many sequences as there is room for, each in two places; 0 where no layer on the GPU
    /// has one.
    private func stateBytes(from first: Int) -> Int64 {
        guard recurrentBytes > 0, recurrentLayers.contains(where: { $0 >= first }) else { return 0 }
        let bytes = 2 * recurrentBytes
        return Int64(clamping: DevicePages.states(byteCount: Int(clamping: bytes))) * bytes
    }

    /// Bytes of the layers' weights, of the head's where all layers are asked for, of pages, and of recurrent states.
    ///
    /// - Parameter keyValueBytes: what one sequence of the context takes.
    func bytes(keyValueBytes: Int64) -> Int64 {
        guard layers > 0 else { return decoderBytes + imageEncoderBytes }
        let first = layerCount - min(layers, layerCount)
        var bytes = layerBytes.reduce(0) { $1.key >= first ? $0 + $1.value : $0 }
        if layers >= layerCount { bytes += headBytes > 0 ? headBytes : embeddingBytes }
        return decoderBytes + imageEncoderBytes + bytes + Int64(clamping: DevicePages.sequences) * keyValueBytes
            + stateBytes(from: first)
    }
}
