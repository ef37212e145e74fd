import Foundation
import LeapGGUF
import Testing

struct SplitTests {
    /// Writes seven tensors in parts of at most three.
    private func writeParts(_ folder: String, name: String = "model", value: Float = 0) throws -> [String] {
        var writer = GGUFWriter()
        writer.set("general.architecture", "llama")
        for index in 0..<7 {
            try writer.add(
                tensor: "blk.\(index).weight", shape: [8], floats: .init(repeating: value + Float(index), count: 8))
        }
        return try writer.write(splitTo: "\(folder)/\(name)", maximumTensorCount: 3)
    }

    @Test("Any part opens the whole model", arguments: 0..<3, [true, false])
    func opens(part: Int, useMmap: Bool) throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            #expect(
                paths.map { $0.split(separator: "/").last ?? "" } == [
                    "model-00001-of-00003.gguf", "model-00002-of-00003.gguf", "model-00003-of-00003.gguf",
                ])
            let file = try GGUFFile.open(path: paths[part], useMmap: useMmap)
            #expect(file.path == paths[part])
            #expect(file.partPaths == paths)
            #expect(file.tensors.map(\.name) == (0..<7).map { "blk.\($0).weight" })
            #expect(file.tensors.map(\.part) == [0, 0, 0, 1, 1, 1, 2])
            #expect(file.tensors.map { $0.data.loadUnaligned(as: Float.self) } == [0, 1, 2, 3, 4, 5, 6])
            #expect(file.tensor("blk.6.weight")?.part == 2)
            #expect(try file.metadata.string("general.architecture") == "llama")
            let sizes = try paths.map { try Data(contentsOf: URL(filePath: $0)).count }
            #expect(file.byteCount == sizes.reduce(0, +))
        }
    }

    @Test("A missing part is named", arguments: 0..<3)
    func missing(part: Int) throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            try FileManager.default.removeItem(atPath: paths[part])
            let found = try #require(error { try GGUFFile.open(path: paths[(part + 1) % 3]) })
            #expect(found.code == .split)
            #expect(found.path == paths[part])
            #expect(found.message.contains("part \(part + 1) of 3"))
            #expect(found.message.contains("missing"))
        }
    }

    @Test("A part that is truncated is named")
    func truncated() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            try Data(contentsOf: URL(filePath: paths[1])).dropLast(40).write(to: URL(filePath: paths[1]))
            let found = try #require(error { try GGUFFile.open(path: paths[0]) })
            #expect(found.code == .truncated)
            #expect(found.path == paths[1])
        }
    }

    @Test("A part under another name cannot lead to the rest")
    func renamed() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            let other = "\(folder)/renamed.gguf"
            try FileManager.default.copyItem(atPath: paths[0], toPath: other)
            let found = try #require(error { try GGUFFile.open(path: other) })
            #expect(found.code == .split)
            #expect(found.message.contains("part 1 of 3"))
            #expect(found.message.contains("-00001-of-00003.gguf"))
        }
    }

    @Test("Parts in each other's place are noticed")
    func swapped() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            try FileManager.default.removeItem(atPath: paths[2])
            try FileManager.default.copyItem(atPath: paths[1], toPath: paths[2])
            let found = try #require(error { try GGUFFile.open(path: paths[0]) })
            #expect(found.code == .split)
            #expect(found.path == paths[2])
            #expect(found.message.contains("says that it is part 2 of 3"))
        }
    }

    @Test("A file that is no part is not taken for one")
    func stranger() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            try GGUFWriter().write(to: paths[1])
            let found = try #require(error { try GGUFFile.open(path: paths[0]) })
            #expect(found.code == .split)
            #expect(found.message.contains("not part of a split model"))
        }
    }

    @Test("Parts of two models that share tensor names are noticed")
    func mixedNames() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            var other = GGUFWriter()
            for index in [9, 8, 7, 0, 1, 2] { try other.add(tensor: "blk.\(index).weight", shape: [1], floats: [0]) }
            let others = try other.write(splitTo: "\(folder)/other", maximumTensorCount: 2)
            #expect(others.count == 3)
            try FileManager.default.removeItem(atPath: paths[1])
            try FileManager.default.copyItem(atPath: others[1], toPath: paths[1])
            let found = try #require(error { try GGUFFile.open(path: paths[0]) })
            #expect(found.code == .split)
            #expect(found.field == "blk.0.weight")
        }
    }

    @Test("Parts of two models with other tensors are noticed by their number")
    func mixedCounts() throws {
        try TestFiles.withFolder { folder in
            let paths = try writeParts(folder)
            var other = GGUFWriter()
            for index in 10..<16 { try other.add(tensor: "blk.\(index).weight", shape: [1], floats: [0]) }
            let others = try other.write(splitTo: "\(folder)/other", maximumTensorCount: 2)
            try FileManager.default.removeItem(atPath: paths[1])
            try FileManager.default.copyItem(atPath: others[1], toPath: paths[1])
            let found = try #require(error { try GGUFFile.open(path: paths[0]) })
            #expect(found.code == .split)
            #expect(found.message.contains("hold 6 tensors"))
            #expect(found.message.contains("says 7"))
        }
    }

    @Test("A part number outside the count is refused")
    func impossibleNumber() throws {
        try TestFiles.withFolder { folder in
            var writer = GGUFWriter()
            writer.set("split.no", .uint16(3))
            writer.set("split.count", .uint16(3))
            let path = "\(folder)/model-00004-of-00003.gguf"
            try writer.write(to: path)
            let found = try #require(error { try GGUFFile.open(path: path) })
            #expect(found.code == .split)
            #expect(found.field == "split.no")
        }
    }

    @Test("Parts are made by bytes too, and a large tensor has one to itself")
    func byBytes() throws {
        try TestFiles.withFolder { folder in
            var writer = GGUFWriter()
            for (index, count) in [4, 4, 100, 4, 4].enumerated() {
                try writer.add(
                    tensor: "t\(index)", shape: [count], floats: .init(repeating: Float(index), count: count))
            }
            let paths = try writer.write(splitTo: "\(folder)/m", maximumByteCount: 64)
            let file = try GGUFFile.open(path: paths[0])
            #expect(file.tensors.map(\.part) == [0, 0, 1, 2, 2])
            #expect(error { try writer.write(splitTo: "\(folder)/m", maximumTensorCount: 0) }?.code == .invalidArgument)
        }
    }
}
