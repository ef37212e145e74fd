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

extension CacheLayout {
    /// Lays out the cache of a model.
    package init(model: Model, keyValueType: KeyValueType) {
        self.init(model.layers.stack, keyValueType: keyValueType, pool: MemoryPool())
    }

    /// Lays out the cache of layers, with keys and values as the kernels store them.
    ///
    /// - Parameter draftLayers: layers that predict further tokens; nil without such.
    package init(
        _ stack: LayerStack, draftLayers: DraftLayers? = nil, keyValueType: KeyValueType, pool: MemoryPool
    ) {
        self.init(stack, draftLayers: draftLayers, keyValueType: keyValueType, pool: pool) { heads, headDimension in
            leap_kv_page_bytes(keyValueType.kernelValue, Int32(heads), Int32(headDimension))
        }
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
