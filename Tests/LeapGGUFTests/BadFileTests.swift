import Foundation
import LeapGGUF
import Testing

struct BadFileTests {
    @Test("A missing file is named", arguments: [true, false])
    func missing(useMmap: Bool) throws {
        let found = try #require(error { try GGUFFile.open(path: "/nonexistent/model.gguf", useMmap: useMmap) })
        #expect(found.code == .notFound)
        #expect(found.description == "/nonexistent/model.gguf: no such file. Check the path.")
    }

    @Test("Paths that no file can have are refused", arguments: ["", "a\0b"])
    func impossiblePaths(path: String) throws {
        let found = try #require(error { try GGUFFile.open(path: path) })
        #expect(found.code == .notFound)
        #expect(!found.description.contains("\0"))
    }

    @Test("A directory is called one")
    func directory() throws {
        try TestFiles.withFolder { folder in
            let found = try #require(error { try GGUFFile.open(path: folder) })
            #expect(found.code == .notAFile)
            #expect(found.message.contains("directory"))
        }
    }

    @Test("Devices are refused without reading them", arguments: ["/dev/null", "/dev/zero"])
    func devices(path: String) throws {
        let found = try #require(error { try GGUFFile.open(path: path) })
        #expect(found.code == .notAFile)
        #expect(found.message.contains("device"))
    }

    @Test("A pipe is refused without waiting for a writer")
    func pipe() throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let found = try #require(error { try GGUFFile.open(path: path) })
            #expect(found.code == .notAFile)
            #expect(found.message.contains("pipe"))
        }
    }

    @Test("A file this user may not read says so", .enabled(if: getuid() != 0, "root may read everything"))
    func forbidden() throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try TestFiles.write([1], to: path)
            #expect(chmod(path, 0) == 0)
            let found = try #require(error { try GGUFFile.open(path: path) })
            #expect(found.code == .notReadable)
            #expect(found.message.contains("permission denied"))
        }
    }

    @Test("An empty file is called one", arguments: [true, false])
    func empty(useMmap: Bool) throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try TestFiles.write([], to: path)
            let found = try #require(error { try GGUFFile.open(path: path, useMmap: useMmap) })
            #expect(found.code == .empty)
            #expect(found.message.contains("empty"))
        }
    }

    struct Impostor: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var says: String
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ says: String) {
            self.name = name
            self.bytes = bytes
            self.says = says
        }

        static let all = [
            Impostor("text", Array("Hello, world".utf8), "text file that begins with \"Hello, world\""),
            Impostor("one byte", [UInt8(ascii: "G")], "text file that begins with \"G\""),
            Impostor("a web page", Array("<!DOCTYPE html><html>404".utf8), "web page"),
            Impostor("a Git LFS pointer", Array("version https://git-lfs.github.com/spec/v1\n".utf8), "git lfs pull"),
            Impostor("old ggml", Array("tjgg".utf8) + [1, 0, 0, 0], "before GGUF"),
            Impostor("a ZIP archive", Array("PK\u{3}\u{4}".utf8) + [20, 0], "ZIP archive"),
            Impostor("ExecuTorch", [32, 0, 0, 0] + Array("ET12".utf8), "ExecuTorch"),
            Impostor("safetensors", [100, 1, 0, 0, 0, 0, 0, 0] + Array("{\"a\":1}".utf8), "safetensors"),
            Impostor("a reversed magic number", Array("FUGG".utf8) + [0, 0, 0, 3], "backwards"),
            Impostor("zeros", [UInt8](repeating: 0, count: 4096), "zeros"),
            Impostor("binary", [0xDE, 0xAD, 0x0E, 0xEF, 0], "DE AD 0E EF"),
        ]
    }

    @Test("A file that is something else is told what it seems to be", arguments: Impostor.all, [true, false])
    func impostors(impostor: Impostor, useMmap: Bool) throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            try TestFiles.write(impostor.bytes, to: path)
            let found = try #require(error { try GGUFFile.open(path: path, useMmap: useMmap) })
            #expect(found.code == .notGGUF)
            #expect(found.path == path)
            #expect(found.message.contains(impostor.says), "\(found)")
        }
    }

    @Test("A model cut off in its tensor data is refused however it is read", arguments: [true, false])
    func truncatedData(useMmap: Bool) throws {
        try TestFiles.withFolder { folder in
            let fixture = try Data(contentsOf: TestFiles.fixtures.appending(path: "qwen2.gguf"))
            let path = "\(folder)/model.gguf"
            try fixture.dropLast(fixture.count / 3).write(to: URL(filePath: path))
            let found = try #require(error { try GGUFFile.open(path: path, useMmap: useMmap) })
            #expect(found.code == .truncated)
            #expect(found.field != nil)
            #expect(found.message.contains("past the end of the file"))
        }
    }

    @Test("A sparse file that claims a terabyte is refused at once", arguments: [true, false])
    func sparse(useMmap: Bool) throws {
        try TestFiles.withFolder { folder in
            let path = "\(folder)/model.gguf"
            // An array of 2^36 empty strings, all of them in a hole of the file.
            let bytes = HeaderBytes.with(keys: 1) {
                $0.key("tokens", type: 9) {
                    $0.append(8 as UInt32); $0.append(UInt64(1) << 36)
                }
            }
            try TestFiles.write(bytes, to: path)
            guard truncate(path, 1 << 40) == 0 else { return }
            let found = try #require(error { try GGUFFile.open(path: path, useMmap: useMmap) })
            #expect(found.code == .limitExceeded || found.code == .outOfMemory, "\(found)")
            #expect(found.path == path)
        }
    }

    @Test("Metadata of a wrong type is named with what was found")
    func wrongTypes() throws {
        let metadata = try GGUFMetadata([
            ("text", "abc"), ("negative", .int32(-1)), ("list", .array(GGUFArray([1, 2] as [Int32]))), ("yes", true),
            ("huge", .uint64(.max)), ("half", .float32(0.5)),
        ])
        let cases: [(GGUFError?, [String])] = [
            (error { try metadata.uint("text") }, ["'text'", "integer", "the string \"abc\""]),
            (error { try metadata.uint("negative") }, ["'negative'", "non-negative", "int32 -1"]),
            (error { try metadata.int("huge") }, ["'huge'", "uint64 18446744073709551615"]),
            (error { try metadata.int("half") }, ["'half'", "float32 0.5"]),
            (error { try metadata.float("yes") }, ["'yes'", "number", "bool true"]),
            (error { try metadata.bool("negative") }, ["'negative'", "bool"]),
            (error { try metadata.string("list") }, ["'list'", "string", "array of 2 × int32"]),
            (error { try metadata.strings("list") }, ["'list'", "array of strings"]),
            (error { try metadata.ints("negative") }, ["'negative'", "array of integers"]),
            (error { try metadata.floats("text") }, ["'text'", "array of numbers"]),
            (error { try metadata.bools("list") }, ["'list'", "array of bools"]),
        ]
        for (found, phrases) in cases {
            let found = try #require(found)
            #expect(found.code == .wrongType)
            #expect(found.field != nil)
            for phrase in phrases { #expect(found.message.contains(phrase), "\(found)") }
        }
        #expect(try metadata.uint("absent") == nil)
        #expect(try metadata.strings("absent") == nil)
    }
}
