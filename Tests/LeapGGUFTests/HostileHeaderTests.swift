import LeapGGUF
import Testing

/// A header that lies, and what must come of it.
struct HostileHeader: Sendable, CustomTestStringConvertible {
    var name: String
    var code: GGUFError.Code
    /// The words that the message must have.
    var says: [String]
    var field: String?
    var bytes: [UInt8]

    var testDescription: String { name }

    init(_ name: String, _ code: GGUFError.Code, says: [String], field: String? = nil, _ bytes: [UInt8]) {
        self.name = name
        self.code = code
        self.says = says
        self.field = field
        self.bytes = bytes
    }
}

struct HostileHeaderTests {
    @Test("A header that lies is refused with a message that says what is wrong", arguments: hostileHeaders)
    func refuses(hostile: HostileHeader) throws {
        let found = try #require(error { try GGUFFile.parse(bytes: hostile.bytes, name: "model.gguf") })
        #expect(found.code == hostile.code, "\(found)")
        #expect(found.path == "model.gguf")
        #expect(found.description.hasPrefix("model.gguf: "))
        for phrase in hostile.says { #expect(found.message.contains(phrase), "\(found)") }
        if let field = hostile.field { #expect(found.field == field) }
    }

    @Test("Tensors of a type from the future open without data, so that they can be listed")
    func unknownType() throws {
        let bytes = HeaderBytes.with(tensors: 2) {
            $0.tensor("new", [64, 2], type: 99)
            $0.tensor("old", [4], offset: 32)
            $0.data(48)
        }
        let file = try GGUFFile.parse(bytes: bytes)
        let new = try #require(file.tensor("new"))
        #expect(new.type == GGUFTensorType(rawValue: 99))
        #expect(!new.type.isKnown)
        #expect(new.type.name == "type 99")
        #expect(new.shape == [64, 2])
        #expect(new.byteCount == 0 && new.rowByteCount == 0 && new.data.isEmpty)
        #expect(file.tensor("old")?.data.count == 16)
    }

    @Test("Data out of table order, with gaps, is fine as long as nothing overlaps")
    func anyOrder() throws {
        let bytes = HeaderBytes.with(tensors: 3) {
            $0.tensor("c", [8], offset: 128)
            $0.tensor("a", [8], offset: 0)
            $0.tensor("b", [8], offset: 32)
            $0.data(160)
        }
        let file = try GGUFFile.parse(bytes: bytes)
        #expect(file.tensors.map(\.name) == ["c", "a", "b"])
        #expect(file.tensors.allSatisfy { $0.data.allSatisfy { $0 == 0xAB } })
    }

    @Test("A tensor without dimensions holds one element")
    func scalar() throws {
        let bytes = HeaderBytes.with(tensors: 1) {
            $0.tensor("scalar", [])
            $0.data(4)
        }
        let tensor = try #require(try GGUFFile.parse(bytes: bytes).tensor("scalar"))
        #expect(tensor.shape == [1])
        #expect(tensor.byteCount == 4)
    }

    @Test("Version 2 is read like version 3")
    func versionTwo() throws {
        let bytes = HeaderBytes.with(version: 2, tensors: 1, keys: 1) {
            $0.uint32("k", 7)
            $0.tensor("t", [1])
            $0.data(4)
        }
        let file = try GGUFFile.parse(bytes: bytes)
        #expect(file.version == 2)
        #expect(try file.metadata.uint("k") == 7)
        #expect(file.tensors.count == 1)
    }

    @Test("Control characters in names do not reach the message")
    func printableNames() throws {
        let bytes = HeaderBytes.with(keys: 1) { $0.key("\u{1B}[2J\n", type: 77) { _ in } }
        let found = try #require(error { try GGUFFile.parse(bytes: bytes) })
        #expect(found.message.contains("\\u{1b}[2J\\u{a}"))
        #expect(!found.message.contains("\u{1B}"))
    }

    static let max = UInt64.max

    static let hostileHeaders: [HostileHeader] =
        preambles + keys + values + alignments + tensorEntries + tensorData

    static let preambles = [
        HostileHeader(
            "big-endian", .bigEndian, says: ["big-endian", "version 3"],
            HeaderBytes.with(version: UInt32(3).byteSwapped) { _ in }),
        HostileHeader(
            "version 0", .unsupportedVersion, says: ["version 0", "2 and 3"], HeaderBytes.with(version: 0) { _ in }),
        HostileHeader(
            "version 1", .unsupportedVersion, says: ["version 1", "2 and 3"], HeaderBytes.with(version: 1) { _ in }),
        HostileHeader(
            "version 4", .unsupportedVersion, says: ["version 4", "newer"], HeaderBytes.with(version: 4) { _ in }),
        HostileHeader(
            "2^64-1 tensors", .truncated, says: ["\(max) tensors", "room for 0"],
            HeaderBytes.with(tensors: max) { _ in }),
        HostileHeader("2^64-1 keys", .truncated, says: ["\(max) metadata"], HeaderBytes.with(keys: max) { _ in }),
        HostileHeader("2^63 keys", .truncated, says: ["metadata"], HeaderBytes.with(keys: 1 << 63) { _ in }),
        HostileHeader(
            "one key declared, none there", .truncated, says: ["1 metadata"], HeaderBytes.with(keys: 1) { _ in }),
    ]

    static let keys = [
        HostileHeader(
            "more keys than anyone has, in a file with room for them", .limitExceeded,
            says: ["65536 metadata", "65535"],
            HeaderBytes.with(keys: 65_536) { $0.data(65_536 * 14) }),
        HostileHeader(
            "more tensors than anyone has, in a file with room for them", .limitExceeded, says: ["262145 tensors"],
            HeaderBytes.with(tensors: 262_145) { $0.data(262_145 * 25) }),
        HostileHeader(
            "an empty key", .limitExceeded, says: ["key 0", "0 bytes"],
            HeaderBytes.with(keys: 1) {
                $0.uint32("", 1); $0.data(32)
            }),
        HostileHeader(
            "a key of 2^64-1 bytes", .limitExceeded, says: ["\(max) bytes"],
            HeaderBytes.with(keys: 1) {
                $0.append(string: "k", length: max); $0.data(64)
            }),
        HostileHeader(
            "a key longer than the format allows", .limitExceeded, says: ["65536 bytes", "65535"],
            HeaderBytes.with(keys: 1) { $0.uint32(String(repeating: "k", count: 65_536), 1) }),
        HostileHeader(
            "a key past the end", .truncated, says: ["metadata key 0", "60000"],
            HeaderBytes.with(keys: 1) {
                $0.append(string: "k", length: 60_000); $0.data(64)
            }),
        HostileHeader(
            "a key twice", .malformed, says: ["'same'", "twice"], field: "same",
            HeaderBytes.with(keys: 3) {
                $0.uint32("same", 1); $0.uint32("other", 1); $0.uint32("same", 2)
            }),
    ]

    static let values = [
        HostileHeader(
            "an unknown value type", .malformed, says: ["'k'", "type 13"], field: "k",
            HeaderBytes.with(keys: 1) { $0.key("k", type: 13) { $0.append(1 as UInt64) } }),
        HostileHeader(
            "a bool of 2", .malformed, says: ["'k'", "byte 2"], field: "k",
            HeaderBytes.with(keys: 1) { $0.key("k", type: 7) { $0.append(2 as UInt8) } }),
        HostileHeader(
            "a bool of 255 in an array", .malformed, says: ["'k'", "byte 255"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) {
                    $0.append(7 as UInt32); $0.append(3 as UInt64); $0.bytes += [0, 1, 255]
                }
            }),
        HostileHeader(
            "a string of 2^64-1 bytes", .truncated, says: ["'k'", "\(max) bytes"], field: "k",
            HeaderBytes.with(keys: 1) { $0.key("k", type: 8) { $0.append(string: "x", length: max) } }),
        HostileHeader(
            "a string one byte too long", .truncated, says: ["'k'", "2 bytes", "only 1"],
            HeaderBytes.with(keys: 1) { $0.key("k", type: 8) { $0.append(string: "x", length: 2) } }),
        HostileHeader(
            "an array of 2^64-1 strings", .truncated, says: ["'k'"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) {
                    $0.append(8 as UInt32); $0.append(max)
                }
            }),
        HostileHeader(
            "an array of 2^61 doubles, whose size overflows to 0", .truncated, says: ["'k'"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) {
                    $0.append(12 as UInt32); $0.append(UInt64(1) << 61)
                }
            }),
        HostileHeader(
            "an array of 2^62 bytes", .truncated, says: ["'k'"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) {
                    $0.append(0 as UInt32); $0.append(UInt64(1) << 62)
                }
            }),
        HostileHeader(
            "a long array whose last string is too long", .truncated, says: ["'k'", "5 bytes"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) { header in
                    header.append(8 as UInt32)
                    header.append(100 as UInt64)
                    for _ in 0..<99 { header.append(string: "abc") }
                    header.append(string: "abcd", length: 5)
                }
            }),
        HostileHeader(
            "an array of an unknown type", .malformed, says: ["'k'", "type 200"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) {
                    $0.append(200 as UInt32); $0.append(0 as UInt64)
                }
            }),
        HostileHeader(
            "arrays nested nine deep", .limitExceeded, says: ["'k'", "deeper than 8"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) { header in
                    for _ in 0..<8 { header.append(9 as UInt32); header.append(1 as UInt64) }
                    header.append(4 as UInt32)
                    header.append(0 as UInt64)
                }
            }),
        HostileHeader(
            "arrays nested without end", .limitExceeded, says: ["deeper than 8"],
            HeaderBytes.with(keys: 1) {
                $0.key("k", type: 9) { header in
                    for _ in 0..<100_000 { header.append(9 as UInt32); header.append(1 as UInt64) }
                }
            }),
    ]

    static let alignments =
        [0, 3, 48, 1 << 25, UInt32.max].map { value in
            HostileHeader(
                "alignment \(value)", .malformed, says: ["general.alignment", "\(value)", "power of two"],
                field: "general.alignment", HeaderBytes.with(keys: 1) { $0.uint32("general.alignment", value) })
        } + [
            HostileHeader(
                "an alignment that is text", .wrongType, says: ["general.alignment", "string", "uint32"],
                HeaderBytes.with(keys: 1) { $0.key("general.alignment", type: 8) { $0.append(string: "32") } })
        ]

    static let tensorEntries = [
        HostileHeader(
            "a tensor without a name", .limitExceeded, says: ["tensor 0", "0 bytes"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("", [1]); $0.data(32)
            }),
        HostileHeader(
            "a tensor name of 2^64-1 bytes", .limitExceeded, says: ["tensor 0", "\(max)"],
            HeaderBytes.with(tensors: 1) {
                $0.append(string: "t", length: max); $0.data(64)
            }),
        HostileHeader(
            "five dimensions", .limitExceeded, says: ["'t'", "5 dimensions"], field: "t",
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1, 1, 1, 1, 1]); $0.data(32)
            }),
        HostileHeader(
            "2^32-1 dimensions", .limitExceeded, says: ["'t'", "4294967295 dimensions"],
            HeaderBytes.with(tensors: 1) {
                $0.append(string: "t"); $0.append(UInt32.max); $0.data(64)
            }),
        HostileHeader(
            "a dimension of 0", .malformed, says: ["'t'", "size 0", "dimension 1"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [4, 0]); $0.data(32)
            }),
        HostileHeader(
            "a dimension of 2^64-1", .malformed, says: ["'t'", "\(max)"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [max]); $0.data(32)
            }),
        HostileHeader(
            "dimensions whose product overflows", .malformed, says: ["'t'", "product"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1 << 32, 1 << 31, 2]); $0.data(32)
            }),
        HostileHeader(
            "a byte count that overflows", .malformed, says: ["'t'", "63 bits"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1 << 62]); $0.data(32)
            }),
        HostileHeader(
            "rows that are not whole blocks", .malformed, says: ["'t'", "33 elements", "Q8_0", "blocks of 32"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [33, 2], type: 8); $0.data(96)
            }),
        HostileHeader(
            "a tensor twice", .malformed, says: ["'same'", "twice"], field: "same",
            HeaderBytes.with(tensors: 2) {
                $0.tensor("same", [1]); $0.tensor("same", [1], offset: 32); $0.data(64)
            }),
    ]

    static let tensorData = [
        HostileHeader(
            "data that is not aligned", .malformed, says: ["'t'", "offset 4", "alignment, 32"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1], offset: 4); $0.data(64)
            }),
        HostileHeader(
            "data one byte short", .truncated, says: ["'t'", "128 bytes", "past the end"], field: "t",
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [32]); $0.data(127)
            }),
        HostileHeader(
            "data at the end of the address space", .truncated, says: ["'t'", "past the end"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [32], offset: max & ~31); $0.data(128)
            }),
        HostileHeader(
            "data of petabytes", .truncated, says: ["'t'", "past the end"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1 << 50]); $0.data(128)
            }),
        HostileHeader(
            "no data section", .truncated, says: ["'t'", "past the end"],
            HeaderBytes.with(tensors: 1) { $0.tensor("t", [1]) }),
        HostileHeader(
            "an unknown type beyond the end", .truncated, says: ["'t'", "past the end"],
            HeaderBytes.with(tensors: 1) {
                $0.tensor("t", [1], type: 99, offset: 1 << 40); $0.data(32)
            }),
        HostileHeader(
            "tensors on the same bytes", .malformed, says: ["share bytes"],
            HeaderBytes.with(tensors: 2) {
                $0.tensor("a", [8]); $0.tensor("b", [8]); $0.data(64)
            }),
        HostileHeader(
            "tensors that overlap by a block", .malformed, says: ["share bytes", "32 to 96", "at 64"],
            HeaderBytes.with(tensors: 3) {
                $0.tensor("a", [8], offset: 64)
                $0.tensor("b", [8], offset: 0)
                $0.tensor("c", [16], offset: 32)
                $0.data(128)
            }),
    ]
}
