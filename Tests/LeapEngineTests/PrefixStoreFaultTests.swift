import Foundation
import LeapBase
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// An engine whose cache directory cannot be used: the text is the same, one line says why, and no page is deleted.
@Suite(.inTurns)
struct PrefixStoreFaultTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("prefix-fault-\(UUID().uuidString)")
            .path

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var pages: [String] {
            (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter {
                $0.contains("/")
            }
        }
    }

    private static func sequence(_ count: Int, seed: UInt64) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<512, using: &random) }
    }

    private static func request(_ count: Int, seed: UInt64) -> GenerationRequest {
        GenerationRequest(prompt: sequence(count, seed: seed), sampling: .greedy, maxTokens: 4)
    }

    private static func engine(_ folder: String?) throws -> SteppedEngine {
        try SteppedEngine("lfm2") { $0.prefixCacheFolder = folder }
    }

    /// Runs a generation and everything that is to be written for it.
    private static func run(_ engine: SteppedEngine, _ request: GenerationRequest) -> SteppedEngine.Running {
        let running = engine.start(request)
        engine.runToEnd()
        engine.core.flush()
        return running
    }

    private static func cold(_ request: GenerationRequest) throws -> [TokenID] {
        run(try engine(nil), request).tokens
    }

    @Test("A directory that is a file, below a file, or where none can be made costs one line")
    func noDirectory() throws {
        let folder = Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let file = folder.path + "/file"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        for path in [file, file + "/below", "/proc/none/here", "/dev/full", "/dev/null/cache"] {
            let engine = try Self.engine(path)
            for seed in 1...3 {
                let request = Self.request(100, seed: UInt64(seed))
                let running = Self.run(engine, request)
                #expect(try running.error == nil && running.tokens == Self.cold(request), "\(path)")
            }
            let notices = engine.notices.withLock { $0 }
            #expect(notices.count == 1 && notices.first?.contains(path) == true, "\(notices)")
            engine.core.unload()
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }

    @Test("A directory that is gone is not made again, and costs one line")
    func gone() throws {
        let folder = Folder()
        let engine = try Self.engine(folder.path)
        _ = Self.run(engine, Self.request(100, seed: 1))
        #expect(engine.notices.withLock { $0.isEmpty } && !folder.pages.isEmpty)
        try FileManager.default.removeItem(atPath: folder.path)
        for seed in 1...3 {
            let request = Self.request(100, seed: UInt64(seed))
            #expect(try Self.run(engine, request).tokens == Self.cold(request))
        }
        #expect(engine.notices.withLock { $0.count } == 1 && !FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("Pages that cannot be opened stay, what is before them counts, and one line says so")
    func unreadable() throws {
        let folder = Folder()
        let earlier = try Self.engine(folder.path)
        _ = Self.run(earlier, Self.request(200, seed: 1))
        earlier.core.unload()
        let pages = folder.pages
        let last = try #require(pages.filter { !$0.contains("-64-") }.first.map { folder.path + "/" + $0 })
        for page in pages where page.contains("-64-") {
            let path = folder.path + "/" + page
            try FileManager.default.removeItem(atPath: path)
            // A link that leads to itself: there is something of that name, and opening it fails.
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        }
        let engine = try Self.engine(folder.path)
        let request = Self.request(200, seed: 1)
        #expect(try Self.run(engine, request).tokens == Self.cold(request))
        #expect(Set(folder.pages) == Set(pages) && FileManager.default.fileExists(atPath: last))
    }

    @Test("What a newer version keeps beside ours stays as it is")
    func newerVersion() throws {
        let folder = Folder()
        let newer = folder.path + "/prefixes-\(PageFile.version + 1)"
        try FileManager.default.createDirectory(atPath: newer, withIntermediateDirectories: true)
        let earlier = try Self.engine(folder.path)
        _ = Self.run(earlier, Self.request(100, seed: 1))
        earlier.core.unload()
        let ours = folder.path + "/prefixes-\(PageFile.version)"
        let names = try FileManager.default.contentsOfDirectory(atPath: ours)
        for name in names {
            var data = try Data(contentsOf: URL(fileURLWithPath: ours + "/" + name))
            data[4] += 1  // the version, behind the four letters of the format
            try data.write(to: URL(fileURLWithPath: newer + "/" + name))
        }
        let engine = try Self.engine(folder.path)
        let request = Self.request(100, seed: 1)
        let running = Self.run(engine, request)
        #expect(try running.tokens == Self.cold(request) && running.result?.cachedPromptTokens ?? 0 >= 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: newer).sorted() == names.sorted())
        #expect(engine.notices.withLock { $0.isEmpty })
    }

    #if os(Linux)
        /// Runs a program to its end.
        private static func run(_ program: String, _ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        private static func mount(_ folder: String, size: String) -> Bool {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder])
        }

        private static func unmount(_ folder: String) { _ = run("/bin/umount", [folder]) }

        private static let canMount: Bool = {
            guard geteuid() == 0 else { return false }
            let folder = Folder()
            defer { unmount(folder.path) }
            return mount(folder.path, size: "64k")
        }()

        @Test(
            "A disk that is full keeps what fits as a whole, and costs one line",
            .enabled(if: canMount, "no right to mount a small file system"), arguments: ["4k", "64k", "1m"])
        func full(size: String) throws {
            let folder = Folder()
            #expect(Self.mount(folder.path, size: size))
            defer { Self.unmount(folder.path) }
            let engine = try Self.engine(folder.path + "/cache")
            for seed in 1...TestLevel.rounds(3, all: 12) {
                let request = Self.request(100, seed: UInt64(seed))
                let running = Self.run(engine, request)
                #expect(try running.error == nil && running.tokens == Self.cold(request))
            }
            let isLarge = size == "1m"
            #expect(engine.notices.withLock { $0.count } == (isLarge ? 0 : 1) || isLarge)
            #expect(!folder.pages.contains { $0.hasSuffix(".tmp") })
            #expect(
                engine.core.counters.statistics.diskCacheBytes
                    == Int(PrefixFolder(folder.path + "/cache").summary().bytes))
            // What is there is read.
            let again = Self.run(engine, Self.request(100, seed: 1))
            #expect(try again.tokens == Self.cold(Self.request(100, seed: 1)))
            if isLarge { #expect(again.result?.cachedPromptTokens ?? 0 >= 64) }
        }

        @Test(
            "A read-only disk is read, and costs one line",
            .enabled(if: canMount, "no right to mount a small file system"))
        func readOnly() throws {
            let folder = Folder()
            #expect(Self.mount(folder.path, size: "16m"))
            defer { Self.unmount(folder.path) }
            let earlier = try Self.engine(folder.path)
            _ = Self.run(earlier, Self.request(100, seed: 1))
            earlier.core.unload()
            let pages = Set(folder.pages)
            #expect(Self.run("/bin/mount", ["-o", "remount,ro", folder.path]))
            let engine = try Self.engine(folder.path)
            for seed in 1...3 {
                let request = Self.request(100, seed: UInt64(seed))
                let running = Self.run(engine, request)
                #expect(try running.error == nil && running.tokens == Self.cold(request))
                if seed == 1 { #expect(running.result?.cachedPromptTokens ?? 0 >= 64) }
            }
            #expect(engine.notices.withLock { $0.count } == 1 && Set(folder.pages) == pages && !pages.isEmpty)
        }

        #if compiler(>=6.2)
            @Test(
                "Where the process may open no more files, the text is the same, one line says so, and every page stays"
            )
            func noDescriptors() async {
                await #expect(processExitsWith: .success) { try Self.withoutDescriptors() }
            }

            /// Sets the limit of the whole process, which must be one of its own.
            private static func withoutDescriptors() throws {
                let folder = Folder()
                let earlier = try engine(folder.path)
                _ = run(earlier, request(200, seed: 1))
                earlier.core.unload()
                let pages = Set(folder.pages)
                let (known, new) = (request(200, seed: 1), request(150, seed: 2))
                let expected = try [cold(known), cold(new)]
                let other = try engine(folder.path)
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                var none = limit
                none.rlim_cur = 0
                guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0 else { exit(2) }
                let texts = [run(other, known).tokens, run(other, new).tokens]
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                guard texts == expected else { exit(3) }
                guard other.notices.withLock({ $0.count }) == 1 else { exit(4) }
                guard Set(folder.pages) == pages, !pages.isEmpty else { exit(5) }
                // With files again, everything goes on where it was.
                guard run(other, request(150, seed: 3)).error == nil, Set(folder.pages).count > pages.count else {
                    exit(6)
                }
                guard run(try engine(folder.path), known).result?.cachedPromptTokens ?? 0 >= 192 else { exit(7) }
            }
        #endif
    #endif
}
