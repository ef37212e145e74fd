import CLeapKernels
import LeapTestSupport
import Testing

/// Pages of keys and values in every element type.
struct KeyValuePageTests {
    private static let headDims = [64, 128, 5, 33, 80, 256]
    private static let heads = 3

    /// The bytes of a page of keys and one of values, after `positions` of them were written into pages of ones.
    private static func pages(
        _ type: Int32, headDim: Int, keys: [Float], values: [Float], positions: [Int], pool: TestPool
    ) -> [[UInt8]] {
        let byteCount = leap_kv_page_bytes(type, Int32(heads), Int32(headDim))
        let width = Int64(heads * headDim)
        let pages = (0..<2).map { _ in
            let page = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: Int(LEAP_ALIGNMENT))
            page.initializeMemory(as: UInt8.self, repeating: 0xff)
            return page
        }
        defer { for page in pages { page.deallocate() } }
        guard let k = pages[0].baseAddress, let v = pages[1].baseAddress else { return [] }
        let slots = positions.map { leap_kv_slot(k_page: k, v_page: v, offset: Int32($0)) }
        pool.use {
            leap_kv_store($0, type, Int32(heads), Int32(headDim), keys, width, values, width, slots, Int64(slots.count))
        }
        return pages.map { Array($0) }
    }

    /// Ordinary numbers, and what is at the edges of the formats.
    private static func numbers(_ count: Int, using generator: inout SeededGenerator) -> [Float] {
        let edges: [Float] = [
            0, -0.0, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 65504 * 127, 65520 * 127, 1e-7, -0x1p-24,
            .leastNonzeroMagnitude, 127, -127.5,
        ]
        let scale = Float.random(in: 0.001...50, using: &generator)
        return (0..<count).map { index in
            // Whole blocks of ordinary numbers between those with one of another kind.
            if index % 37 == 0, index / 37 % 3 == 0 { return edges[index / 111 % edges.count] }
            return Float.random(in: -1...1, using: &generator) * scale
        }
    }

    @Test("Every instruction set writes the bytes of the scalar kernels", arguments: headDims)
    func sameBytes(headDim: Int) throws {
        let pool = try TestPool(threads: 2)
        var generator = SeededGenerator(seed: UInt64(headDim))
        let positions = [0, 1, 2, 7, 40, 62, 63]
        let count = positions.count * Self.heads * headDim
        let keys = Self.numbers(count, using: &generator)
        let values = Self.numbers(count, using: &generator)
        for type in [LEAP_KV_F32, LEAP_KV_F16, LEAP_KV_Q8_0] {
            var expected: [[UInt8]] = []
            for name in instructionSets {
                withInstructionSet(name) {
                    let found = Self.pages(
                        Int32(type), headDim: headDim, keys: keys, values: values, positions: positions,
                        pool: pool)
                    if name == "scalar" { expected = found }
                    #expect(found == expected, "\(name), type \(type)")
                }
            }
        }
    }

    @Test("A page of q8_0 takes 34 bytes for 32 elements, and a last block of a head has a scale of its own")
    func size() {
        let half = leap_kv_page_bytes(Int32(LEAP_KV_F16), 8, 64)
        #expect(leap_kv_page_bytes(Int32(LEAP_KV_Q8_0), 8, 64) * 64 == half * 34)
        #expect(leap_kv_page_bytes(Int32(LEAP_KV_Q8_0), 2, 33) == 2 * 64 * (33 + 2 * 2))
    }

    @Test("What a single position attends to is its value, within half a step of q8_0", arguments: headDims)
    func steps(headDim: Int) throws {
        let pool = try TestPool(threads: 1)
        var generator = SeededGenerator(seed: 1000 + UInt64(headDim))
        let values = (0..<Self.heads * headDim).map { _ in Float.random(in: -3...3, using: &generator) }
        for name in instructionSets {
            withInstructionSet(name) {
                let found = Self.attendToOne(values, headDim: headDim, pool: pool)
                for first in stride(from: 0, to: headDim, by: 32) {
                    for head in 0..<Self.heads {
                        let block = head * headDim + first..<head * headDim + min(first + 32, headDim)
                        let largest = values[block].map(abs).max() ?? 0
                        for index in block {
                            let error = abs(found[index] - values[index])
                            #expect(error <= largest / 254 * 1.002 + largest / 2000, "\(name), element \(index)")
                        }
                    }
                }
            }
        }
    }

    /// Attention of the first position, whose keys are zeros.
    private static func attendToOne(_ values: [Float], headDim: Int, pool: TestPool) -> [Float] {
        let type = Int32(LEAP_KV_Q8_0)
        let byteCount = leap_kv_page_bytes(type, Int32(heads), Int32(headDim))
        let pages = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * byteCount, alignment: Int(LEAP_ALIGNMENT))
        defer { pages.deallocate() }
        pages.initializeMemory(as: UInt8.self, repeating: 0xff)
        guard let k = pages.baseAddress else { return [] }
        let v = k + byteCount
        let zeros = [Float](repeating: 0, count: values.count)
        let slot = [leap_kv_slot(k_page: k, v_page: v, offset: 0)]
        var shape = leap_attention_shape(
            q_heads: Int32(heads), kv_heads: Int32(heads), head_dim: Int32(headDim), kv_type: type, scale: 1,
            softcap: 0,
            window: 0, sinks: nil)
        var out = zeros
        let keyPages: [UnsafeRawPointer?] = [UnsafeRawPointer(k)]
        let valuePages: [UnsafeRawPointer?] = [UnsafeRawPointer(v)]
        keyPages.withUnsafeBufferPointer { keys in
            valuePages.withUnsafeBufferPointer { valuePages in
                zeros.withUnsafeBufferPointer { q in
                    out.withUnsafeMutableBufferPointer { out in
                        guard let keys = keys.baseAddress, let valuePages = valuePages.baseAddress,
                            let q = q.baseAddress, let out = out.baseAddress
                        else { return }
                        let query = [
                            leap_attention_query(
                                k_pages: keys, v_pages: valuePages, position: 0, q: q, out: out, first: 0)
                        ]
                        pool.use {
                            leap_kv_store(
                                $0, type, Int32(heads), Int32(headDim), q, Int64(values.count), values,
                                Int64(values.count), slot, 1)
                            leap_attention($0, &shape, query, 1)
                        }
                    }
                }
            }
        }
        return out
    }
}
