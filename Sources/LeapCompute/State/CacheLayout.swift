package import LeapModel

/// The contents of one page of the cache and their places: keys and values of 64 positions for every attention layer,
/// and the inputs of the page's last positions for every convolution layer; and beside the pages, what layers keep of a
/// sequence as a whole.
///
/// Layers that predict further tokens have their keys and values behind those of the model's. They read the vector that
/// the model made of the position before, which is kept as recurrent layers keep their state where there are such, and
/// as convolutions keep their inputs where there are none.
package struct CacheLayout: Sendable {
    /// The places of an attention layer's keys and values.
    package struct Attention: Sendable {
        package let keys: Int
        package let values: Int
    }

    /// The place of a convolution layer's inputs: `[reach][channels]` floats, for the page's last positions.
    package struct Convolution: Sendable {
        package let inputs: Int
        package let channels: Int
    }

    /// The places of a recurrent layer's states, `[valueHeads][keys][values]` floats, and of its latest inputs,
    /// `[taps - 1][channels]`.
    package struct Recurrence: Sendable {
        package let state: Int
        package let inputs: Int
        package let channels: Int
        /// The number of positions back that the convolution looks.
        package let reach: Int
    }

    /// The place of the latest vector behind the model's last norm.
    package enum Hidden: Sendable {
        /// In what is kept of a sequence as a whole, so many bytes from its beginning.
        case state(Int)
        /// Among the inputs of convolutions, the index of which it is.
        case convolution(Int)
    }

    package let keyValueType: KeyValueType
    /// The form of the inputs of the products that keys and values come from.
    package var precision = Precision.fast
    package let attention: [Attention]
    package let convolution: [Convolution]
    package let recurrence: [Recurrence]
    /// The place of what layers read that predict further tokens; nil without such.
    package let hidden: Hidden?
    /// Bytes of what the layers of ``recurrence`` keep of a sequence.
    package let recurrentByteCount: Int
    /// The number of positions back that the state of the convolutions goes; 0 without convolutions.
    package let reach: Int
    /// Bytes of one page.
    package let pageByteCount: Int
    /// The pool that pages and the rest of the state of sequences come from.
    package let pool: MemoryPool
    /// The memory of pages that another device reads too; nil where only the processor does.
    package var pages: (any PageMemory)?
    /// The memory of what layers keep of sequences as a whole, if another device reads it too.
    package var states: (any PageMemory)?

    /// Lays out the cache of layers.
    ///
    /// - Parameters:
    ///   - draftLayers: layers that predict further tokens; nil without such.
    ///   - keyByteCount: the bytes that the keys of a page take, or its values, in a layer with so many heads of so many
    ///     elements.
    package init(
        _ stack: LayerStack, draftLayers: DraftLayers? = nil, keyValueType: KeyValueType, pool: MemoryPool,
        keyByteCount: (_ heads: Int, _ headDimension: Int) -> Int
    ) {
        self.pool = pool
        self.keyValueType = keyValueType
        var offset = 0
        func take(_ byteCount: Int) -> Int {
            defer { offset += (byteCount + 63) & ~63 }
            return offset
        }
        let isRecurrent = stack.layers.contains { $0.mixer?.recurrence != nil }
        let convolutionReach =
            stack.layers.map { layer in
                if case .shortConvolution(let block) = layer.mixer { block.taps - 1 } else { 0 }
            }.max() ?? 0
        let reach = draftLayers == nil || isRecurrent ? convolutionReach : max(convolutionReach, 1)
        var attention: [Attention] = []
        var convolution: [Convolution] = []
        var recurrence: [Recurrence] = []
        var recurrentByteCount = 0
        func takeRecurrent(_ floats: Int) -> Int {
            defer { recurrentByteCount += (floats * MemoryLayout<Float>.stride + 63) & ~63 }
            return recurrentByteCount
        }
        for layer in stack.layers + (draftLayers?.stack.layers ?? []) {
            if let block = layer.mixer?.attention, block.key != nil {
                let bytes = keyByteCount(block.keyValueHeads, block.headDimension)
                attention.append(Attention(keys: take(bytes), values: take(bytes)))
            }
            if case .shortConvolution(let block) = layer.mixer {
                let bytes = reach * block.channels * MemoryLayout<Float>.stride
                convolution.append(Convolution(inputs: take(bytes), channels: block.channels))
            }
            guard let shape = layer.mixer?.recurrence else { continue }
            let state = takeRecurrent(shape.stateCount)
            let latest = shape.taps - 1
            recurrence.append(
                Recurrence(
                    state: state, inputs: takeRecurrent(latest * shape.channels), channels: shape.channels,
                    reach: latest))
        }
        if let width = draftLayers?.stack.width {
            if isRecurrent {
                hidden = .state(takeRecurrent(width))
            } else {
                hidden = .convolution(convolution.count)
                let bytes = reach * width * MemoryLayout<Float>.stride
                convolution.append(Convolution(inputs: take(bytes), channels: width))
            }
        } else {
            hidden = nil
        }
        precondition(recurrence.isEmpty || convolution.isEmpty, "a tail has what one of the two kinds of layers needs")
        self.attention = attention
        self.convolution = convolution
        self.recurrence = recurrence
        self.recurrentByteCount = recurrentByteCount
        self.reach = reach
        pageByteCount = max(offset, 64)
    }
}
