import CLeapKernels
import Foundation
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Heads that a device norms and rotates, and keys and values that it writes into pages.
    struct PlaceTests {
        @Test(
            "Pages have the bytes that the processor writes, for numbers of every size",
            arguments: [LEAP_KV_F16, LEAP_KV_F32, LEAP_KV_Q8_0].map { Int32($0) }, [40, 64])
        func bytes(type: Int32, length: Int) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 6)
            let tokens = 7, keyHeads = 3, row = keyHeads * length
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
            let pageBytes = leap_kv_page_bytes(type, Int32(keyHeads), Int32(length))
            // The last position of a page and the first ones of another.
            let slots = (0..<tokens).map { (page: $0 < 3 ? 1 : 0, position: ($0 + 61) % 64) }
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
            // One query in front of them, which stays as it is.
            let perRow = 1 + 2 * keyHeads
            var rows: [Float] = []
            for token in 0..<tokens {
                rows += [Float](repeating: .leastNonzeroMagnitude, count: length)
                rows += keys[token * row..<(token + 1) * row]
                rows += values[token * row..<(token + 1) * row]
            }
            let buffer = try gpu.buffer(rows), pages = try gpu.buffer([UInt8](repeating: 0, count: 4 * pageBytes))
            let places: [UInt32] = slots.flatMap { [UInt32($0.page * pageBytes / 2), UInt32($0.position)] }
            let table = try gpu.buffer(places)
            let isQuantised = type == Int32(LEAP_KV_Q8_0), isHalf = type == Int32(LEAP_KV_F16)
            try gpu.run(
                isQuantised ? .placeRows : isHalf ? .placeF16 : .placeF32,
                [GPUBinding(buffer), GPUBinding(table), GPUBinding(table), GPUBinding(pages), GPUBinding(table)],
                [tokens, 1, keyHeads, length, 0, 0, 0, 0, 1, 0, pageBytes].map(UInt32.init),
                groups: (groups(tokens * perRow, of: GPUKernel.rowsPerGroup), 1, 1))
            if isQuantised {
                // In two calls, of which the second begins with the second position of a pair.
                #expect(slots[0].position % 2 == 1)
                for part in [0..<4, 4..<tokens] {
                    let own = try gpu.buffer(
                        Array(rows[part.lowerBound * perRow * length..<part.upperBound * perRow * length]))
                    let ownTable = try gpu.buffer(Array(places[2 * part.lowerBound..<2 * part.upperBound]))
                    try gpu.run(
                        .storeQ8_0, [GPUBinding(own), GPUBinding(pages), GPUBinding(ownTable)],
                        [part.count, 1, keyHeads, length, 0, pageBytes].map(UInt32.init),
                        groups: (groups(part.count * 2 * keyHeads, of: GPUKernel.rowsPerGroup), 1, 1))
                }
            }
            #expect(Array(pages.contents.prefix(2 * pageBytes)) == wantedKeys)
            #expect(Array(pages.contents.suffix(2 * pageBytes)) == wantedValues)
            #expect(buffer.floats.map(\.bitPattern) == rows.map(\.bitPattern))
        }

        @Test("Queries and keys are normed and rotated, pairs a half apart or side by side", arguments: [false, true])
        func rotation(isInterleaved: Bool) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 3)
            let tokens = 3, heads = 5, keyHeads = 2, length = 40, pairs = 13, perRow = heads + 2 * keyHeads
            let values = generator.floats(tokens * perRow * length), gains = generator.floats(2 * length)
            let angles = (0..<tokens * pairs).map { _ in Double.random(in: 0...100_000, using: &generator) }
            let turnTable: [Float] = angles.flatMap { [Float(cos($0)), Float(sin($0))] }
            let turns = try gpu.buffer(turnTable)
            let pageWords = 2 * keyHeads * length * 64
            let buffer = try gpu.buffer(values), pages = try gpu.output(pageWords)
            let places: [UInt32] = (0..<tokens).flatMap { [0, UInt32($0)] }
            let slots = try gpu.buffer(places)
            let epsilon: Float = 1e-5
            try gpu.run(
                .placeF32,
                [
                    GPUBinding(buffer), GPUBinding(try gpu.buffer(gains)), GPUBinding(turns), GPUBinding(pages),
                    GPUBinding(slots),
                ],
                [
                    UInt32(tokens), UInt32(heads), UInt32(keyHeads), UInt32(length), 1, epsilon.bitPattern,
                    UInt32(pairs),
                    isInterleaved ? 1 : 0, 1, 0, UInt32(pageWords),
                ], groups: (groups(tokens * perRow, of: GPUKernel.rowsPerGroup), 1, 1))
            let results = buffer.floats, written = pages.floats
            for token in 0..<tokens {
                for head in 0..<heads + keyHeads {
                    let at = (token * perRow + head) * length, isKey = head >= heads
                    var vector = values[at..<at + length].map(Double.init)
                    let squares = vector.reduce(0) { $0 + $1 * $1 } / Double(length)
                    let factor = 1 / (squares + Double(epsilon)).squareRoot()
                    for i in 0..<length { vector[i] *= factor * Double(gains[(isKey ? length : 0) + i]) }
                    for pair in 0..<pairs {
                        let first = isInterleaved ? 2 * pair : pair, second = first + (isInterleaved ? 1 : pairs)
                        let angle = angles[token * pairs + pair], (a, b) = (vector[first], vector[second])
                        vector[first] = a * cos(angle) - b * sin(angle)
                        vector[second] = a * sin(angle) + b * cos(angle)
                    }
                    for i in 0..<length {
                        let inPage = ((head - heads) * length + i) * 64 + token
                        let value = isKey ? written[inPage] : results[at + i]
                        let difference = abs(Double(value) - vector[i])
                        #expect(difference <= 4e-6)
                    }
                }
            }
        }
    }
}
