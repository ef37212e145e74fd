import CLeapKernels
import LeapBase
package import LeapCompute
package import LeapModel

extension KeyValueType {
    /// The kernels' name for it.
    var kernelValue: Int32 {
        switch self {
        case .f16: Int32(LEAP_KV_F16)
        case .f32: Int32(LEAP_KV_F32)
        case .q8_0: Int32(LEAP_KV_Q8_0)
        }
    }
}

/// The contents of one page of the cache and their places: keys and values of 64 positions for every attention layer,
/// and the inputs of the page's last positions for every convolution layer; and beside the pages, what layers keep of a
/// sequence as a whole.
package struct CacheLayout: Sendable {
    /// The places of an attention layer's keys and values.
    package struct Attention: Sendable {
        package let keys: Int
        package let values: Int
    }

    /// The place of a convolution layer's inputs: `[reach][channels]` floats, for the page's last positions.
    struct Convolution: Sendable {
        let inputs: Int
        let channels: Int
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

    package let keyValueType: KeyValueType
    /// The form of the inputs of the products that keys and values come from.
    package var precision = Precision.fast
    package let attention: [Attention]
    let convolution: [Convolution]
    package let recurrence: [Recurrence]
    /// Bytes of what the layers of ``recurrence`` keep of a sequence.
    package let recurrentByteCount: Int
    /// The number of positions back that the state of the convolutions goes; 0 without convolutions.
    package let reach: Int
    /// Bytes of one page.
    package let pageByteCount: Int
    /// The pool that pages and the rest of the state of sequences come from.
    let pool: MemoryPool
    /// The memory of pages that another device reads too; nil where only the processor does.
    package var pages: (any PageMemory)?
    /// The memory of what layers keep of sequences as a whole, if another device reads it too.
    package var states: (any PageMemory)?

    /// Lays out the cache of a model.
    package init(model: Model, keyValueType: KeyValueType) {
        self.init(model.layers.stack, keyValueType: keyValueType, pool: MemoryPool())
    }

    /// Lays out the cache of layers.
    package init(_ stack: LayerStack, keyValueType: KeyValueType, pool: MemoryPool) {
        self.pool = pool
        self.keyValueType = keyValueType
        var offset = 0
        func take(_ byteCount: Int) -> Int {
            defer { offset += (byteCount + 63) & ~63 }
            return offset
        }
        let reach =
            stack.layers.map { layer in
                if case .shortConvolution(let block) = layer.mixer { block.taps - 1 } else { 0 }
            }.max() ?? 0
        var attention: [Attention] = []
        var convolution: [Convolution] = []
        var recurrence: [Recurrence] = []
        var recurrentByteCount = 0
        func takeRecurrent(_ floats: Int) -> Int {
            defer { recurrentByteCount += (floats * MemoryLayout<Float>.stride + 63) & ~63 }
            return recurrentByteCount
        }
        for layer in stack.layers {
            if let block = layer.mixer?.attention, block.key != nil {
                let bytes = leap_kv_page_bytes(
                    keyValueType.kernelValue, Int32(block.keyValueHeads), Int32(block.headDimension))
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
        precondition(recurrence.isEmpty || convolution.isEmpty, "a tail has what one of the two kinds of layers needs")
        self.attention = attention
        self.convolution = convolution
        self.recurrence = recurrence
        self.recurrentByteCount = recurrentByteCount
        self.reach = reach
        pageByteCount = max(offset, 64)
    }
}

extension CacheLayout: StateMemory {
    package var arithmetic: String {
        InstructionSet.arithmetic() + (precision == .fast ? "" : ", \(precision.rawValue)")
            + (pages.map { ", \($0.arithmetic)" } ?? "")
    }

    package func tailByteCount(positions: Int) -> Int {
        recurrentByteCount + convolution.reduce(0) { $0 + $1.channels } * positions * MemoryLayout<Float>.stride
    }

    package func makePage() throws(EngineError) -> StatePage {
        if let memory = try pages?.take(byteCount: pageByteCount, pool: pool) {
            return StatePage(byteCount: memory.byteCount, contents: memory)
        }
        let memory = try AlignedMemory(byteCount: pageByteCount, pool: pool)
        return StatePage(byteCount: memory.byteCount, contents: memory)
    }

    package func makeCopy(of page: StatePage) throws(EngineError) -> StatePage {
        let copy = try makePage()
        memcpy(copy.base, page.base, page.byteCount)
        return copy
    }

    package func makeTail(positions: Int) throws(EngineError) -> StateTail {
        let memory = try AlignedMemory(byteCount: tailByteCount(positions: positions), pool: pool)
        return StateTail(byteCount: memory.byteCount, contents: memory)
    }

    package func withBytes<R>(
        of page: StatePage, _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R {
        try withExtendedLifetime(page) {
            try body(UnsafeMutableRawBufferPointer(start: page.base, count: page.byteCount))
        }
    }

    package func withBytes<R>(
        of tail: StateTail, _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R {
        try withExtendedLifetime(tail) {
            try body(UnsafeMutableRawBufferPointer(start: tail.values, count: tail.byteCount))
        }
    }
}
