import Foundation
import LeapGGUF
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapTransfers

/// The parts that transfers are put together from.
@Suite(.inServerTurns)
struct PartsTests {
    @Test("Sets of extents behave like sets of bytes", arguments: 0..<20 as Range<UInt64>)
    func extents(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var set = ExtentSet()
        var bytes = [Bool](repeating: false, count: 64)
        for _ in 0..<200 {
            let low = Int.random(in: 0..<64, using: &generator)
            let high = Int.random(in: low...64, using: &generator)
            let adds = Bool.random(using: &generator)
            if adds { set.insert(Int64(low)..<Int64(high)) } else { set.remove(Int64(low)..<Int64(high)) }
            for index in low..<high { bytes[index] = adds }
            #expect(set.count == Int64(bytes.filter { $0 }.count), "seed \(seed)")
            #expect(set.frontier == Int64(bytes.firstIndex(of: false) ?? 64), "seed \(seed)")
            let missing = set.missing(size: 64).flatMap { Array($0) }
            #expect(missing == (0..<64).filter { !bytes[$0] }.map(Int64.init), "seed \(seed)")
            #expect(
                zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "seed \(seed)")
        }
    }

    @Test("Failures are in a row until a connection, this one or another, brings more than a drip")
    func failureRow() {
        var row = FailureRow(connections: 3, minimumBytes: 1000, written: 0)
        row.failed(.connection, own: 0, written: 0)
        row.failed(.connection, own: 999, written: 1999)
        #expect(row.count == 2, "500 bytes of each other connection")
        row.failed(.connection, own: 1000, written: 2999)
        #expect(row.count == 1, "its own bytes")
        row.failed(.answer, own: 0, written: 9999)
        #expect(row.count == 2, "a wrong answer does not become right elsewhere")
        row.failed(.connection, own: 0, written: 12_999)
        #expect(row.count == 1, "1500 bytes of each other connection")
        row.failed(.stall, own: 0, written: 22_999)
        #expect(row.count == 2, "5000 bytes of each other connection are little after a silence")
        row.failed(.expiry, own: 0, written: 22_999)
        #expect(row.count == 2)
        row.failed(.stall, own: 0, written: 55_000)
        #expect(row.count == 1)
        row.succeeded()
        #expect(row.count == 0)
        var alone = FailureRow(connections: 1, minimumBytes: .max, written: 0)
        alone.failed(.stall, own: 5, written: 5)
        #expect(alone.count == 1)
    }

    @Test(
        "Content-Range",
        arguments: [
            ("bytes 0-0/10", 0..<1, 10), ("bytes 5-9/*", 5..<10, nil), ("bytes */0", nil, 0), ("BYTES 1-2/3", 1..<3, 3),
        ] as [(String, Range<Int64>?, Int64?)])
    func contentRange(text: String, range: Range<Int64>?, total: Int64?) {
        let parsed = ContentRange(text)
        #expect(parsed != nil)
        #expect(parsed?.range == range)
        #expect(parsed?.total == total)
    }

    @Test(
        "What is no Content-Range",
        arguments: [
            "", "bytes", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-2/3", "items 0-1/2",
            "bytes 0-9223372036854775807/*", "bytes a-b/c", "bytes 1/2",
        ])
    func noContentRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("Retry-After as seconds and as a date")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        #expect(RetryAfter.seconds("120") == 120)
        #expect(RetryAfter.seconds("Wed, 21 Oct 2015 07:28:30 GMT", now: now) == 30)
        #expect(RetryAfter.seconds("Wed, 21 Oct 2015 07:00:00 GMT", now: now) == 0)
        for text in ["-1", "soon", ""] { #expect(RetryAfter.seconds(text) == nil) }
    }

    @Test("A date in Retry-After is compared with the server's own clock")
    func retryAfterDate() {
        let head = HTTPHead(
            status: 503,
            fields: [("Date", "Wed, 21 Oct 2015 07:28:00 GMT"), ("Retry-After", "Wed, 21 Oct 2015 07:28:45 GMT")])
        #expect(RetryAfter.seconds(head) == 45)
        #expect(RetryAfter.seconds(HTTPHead(status: 503, fields: [("Date", "today"), ("Retry-After", "7")])) == 7)
    }

    @Test("After a crash of the system, only what was forced to the disk is trusted; after another file, nothing")
    func crashes() throws {
        let url = try #require(URL(string: "https://h/model.gguf"))
        let file = RemoteFile(origin: url, name: "model.gguf")
        let description = RemoteDescription(location: url, size: 1000, acceptsRanges: true, validator: "\"v\"")
        var journal = TransferJournal(
            origin: TransferJournal.key(of: url), size: 1000, validator: "\"v\"", sha256: nil,
            boot: BootIdentity.current, written: [[0, 500], [600, 700]], synchronized: [[0, 300]])
        func trusted(_ size: Int64 = 1000) -> Int64 {
            journal.trusted(for: file, description, partialSize: size).count
        }
        #expect(trusted() == 600)
        // The journal is ahead of the file: nothing in it can be right.
        #expect(trusted(650) == 0)
        journal.boot = "another run of the system"
        #expect(trusted() == 300)
        journal.boot = nil
        #expect(trusted() == 300)
        journal.synchronized = [[300, 100]]
        #expect(trusted() == 0)
        journal.synchronized = [[0, 300]]
        journal.validator = "\"w\""
        #expect(trusted() == 0)
        journal.validator = nil
        #expect(trusted() == 0)
    }

    @Test("Of two journals the later one counts, and a torn one does not")
    func journals() throws {
        let path = NSTemporaryDirectory() + "leap-journal-" + UUID().uuidString
        defer { unlink(path) }
        let file = try JournalFile(path, keeps: false)
        func journal(_ sequence: Int, ranges: Int) -> TransferJournal {
            TransferJournal(
                sequence: sequence, origin: "o", size: 1_000_000, validator: "v", sha256: nil, boot: nil,
                written: (0..<Int64(ranges)).map { [$0 * 10, $0 * 10 + 5] }, synchronized: [])
        }
        #expect(TransferJournal.load(path) == nil)
        // Long ones and short ones over each other, and one that does not fit.
        for (sequence, ranges) in [(1, 1), (2, 900), (3, 400), (4, 2), (5, 0), (6, 330)] {
            try file.save(journal(sequence, ranges: ranges))
            #expect(TransferJournal.load(path) == journal(sequence, ranges: ranges))
        }
        try file.save(journal(7, ranges: 100_000))
        #expect(TransferJournal.load(path) == journal(6, ranges: 330))
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for damage in [3, 200, 1000] {
            bytes[damage] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(TransferJournal.load(path) == journal(5, ranges: 0))
            bytes[damage] ^= 1
        }
    }

    @Test("A lock is held by one, and seen by others")
    func locks() throws {
        let path = NSTemporaryDirectory() + "leap-lock-" + UUID().uuidString
        defer { unlink(path) }
        #expect(!FileLock.isHeld(path))
        let lock = try #require(try FileLock.attempt(path))
        #expect(FileLock.isHeld(path))
        #expect(try FileLock.attempt(path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test("Mirrors: the library is looked for under the endpoint's own path")
    func mirrors() throws {
        for text in ["https://mirror.example/hf", "https://mirror.example/hf/"] {
            let endpoint = try #require(URL(string: text))
            let urls = ModelResolver.manifestURLs(model: "LFM2-1.2B", quantization: "Q4_0", endpoint: endpoint)
            #expect(
                urls.map(\.absoluteString) == [
                    "https://mirror.example/hf/LiquidAI/LeapBundles/resolve/main/LFM2-1.2B-GGUF/Q4_0.json",
                    "https://mirror.example/hf/LiquidAI/LFM2-1.2B-GGUF/resolve/main/leap/Q4_0.json",
                ])
            for url in urls {
                #expect(
                    ModelReference.manifest(url, endpoint: endpoint)
                        == .library(model: "LFM2-1.2B", quantization: "Q4_0"), "\(url)")
            }
        }
    }

    @Test("Hashes in header fields")
    func digests() {
        let zero = Data(repeating: 0, count: 32).base64EncodedString()
        #expect(DigestFields.sha256("sha-512=:AA==:, sha-256=:\(zero):") == String(repeating: "0", count: 64))
        #expect(DigestFields.sha256("sha-256=:AAAA:") == nil)
        let tag = String(repeating: "Ab", count: 32)
        #expect(DigestFields.linkedSHA256("\"\(tag)\"") == tag.lowercased())
        #expect(DigestFields.linkedSHA256("W/\"\(tag)\"") == tag.lowercased())
        #expect(DigestFields.linkedSHA256("\"0123456789abcdef0123456789abcdef01234567\"") == nil)
    }

    @Test("Names of models")
    func references() throws {
        let endpoint = try #require(URL(string: "https://huggingface.co"))
        func parse(_ text: String) throws -> ModelReference { try ModelReference.parse(text, endpoint: endpoint) }
        #expect(try parse("LFM2-1.2B") == .library(model: "LFM2-1.2B", quantization: "Q4_K_M"))
        #expect(try parse("LFM2-1.2B:Q8_0") == .library(model: "LFM2-1.2B", quantization: "Q8_0"))
        #expect(try parse("hf:a/b:Q4_0") == .repository(owner: "a", name: "b", quantization: "Q4_0", revision: "main"))
        for text in [
            "a/b:Q4_0", "hf.co/a/b:Q4_0", "huggingface.co/a/b:Q4_0", "HF.co/a/b:Q4_0",
            "https://huggingface.co/a/b:Q4_0",
            "https://hf.co/a/b:Q4_0",
        ] {
            #expect(try parse(text) == parse("hf:a/b:Q4_0"), "\(text)")
        }
        for text in [
            "hf.co/a/b", "hf.co/a/b:latest", "https://huggingface.co/a/b", "https://huggingface.co/a/b/tree/main",
        ] {
            #expect(try parse(text) == parse("hf:a/b"), "\(text)")
        }
        #expect(try parse("https://hf.co/a/b/tree/v1") == parse("hf:a/b@v1"))
        #expect(try parse("hf:a/b@v1:Q4_0") == .repository(owner: "a", name: "b", quantization: "Q4_0", revision: "v1"))
        #expect(
            try parse("https://huggingface.co/LiquidAI/LeapBundles/resolve/main/LFM2-1.2B-GGUF/Q4_0.json")
                == .library(model: "LFM2-1.2B", quantization: "Q4_0"))
        #expect(
            try parse("https://huggingface.co/LiquidAI/LFM2-1.2B-GGUF/resolve/main/leap/Q4_0.json")
                == .library(model: "LFM2-1.2B", quantization: "Q4_0"))
        // People copy the address of the page about a file.
        #expect(
            try parse("https://huggingface.co/o/r/blob/main/a/m.gguf")
                == .file(try #require(URL(string: "https://huggingface.co/o/r/resolve/main/a/m.gguf"))))
        #expect(
            try parse("https://example.org/o/r/blob/main/m.gguf")
                == .file(try #require(URL(string: "https://example.org/o/r/blob/main/m.gguf"))))
        let other = try #require(URL(string: "https://example.org/m.json"))
        #expect(try parse(other.absoluteString) == .manifest(other))
        for text in [
            "", "a:b:c/d", "hf.co/a", "hf.co/a/b/c", "https://huggingface.co/a",
            "https://huggingface.co/a/b/blob/main/x.txt",
            "https://example.org/a/b", "hf:a", "hf:a/b/c:Q4_0", "../x", "a b", "https://example.org/page.html",
            "ftp://h/m.gguf",
        ] {
            #expect(throws: DownloadError.self, "\(text)") { try parse(text) }
        }
        for reference in [try parse("hf:a/b:Q4_0"), try parse("LFM2-1.2B"), try parse("https://h/../../x.gguf")] {
            #expect(!reference.folder.outer.contains("/") && !reference.folder.inner.contains("/"))
        }
    }

    @Test("The files of a quantization in a repository")
    func selection() throws {
        func entries(_ names: String...) -> [RepositoryListing.ListedFile] {
            names.map { .init(path: $0, size: 1, sha256: nil) }
        }
        let vision = entries(
            "README.md", "LFM2-VL-1.6B-F16.gguf", "LFM2-VL-1.6B-Q4_0.gguf", "LFM2-VL-1.6B-Q8_0.gguf",
            "mmproj-LFM2-VL-1.6B-F16.gguf", "mmproj-LFM2-VL-1.6B-Q8_0.gguf")
        let first = try GGUFSelection(vision, quantization: "q4_0", repository: "r")
        #expect(first.model.map(\.path) == ["LFM2-VL-1.6B-Q4_0.gguf"])
        #expect(first.projector?.path == "mmproj-LFM2-VL-1.6B-F16.gguf")
        #expect(
            try GGUFSelection(vision, quantization: "Q8_0", repository: "r").projector?.path
                == "mmproj-LFM2-VL-1.6B-Q8_0.gguf")
        let audio = entries(
            "LFM2-Audio-1.5B-Q8_0.gguf", "mmproj-audioencoder-LFM2-Audio-1.5B-Q8_0.gguf",
            "audiodecoder-LFM2-Audio-1.5B-Q8_0.gguf")
        let second = try GGUFSelection(audio, quantization: "Q8_0", repository: "r")
        #expect(second.model.map(\.path) == ["LFM2-Audio-1.5B-Q8_0.gguf"])
        #expect(second.audioDecoder?.path.hasPrefix("audiodecoder") == true)
        let split = entries(
            "Q4_K_M/b-Q4_K_M-00002-of-00002.gguf", "Q4_K_M/b-Q4_K_M-00001-of-00002.gguf", "b-IQ4_K_M.gguf")
        #expect(
            try GGUFSelection(split, quantization: "Q4_K_M", repository: "r").model.map(\.path)
                == ["Q4_K_M/b-Q4_K_M-00001-of-00002.gguf", "Q4_K_M/b-Q4_K_M-00002-of-00002.gguf"])
        #expect(throws: DownloadError.self) {
            try GGUFSelection(Array(split.prefix(1)), quantization: "Q4_K_M", repository: "r")
        }
        #expect(throws: DownloadError.self) {
            try GGUFSelection(entries("README.md"), quantization: "Q4_0", repository: "r")
        }
        #expect(!ModelFileRole.has("Q4_K", "x-Q4_K_M.gguf"))
        #expect(ModelFileRole.has("Q4_K_M", "x.q4_k_m.gguf"))
    }

    @Test(
        "What goes with a model is never taken for it, whatever it is called and wherever it lies",
        arguments: [
            (["mtp-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["Model-Q8_0-draft.gguf", "Model-12B-it-long-Q8_0.gguf"], "Model-12B-it-long-Q8_0.gguf"),
            (["Model-lora-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["MTP/M-Q8_0-MTP.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["drafts/M-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["M-DSpark-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["M.dflash-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["gemma-4-E4B-it-assistant-Q8_0.gguf", "gemma-4-E4B-it-long-Q8_0.gguf"], "gemma-4-E4B-it-long-Q8_0.gguf"),
            (["Home-assistant-3B-Q8_0.gguf"], "Home-assistant-3B-Q8_0.gguf"),
            (["M.eagle3.Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["loras/M-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["imatrix-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["M-mmproj-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["M.mmproj-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            (["vocoder-Q8_0.gguf", "tokenizer-Q8_0.gguf", "Model-12B-it-Q8_0.gguf"], "Model-12B-it-Q8_0.gguf"),
            // Models whose own names have such words.
            (["Model-lora-merged-Q8_0.gguf"], "Model-lora-merged-Q8_0.gguf"),
            (["Model-imatrix-Q8_0.gguf"], "Model-imatrix-Q8_0.gguf"),
            (["Eagle-7B-Q8_0.gguf"], "Eagle-7B-Q8_0.gguf"),
            (["mtp-Q8_0.gguf", "Eagle-7B-MTP-Q8_0.gguf"], "Eagle-7B-MTP-Q8_0.gguf"),
            // The quantization in the name of a folder, where the file's name has none.
            (["Q8_0/model.gguf", "Q4_0/model.gguf"], "Q8_0/model.gguf"),
            (["UD-Q8_0/Model-00001-of-00001.gguf", "Q4_0/m.gguf"], "UD-Q8_0/Model-00001-of-00001.gguf"),
            (["Q8_0/model-Q4_0.gguf", "q8_0/model-of-it.gguf"], "q8_0/model-of-it.gguf"),
        ])
    func companions(names: [String], model: String) throws {
        let entries = names.map { RepositoryListing.ListedFile(path: $0, size: 1, sha256: nil) }
        for entries in [entries, entries.reversed()] {
            let selection = try GGUFSelection(entries, quantization: "Q8_0", repository: "o/Eagle-7B-MTP-GGUF")
            #expect(selection.model.map(\.path) == [model])
        }
    }

    @Test("A repository without a model of the quantization says what it has")
    func missing() throws {
        for (names, words) in [
            (["mtp-Q8_0.gguf", "M-Q4_0.gguf"], "there is no Q8_0; there are Q4_0"),
            (["M-lora-Q8_0.gguf", "mmproj-M-Q8_0.gguf"], "no model, only companion files (M-lora-Q8_0.gguf"),
            (["Q4_0/model.gguf", "M-F16.gguf"], "there are F16, Q4_0"),
        ] {
            let entries = names.map { RepositoryListing.ListedFile(path: $0, size: 1, sha256: nil) }
            let error = #expect(throws: DownloadError.self) {
                try GGUFSelection(entries, quantization: "Q8_0", repository: "o/r")
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Where a text is a path and where a repository")
    func places() throws {
        let endpoint = try #require(URL(string: "https://huggingface.co"))
        for text in ["o/r:Q4_K_M", "o/r@v1:Q4_K_M", "hf.co/o/r", "hf.co/o/r:Q8_0", "hf:o/r", "https://hf.co/o/r"] {
            guard case .model(.repository(let owner, let name, _, _)) = try ModelPlace.of(text, endpoint: endpoint)
            else {
                Issue.record("\(text) is no repository")
                continue
            }
            #expect(owner == "o" && name == "r", "\(text)")
        }
        for text in [
            "o/r", "./o/r:Q4_K_M", "../r:Q4", "~/r:Q4", "a/b/c:Q4_0", "/o/r:Q4_0", "o/m.gguf", "o/r:x.gguf", "o/:Q4",
        ] {
            guard case .path = try ModelPlace.of(text, endpoint: endpoint) else {
                Issue.record("\(text) is no path")
                continue
            }
        }
    }

    @Test("A repository that is listed on several pages, with a model in parts")
    func repository() async throws {
        let content = Content(count: 50_000)
        let bench = try Workbench { request in
            switch request.target {
            case "/api/models/o/r/tree/main?recursive=true":
                .text(
                    #"[{"type":"directory","path":"x"},{"type":"file","path":"m-Q4_0-00001-of-00002.gguf","size":9,"lfs":{"size":50000}}]"#,
                    fields: [("Link", "</api/models/o/r/tree/main?recursive=true&cursor=2>; rel=\"next\"")])
            case "/api/models/o/r/tree/main?recursive=true&cursor=2":
                .text(#"[{"type":"file","path":"m-Q4_0-00002-of-00002.gguf","size":50000}]"#)
            case let target where target.hasPrefix("/o/r/resolve/main/m-Q4_0-0000"): request.serve(content)
            default: Reply(status: 404)
            }
        }
        let model = try await bench.store.install(
            .repository(owner: "o", name: "r", quantization: "Q4_0", revision: "main"))
        #expect(model.files.map(\.name) == ["m-Q4_0-00001-of-00002.gguf", "m-Q4_0-00002-of-00002.gguf"])
        #expect(model.name == "hf:o/r:Q4_0")
    }
}
