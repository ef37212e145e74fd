import CLeapKernels

/// Element type of cached keys and values.
package enum KeyValueType: String, Sendable, CaseIterable {
    /// Half precision: 2 bytes for each element.
    case f16
    /// Single precision: 4 bytes for each element.
    case f32
    /// Signed bytes and a half-precision scale for every 32 elements of a head: 1.0625 bytes for each element.
    case q8_0

    /// The kernels' name for it.
    var kernelValue: Int32 {
        switch self {
        case .f16: Int32(LEAP_KV_F16)
        case .f32: Int32(LEAP_KV_F32)
        case .q8_0: Int32(LEAP_KV_Q8_0)
        }
    }
}

/// What one page of the cache holds, and where: keys and values of 64 positions for every attention layer, and the inputs of the
/// page's last positions for every convolution layer.
package struct CacheLayout: Sendable {
    /// Positions of a page.
    static let pageLength = Int(LEAP_KV_PAGE)

    /// Where an attention layer's keys and values start.
    struct Attention: Sendable {
        let keys: Int
        let values: Int
    }

    /// Where a convolution layer's inputs start: `[convolutionReach][channels]` floats, for the page's last positions.
    struct Convolution: Sendable {
        let inputs: Int
        let channels: Int
    }

    let keyValueType: KeyValueType
    let attention: [Attention]
    let convolution: [Convolution]
    /// How many positions back the state of the convolutions goes; 0 without convolutions.
    let convolutionReach: Int
    /// Bytes of one page.
    let pageByteCount: Int
    /// Where pages and the rest of the state of sequences take their memory from.
    let memory: MemoryPool

    /// Bytes of the convolution inputs of some positions in all layers.
    func tailInputByteCount(positions: Int) -> Int {
        convolution.reduce(0) { $0 + $1.channels } * positions * MemoryLayout<Float>.stride
    }

    /// Lays out the cache of a model.
    package init(model: Model, keyValueType: KeyValueType) {
        self.init(decoder: model.decoder, keyValueType: keyValueType, memory: MemoryPool())
    }

    /// Lays out the cache of a model's layers.
    init(decoder: Decoder, keyValueType: KeyValueType, memory: MemoryPool) {
        self.memory = memory
        self.keyValueType = keyValueType
        var offset = 0
        func take(_ byteCount: Int) -> Int {
            defer { offset += (byteCount + 63) & ~63 }
            return offset
        }
        let reach =
            decoder.layers.map { layer in
                if case .shortConvolution(let block) = layer.mixer { block.taps - 1 } else { 0 }
            }.max() ?? 0
        var attention: [Attention] = []
        var convolution: [Convolution] = []
        for layer in decoder.layers {
            switch layer.mixer {
            case .attention(let block):
                let bytes = leap_kv_page_bytes(
                    keyValueType.kernelValue, Int32(block.keyValueHeads), Int32(block.headDimension))
                attention.append(Attention(keys: take(bytes), values: take(bytes)))
            case .shortConvolution(let block):
                let bytes = reach * block.channels * MemoryLayout<Float>.stride
                convolution.append(Convolution(inputs: take(bytes), channels: block.channels))
            }
        }
        self.attention = attention
        self.convolution = convolution
        convolutionReach = reach
        pageByteCount = max(offset, 64)
    }
}
