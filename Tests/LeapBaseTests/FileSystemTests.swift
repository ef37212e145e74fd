import Foundation
import LeapBase
import Testing

struct FileSystemTests {
    /// A folder of its own for each test, deleted with it.
    final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("leap-base-\(UUID())").path

        init() throws { try FileSystem.makeFolder(path) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    @Test("A file appears whole or not at all")
    func publication() throws {
        let folder = try Folder()
        let path = folder.path + "/a"
        try FileSystem.publish(Array("old".utf8), at: path, durable: true)
        let file = try FilePublication(path: path)
        try Array("new".utf8).withUnsafeBytes { try file.append($0) }
        #expect(try FileSystem.read(path, limit: 10) == Array("old".utf8))
        #expect(file.byteCount == 3)
        try Array("er".utf8).withUnsafeBytes { try file.append($0) }
        try file.publish(durable: false)
        #expect(try FileSystem.read(path, limit: 10) == Array("newer".utf8))
        #expect(folder.names == ["a"])
    }

    @Test("What is not published leaves nothing")
    func abandoned() throws {
        let folder = try Folder()
        do {
            let file = try FilePublication(path: folder.path + "/a")
            try Array("x".utf8).withUnsafeBytes { try file.append($0) }
            #expect(folder.names.count == 1)
        }
        #expect(folder.names.isEmpty)
    }

    @Test("Writers of one path do not write into each other's file")
    func concurrentWriters() async throws {
        let folder = try Folder()
        let path = folder.path + "/a"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<16 as Range<UInt8> {
                group.addTask {
                    let bytes = [UInt8](repeating: writer, count: 100_000)
                    try FileSystem.publish(bytes, at: path, durable: false)
                }
            }
            try await group.waitForAll()
        }
        let bytes = try #require(try FileSystem.read(path, limit: 1 << 20))
        #expect(bytes.count == 100_000 && Set(bytes).count == 1)
        #expect(folder.names == ["a"])
    }

    @Test("A folder in the way, a missing folder and a long file are errors that name the path and the reason")
    func failures() throws {
        let folder = try Folder()
        try FileSystem.makeFolder(folder.path + "/taken/inside")
        let blocked = #expect(throws: FileSystemError.self) {
            try FileSystem.publish([1], at: folder.path + "/taken", durable: false)
        }
        #expect(blocked?.path == folder.path + "/taken" && blocked?.number == EISDIR)
        #expect(folder.names == ["taken"])
        let missing = #expect(throws: FileSystemError.self) {
            try FileSystem.publish([1], at: folder.path + "/no/file", durable: false)
        }
        #expect(missing?.number == ENOENT && missing?.description.contains("/no/file") == true)
        try FileSystem.publish([1, 2, 3], at: folder.path + "/three", durable: false)
        #expect(try FileSystem.read(folder.path + "/three", limit: 3) == [1, 2, 3])
        let long = #expect(throws: FileSystemError.self) { try FileSystem.read(folder.path + "/three", limit: 2) }
        #expect(long?.number == EFBIG)
        #expect(try FileSystem.read(folder.path + "/none", limit: 2) == nil)
        #expect(try FileSystem.read(folder.path + "/three/none", limit: 2) == nil)
        #expect(throws: FileSystemError.self) { try FileSystem.makeFolder(folder.path + "/three/deeper") }
    }

    @Test("Reads and writes name their place, and end at the file's end")
    func places() throws {
        let folder = try Folder()
        let file = try OpenFile(folder.path + "/a", .updating)
        try [UInt8](1...8).withUnsafeBytes { try file.write($0, at: 4) }
        #expect(try file.status().byteCount == 12 && file.status().isRegular)
        var buffer = [UInt8](repeating: 9, count: 10)
        #expect(try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 2) } == 10)
        #expect(buffer == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 9) } == 3)
        try file.truncate(to: 5)
        try file.synchronize()
        #expect(FileSystem.size(of: folder.path + "/a") == 5)
    }

    @Test("No child process inherits an open file")
    func closeOnExec() throws {
        let folder = try Folder()
        let file = try OpenFile(folder.path + "/a", .updating)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("Symbolic links are not followed where files are made")
    func links() throws {
        let folder = try Folder()
        try FileSystem.publish([1], at: folder.path + "/target", durable: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/target")
        #expect(FileSystem.isLink(folder.path + "/link") && !FileSystem.isLink(folder.path + "/target"))
        #expect(throws: FileSystemError.self) { try OpenFile(folder.path + "/link", .updating) }
        #expect(throws: FileSystemError.self) { try OpenFile(folder.path + "/link", .readingUnlinked) }
        // Publication replaces the link, not what it leads to.
        try FileSystem.publish([2], at: folder.path + "/link", durable: false)
        #expect(try FileSystem.read(folder.path + "/target", limit: 9) == [1])
        #expect(!FileSystem.isLink(folder.path + "/link"))
    }

    @Test("A folder's files are listed with size and time, without folders")
    func listing() throws {
        let folder = try Folder()
        try FileSystem.publish([1, 2], at: folder.path + "/a", durable: false)
        try FileSystem.makeFolder(folder.path + "/b")
        let entries = FileSystem.files(in: folder.path)
        #expect(entries.map(\.name) == ["a"] && entries.first?.byteCount == 2)
        let modified = try #require(entries.first?.modified)
        #expect(abs(Double(modified) / 1e9 - Date().timeIntervalSince1970) < 3600)
        #expect(FileSystem.files(in: folder.path + "/none").isEmpty)
    }

    @Test(
        "The folder of a path",
        arguments: [
            ("/a/b", "/a"), ("/a", "/"), ("a/b", "a"), ("/a/b//", "/a"), ("/", nil), ("a", nil), ("", nil),
        ])
    func parents(path: String, expected: String?) {
        #expect(FileSystem.parent(of: path) == expected)
    }

    @Test("Free space is asked of the nearest folder that exists")
    func space() throws {
        let folder = try Folder()
        #expect(try #require(FileSystem.availableSpace(at: folder.path + "/not/yet")) > 0)
    }
}
