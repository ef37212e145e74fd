import LeapGGUF
import Testing

struct GGUFTensorTypeTests {
    struct Layout: Sendable, CustomTestStringConvertible {
        var type: GGUFTensorType
        var id: UInt32
        var name: String
        var blockSize: Int
        var blockByteCount: Int
        var testDescription: String { name }
    }

    /// As `ggml.h` and `ggml-common.h` have them.
    static let layouts = [
        Layout(type: .f32, id: 0, name: "F32", blockSize: 1, blockByteCount: 4),
        Layout(type: .f16, id: 1, name: "F16", blockSize: 1, blockByteCount: 2),
        Layout(type: .q4_0, id: 2, name: "Q4_0", blockSize: 32, blockByteCount: 2 + 16),
        Layout(type: .q4_1, id: 3, name: "Q4_1", blockSize: 32, blockByteCount: 4 + 16),
        Layout(type: .q5_0, id: 6, name: "Q5_0", blockSize: 32, blockByteCount: 2 + 4 + 16),
        Layout(type: .q5_1, id: 7, name: "Q5_1", blockSize: 32, blockByteCount: 4 + 4 + 16),
        Layout(type: .q8_0, id: 8, name: "Q8_0", blockSize: 32, blockByteCount: 2 + 32),
        Layout(type: .q2_K, id: 10, name: "Q2_K", blockSize: 256, blockByteCount: 16 + 64 + 4),
        Layout(type: .q3_K, id: 11, name: "Q3_K", blockSize: 256, blockByteCount: 32 + 64 + 12 + 2),
        Layout(type: .q4_K, id: 12, name: "Q4_K", blockSize: 256, blockByteCount: 4 + 12 + 128),
        Layout(type: .q5_K, id: 13, name: "Q5_K", blockSize: 256, blockByteCount: 4 + 12 + 32 + 128),
        Layout(type: .q6_K, id: 14, name: "Q6_K", blockSize: 256, blockByteCount: 128 + 64 + 16 + 2),
        Layout(type: .iq4_nl, id: 20, name: "IQ4_NL", blockSize: 32, blockByteCount: 2 + 16),
        Layout(type: .iq4_xs, id: 23, name: "IQ4_XS", blockSize: 256, blockByteCount: 2 + 2 + 4 + 128),
        Layout(type: .bf16, id: 30, name: "BF16", blockSize: 1, blockByteCount: 2),
        Layout(type: .init(rawValue: 17), id: 17, name: "IQ2_XS", blockSize: 256, blockByteCount: 74),
        Layout(type: .init(rawValue: 34), id: 34, name: "TQ1_0", blockSize: 256, blockByteCount: 54),
        Layout(type: .init(rawValue: 39), id: 39, name: "MXFP4", blockSize: 32, blockByteCount: 17),
        Layout(type: .init(rawValue: 41), id: 41, name: "Q1_0", blockSize: 128, blockByteCount: 2 + 16),
        Layout(type: .init(rawValue: 42), id: 42, name: "Q2_0", blockSize: 64, blockByteCount: 2 + 16),
    ]

    @Test("Types have ggml's ids, names and blocks", arguments: layouts)
    func layout(expected: Layout) {
        #expect(expected.type.rawValue == expected.id)
        #expect(expected.type.name == expected.name)
        #expect(expected.type.blockSize == expected.blockSize)
        #expect(expected.type.blockByteCount == expected.blockByteCount)
        #expect(expected.type.byteCount(elementCount: 3 * expected.blockSize) == 3 * expected.blockByteCount)
        #expect(
            expected.type.bitsPerElement == Double(expected.blockByteCount) * 8 / Double(expected.blockSize))
    }

    @Test("Sizes that cannot be are nil, not wrong")
    func impossibleSizes() {
        #expect(GGUFTensorType.q4_0.byteCount(elementCount: 33) == nil)
        #expect(GGUFTensorType.f32.byteCount(elementCount: -1) == nil)
        #expect(GGUFTensorType.f32.byteCount(elementCount: .max) == nil)
        #expect(GGUFTensorType.f32.byteCount(elementCount: 0) == 0)
        #expect(GGUFTensorType(rawValue: 99).byteCount(elementCount: 32) == nil)
    }

    @Test("Retired and unknown ids have names but no layout")
    func withoutLayout() {
        #expect(GGUFTensorType(rawValue: 31).name == "Q4_0_4_4 (retired)")
        #expect(!GGUFTensorType(rawValue: 31).isKnown)
        #expect(GGUFTensorType(rawValue: .max).name == "type 4294967295")
        #expect(GGUFTensorType(rawValue: .max).blockSize == 0)
    }
}
