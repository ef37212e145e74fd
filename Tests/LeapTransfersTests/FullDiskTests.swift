import Foundation
import LeapTestSupport
import LeapTransfers
import MisbehavingServer
import Testing

#if os(Linux)
    /// A disk that fills up half-way: a small memory file system, where one may be mounted.
    @Suite(.serialized, .timeLimit(.minutes(30)))
    struct FullDiskTests {
        @Test(
            "A full disk is an error that says so, and leaves nothing visible",
            .enabled(if: SmallDisk.canMount, "no right to mount a small file system"))
        func full() async throws {
            let disk = try #require(SmallDisk(byteCount: 2 << 20))
            defer { withExtendedLifetime(disk) {} }
            let folder = disk.folder
            let content = Content(count: 6 << 20)
            // Without a length nobody can tell beforehand.
            let bench = try Workbench({ $0.folder = folder }) { _ in
                Reply(body: .content(content, 0..<content.count)).with { $0.hidesLength = true }
            }
            let error = await failure { try await bench.install() }
            #expect(error?.code == .insufficientSpace)
            let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            #expect(!names.contains { $0.hasSuffix(".gguf") || $0.hasSuffix("manifest.json") })
            // With a length the first byte is not even asked for.
            let known = try Workbench({ $0.folder = folder }) { $0.serve(content) }
            let early = await failure { try await known.install() }
            #expect(early?.code == .insufficientSpace)
            #expect(early?.needed ?? 0 > early?.available ?? 0)
            #expect(known.server.bytesSent <= 1)
        }

        @Test(
            "A disk that fills up half-way costs nothing that is there already",
            .enabled(if: SmallDisk.canMount, "no right to mount a small file system"))
        func fillsUp() async throws {
            let disk = try #require(SmallDisk(byteCount: 2 << 20))
            defer { withExtendedLifetime(disk) {} }
            let folder = disk.folder
            let content = Content(count: 1_500_000)
            let filler = folder + "/filler"
            let bench = try Workbench({
                $0.folder = folder
                $0.connections = 1
                $0.longestRange = 200_000
            }) { request in
                // Somebody else fills the disk once half of the file is there.
                if request.index == 4 {
                    _ = FileManager.default.createFile(atPath: filler, contents: nil)
                    let handle = FileHandle(forWritingAtPath: filler)
                    while (try? handle?.write(contentsOf: Data(count: 4096))) != nil {}
                }
                return request.serve(content)
            }
            let error = await failure { try await bench.install() }
            #expect(error?.code == .insufficientSpace)
            #expect(error?.message.contains("continues where it stopped") == true)
            #expect(bench.visibleModels.isEmpty)
            let before = bench.server.bytesSent
            try FileManager.default.removeItem(atPath: filler)
            #expect(try bench.bytes(try await bench.install()) == content.bytes)
            #expect(bench.server.bytesSent - before < content.count)
        }

        @Test(
            "A read-only disk is an error that names it",
            .enabled(if: SmallDisk.canMount, "no right to mount a small file system"))
        func readOnly() async throws {
            let disk = try #require(SmallDisk(byteCount: 2 << 20))
            defer { withExtendedLifetime(disk) {} }
            let folder = disk.folder
            let content = Content(count: 100_000)
            let bench = try Workbench({ $0.folder = folder + "/models" }) { $0.serve(content) }
            let model = try await bench.install()
            #expect(disk.makeReadOnly())
            let error = await failure { try await bench.install("/other.gguf") }
            #expect(error?.code == .fileSystem)
            #expect(error?.message.contains(folder) == true)
            // What is there can still be used.
            #expect(try await bench.install().files == model.files)
        }
    }
#endif
