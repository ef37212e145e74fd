import Foundation
import LeapGGUF
import Testing

struct GGUFWriterTests {
    @Test("Setting a key again keeps its place")
    func replaces() throws {
        var writer = GGUFWriter()
        writer.set("a", .uint8(1))
        writer.set("b", .uint8(2))
        writer.set("a", "three")
        let metadata = try writer.file().metadata
        #expect(metadata.keys == ["a", "b"])
        #expect(try metadata.string("a") == "three")
        #expect(metadata.count == 2)
    }

    @Test("Streamed data is held to its size")
    func streaming() throws {
        var writer = GGUFWriter()
        try writer.add(tensor: "t", type: .f16, shape: [4]) { sink in
            try sink.write([1, 2, 3])
            try sink.write([4, 5, 6, 7, 8])
        }
        #expect(try writer.file().tensor("t").map { Array($0.data) } == [1, 2, 3, 4, 5, 6, 7, 8])

        for count in [7, 9] {
            var wrong = GGUFWriter()
            try wrong.add(tensor: "t", type: .f16, shape: [4]) { try $0.write([UInt8](repeating: 0, count: count)) }
            let found = try #require(error { try wrong.bytes() })
            #expect(found.code == .invalidArgument)
            #expect(found.field == "t")
        }
    }

    @Test("A large file is written through, and reads back")
    func large() throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            var writer = GGUFWriter()
            let chunk = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try writer.add(tensor: "big", type: .q8_0, shape: [32, 100_000]) { sink in
                var left = 3_400_000
                while left > 0 {
                    try sink.write(Array(chunk.prefix(left)))
                    left -= min(left, chunk.count)
                }
            }
            try writer.write(to: path)
            let tensor = try #require(try GGUFFile.open(path: path).tensor("big"))
            #expect(tensor.data.count == 3_400_000)
            #expect(tensor.data[0..<300_000].elementsEqual(chunk))
            #expect(tensor.data[3_300_000...].elementsEqual(chunk[..<100_000]))
        }
    }

    @Test("A file that fails leaves nothing behind and what was there alone")
    func atomic() throws {
        struct Stop: Error {}
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try TestFiles.write([1, 2, 3], to: path)
            var writer = GGUFWriter()
            try writer.add(tensor: "t", type: .f32, shape: [4]) { _ in throw Stop() }
            #expect(throws: Stop.self) { try writer.write(to: path) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["model.gguf"])
            #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
        }
    }

    @Test("A place that cannot be written is named")
    func unwritable() throws {
        let found = try #require(error { try GGUFWriter().write(to: "/nonexistent/folder/model.gguf") })
        #expect(found.code == .writeFailed)
        #expect(found.path == "/nonexistent/folder/model.gguf")
        #expect(error { try GGUFWriter().write(to: "") }?.code == .writeFailed)
    }

    @Test("What readers would refuse is not written")
    func invalid() throws {
        var writer = GGUFWriter()
        try writer.add(tensor: "t", shape: [1], floats: [1])
        let cases: [(GGUFError?, String)] = [
            (error { try writer.add(tensor: "t", shape: [1], floats: [1]) }, "twice"),
            (error { try writer.add(tensor: "", shape: [1], floats: [1]) }, "0 bytes"),
            (
                error { try writer.add(tensor: String(repeating: "n", count: 256), shape: [1], floats: [1]) },
                "256 bytes"
            ),
            (error { try writer.add(tensor: "u", shape: [], floats: [1]) }, "shape []"),
            (error { try writer.add(tensor: "u", shape: [1, 1, 1, 1, 1], floats: [1]) }, "1 to 4"),
            (error { try writer.add(tensor: "u", shape: [0], floats: []) }, "at least 1"),
            (error { try writer.add(tensor: "u", shape: [.max, 2], floats: []) }, "too large"),
            (error { try writer.add(tensor: "u", shape: [2], floats: [1]) }, "4 bytes"),
            (error { try writer.add(tensor: "u", type: .q8_0, shape: [33], bytes: []) }, "blocks of 32"),
            (error { try writer.add(tensor: "u", type: .init(rawValue: 99), shape: [1], bytes: []) }, "not known"),
            (error { try GGUFWriter(alignment: 48).bytes() }, "power of two"),
            (error { try GGUFWriter(alignment: -1).bytes() }, "power of two"),
            (error { try GGUFMetadata([("", true)]) }, "0 bytes"),
            (error { try GGUFMetadata([("a", true), ("a", true)]) }, "twice"),
        ]
        for (found, phrase) in cases {
            let found = try #require(found, "\(phrase)")
            #expect(found.code == .invalidArgument, "\(found)")
            #expect(found.message.contains(phrase), "\(found)")
        }
        #expect(try writer.file().tensors.count == 1)
    }

    @Test("Arrays nest as deep as they can be read")
    func nesting() throws {
        var array = GGUFArray(["deep"])
        for _ in 0..<7 { array = try GGUFArray(arrays: [array]) }
        let file = try GGUFMetadata([("k", .array(array))])
        var value = try #require(file["k"])
        var depth = 0
        while case .array(let inner) = value, let first = inner.first {
            value = first
            depth += 1
        }
        #expect(depth == 8)
        #expect(value == "deep")
        #expect(error { try GGUFArray(arrays: [array]) }?.code == .limitExceeded)
    }
}
