import LeapGGUF
import LeapTestSupport
import Testing

struct RoundTripTests {
    @Test("What is written is what is read", arguments: 1...60 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let model = RandomModel(using: &generator, size: Int(seed))
        let bytes = try model.writer().bytes()
        try expect(try GGUFFile.parse(bytes: bytes), is: model, seed)
        // Written again from what was read, it is the same file.
        let file = try GGUFFile.parse(bytes: bytes)
        var copy = GGUFWriter(copyingMetadataOf: file)
        for tensor in file.tensors { try copy.add(tensor) }
        #expect(try copy.bytes() == bytes, "seed \(seed)")
    }

    @Test(
        "Files on disk read the same mapped, read, and from inside another file",
        arguments: 1...6 as ClosedRange<UInt64>)
    func onDisk(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &* 977)
        let model = RandomModel(using: &generator, size: 40)
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try model.writer().write(to: path)
            let bytes = try model.writer().bytes()
            try expect(try GGUFFile.open(path: path), is: model, seed)
            try expect(try GGUFFile.open(path: path, useMmap: false), is: model, seed)
            // At every alignment, the ones no allocator would give included.
            for lead in [1, 7, 64, 4095, 4096, 5000] {
                let outer = "\(folder)/outer"
                try TestFiles.write([UInt8](repeating: 9, count: lead) + bytes + [1, 2, 3], to: outer)
                let range = lead..<lead + bytes.count
                try expect(try GGUFFile.open(path: outer, range: range), is: model, seed)
                try expect(try GGUFFile.open(path: outer, range: range, useMmap: false), is: model, seed)
            }
        }
    }

    @Test("A large header is read in steps when the file is not mapped")
    func largeHeader() throws {
        let words = (0..<150_000).map { "token number \($0)" }
        var writer = GGUFWriter()
        writer.set("tokenizer.ggml.tokens", .array(GGUFArray(words)))
        writer.set("after", .uint32(7))
        try writer.add(tensor: "t", shape: [3], floats: [1, 2, 3])
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try writer.write(to: path)
            for useMmap in [true, false] {
                let file = try GGUFFile.open(path: path, useMmap: useMmap)
                #expect(try file.metadata.uint("after") == 7)
                let tokens = try #require(try file.metadata.strings("tokenizer.ggml.tokens"))
                #expect(tokens.count == 150_000)
                #expect(tokens[149_999] == "token number 149999")
                #expect(file.tensor("t")?.data.count == 12)
            }
        }
    }

    @Test("Views outlive the file object they came from")
    func lifetimes() throws {
        var generator = SeededGenerator(seed: 5)
        let model = RandomModel(using: &generator, size: 30)
        let tensors = Array(try model.writer().file().tensors)
        let metadata = try model.writer().file().metadata
        for (tensor, expected) in zip(tensors, model.tensors) { #expect(Array(tensor.data) == expected.bytes) }
        for (key, value) in model.metadata { #expect(metadata[key] == value) }
    }

    @Test("Strings are bytes: invalid UTF-8 survives, and is repaired only as text")
    func invalidText() throws {
        let odd: [UInt8] = [0x61, 0xFF, 0x00, 0xC3]
        let metadata = try GGUFMetadata([
            ("one", .string(GGUFString(bytes: odd))),
            ("many", .array(GGUFArray([GGUFString(bytes: odd), "plain"]))),
        ])
        #expect(try metadata.string("one") == "a\u{FFFD}\0\u{FFFD}")
        let strings = try #require(try metadata.strings("many"))
        #expect(strings.bytes(0) == odd)
        #expect(strings[0] == "a\u{FFFD}\0\u{FFFD}")
        #expect(strings[1] == "plain")
        #expect(strings.totalByteCount == 9)
        #expect(strings.withUnsafeBytes(1) { $0.count } == 5)
    }

    @Test("Numbers convert between widths where nothing is lost")
    func conversions() throws {
        let metadata = try GGUFMetadata([
            ("u8", .uint8(200)), ("i8", .int8(-5)), ("f64", .float64(0.25)), ("u64", .uint64(.max)),
            ("list", .array(GGUFArray([1, 2, 3] as [UInt16]))), ("floats", .array(GGUFArray([0.5, 2] as [Double]))),
            ("flags", .array(GGUFArray([true, false]))), ("wide", .array(GGUFArray([1, .max] as [UInt64]))),
        ])
        #expect(try metadata.uint("u8") == 200)
        #expect(try metadata.int("i8") == -5)
        #expect(try metadata.float("i8") == -5)
        #expect(try metadata.float("f64") == 0.25)
        #expect(try metadata.uint("u64") == .max)
        #expect(try metadata.ints("list") == [1, 2, 3])
        #expect(try metadata.floats("list") == [1, 2, 3])
        #expect(try metadata.floats("floats") == [0.5, 2])
        #expect(try metadata.bools("flags") == [true, false])
        #expect(error { try metadata.ints("wide") }?.code == .wrongType)
    }

    private func expect(_ file: GGUFFile, is model: RandomModel, _ seed: UInt64) throws {
        let aligned = model.alignment != 32
        #expect(file.alignment == model.alignment, "seed \(seed)")
        #expect(
            file.metadata.keys == (aligned ? ["general.alignment"] : []) + model.metadata.map(\.key), "seed \(seed)")
        for (key, value) in model.metadata { #expect(file.metadata[key] == value, "seed \(seed), \(key)") }
        #expect(file.tensors.map(\.name) == model.tensors.map(\.name), "seed \(seed)")
        for expected in model.tensors {
            let tensor = try #require(file.tensor(expected.name), "seed \(seed)")
            #expect(tensor.type == expected.type, "seed \(seed)")
            #expect(tensor.shape == expected.shape, "seed \(seed)")
            #expect(tensor.elementCount == expected.shape.reduce(1, *), "seed \(seed)")
            #expect(tensor.rowByteCount * tensor.rowCount == expected.bytes.count, "seed \(seed)")
            #expect(tensor.data.elementsEqual(expected.bytes), "seed \(seed), \(expected.name)")
        }
    }
}
