import CLeapKernels
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Keys and values that a device writes into pages.
    struct StoreTests {
        @Test("Pages have the bytes that the processor writes, for numbers of every size", arguments: [true, false])
        func bytes(isHalf: Bool) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 6)
            let tokens = 7, keyHeads = 3, length = 40, row = keyHeads * length
            // Any bits but those of numbers that are none, and the limits of half precision with their neighbours.
            let limits: [Float] = [
                0, -0.0, 65504, 65519.996, 65520, -.infinity, 0x1p-14, 0x1.ffp-15, 0x1p-24, 0x1.8p-24, 0x1p-25,
                0x1.000002p-25,
                .leastNonzeroMagnitude, 1 + 0x1p-11, 1 + 0x3p-11,
            ]
            func numbers() -> [Float] {
                (0..<(tokens * row)).map { index in
                    if index < limits.count { return limits[index] }
                    // Half of them where half precision has numbers.
                    if index % 2 == 0 { return Float.random(in: -2...2, using: &generator) * 0x1p-14 }
                    let any = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
                    return any.isNaN ? 1 : any
                }
            }
            let keys = numbers(), values = numbers()
            let type = Int32(isHalf ? LEAP_KV_F16 : LEAP_KV_F32)
            let pageBytes = leap_kv_page_bytes(type, Int32(keyHeads), Int32(length))
            // The last position of a page and the first ones of another.
            let slots = (0..<tokens).map { (page: $0 < 2 ? 1 : 0, position: ($0 + 62) % 64) }
            var wantedKeys = [UInt8](repeating: 0, count: 2 * pageBytes), wantedValues = wantedKeys
            let pool = try #require(leap_pool_create(1))
            defer { leap_pool_destroy(pool) }
            wantedKeys.withUnsafeMutableBytes { keyPages in
                wantedValues.withUnsafeMutableBytes { valuePages in
                    guard let keyStart = keyPages.baseAddress, let valueStart = valuePages.baseAddress else { return }
                    let places = slots.map {
                        leap_kv_slot(
                            k_page: keyStart + $0.page * pageBytes, v_page: valueStart + $0.page * pageBytes,
                            offset: Int32($0.position))
                    }
                    leap_kv_store(
                        pool, type, Int32(keyHeads), Int32(length), keys, Int64(row), values, Int64(row), places,
                        Int64(tokens))
                }
            }
            let empty = [UInt8](repeating: 0, count: 2 * pageBytes)
            let keyPages = try gpu.buffer(empty), valuePages = try gpu.buffer(empty)
            let table = slots.flatMap { [UInt32($0.page * pageBytes / 2), UInt32($0.position)] }
            try gpu.run(
                isHalf ? .storeF16 : .storeF32,
                [
                    GPUBinding(try gpu.buffer(keys)), GPUBinding(try gpu.buffer(values)), GPUBinding(keyPages),
                    GPUBinding(valuePages), GPUBinding(try gpu.buffer(table)),
                ], [tokens, keyHeads, length, row, row].map(UInt32.init),
                groups: (groups(row, of: GPUKernel.elementsPerGroup), tokens, 1))
            #expect(Array(keyPages.contents) == wantedKeys)
            #expect(Array(valuePages.contents) == wantedValues)
        }
    }
}
