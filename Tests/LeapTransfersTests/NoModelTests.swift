import Foundation
import LeapBase
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Files that arrive whole and are no models.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct NoModelTests {
    static let content = Content(count: 300_000)
    static let pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "0", count: 64))\nsize 5\n"

    /// A file that is no model, which a server sends as a file of type octet-stream.
    enum Impostor: String, CaseIterable {
        case webPage, pointer, nothing, text, cutInTheHeader, cutInTheTensors, zeros, json

        var bytes: [UInt8] {
            switch self {
            case .webPage: Array("<!DOCTYPE html><html>Not found</html>".utf8)
            case .pointer: Array(NoModelTests.pointer.utf8)
            case .nothing: []
            case .text: Array("Rate limit exceeded".utf8)
            case .cutInTheHeader: Array(NoModelTests.content.bytes.prefix(40))
            case .cutInTheTensors: Array(NoModelTests.content.bytes.dropLast(1000))
            case .zeros: [UInt8](repeating: 0, count: 100_000)
            case .json: Array(#"{"error":"Entry not found"}"#.utf8)
            }
        }
    }

    private func serve(_ bytes: [UInt8], _ request: Request) -> Reply {
        let fields = [("ETag", "\"x\""), ("Content-Type", "application/octet-stream")]
        guard let range = request.range(size: bytes.count), !bytes.isEmpty else {
            return Reply(fields: fields, body: .bytes(bytes))
        }
        return Reply(
            status: 206,
            fields: fields + [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")],
            body: .bytes(Array(bytes[range])))
    }

    @Test(
        "What is no model is refused with a reason, and nothing of it stays", arguments: Impostor.allCases,
        [true, false])
    func impostors(impostor: Impostor, knowsHash: Bool) async throws {
        let bytes = impostor.bytes
        let fields = knowsHash ? [("x-linked-etag", "\"\(sha256(bytes))\"")] : []
        let bench = try Workbench { request in serve(bytes, request).with { $0.fields += fields } }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .notAModel, "\(error?.message ?? "")")
        #expect(bench.visibleModels.isEmpty && bench.partialFiles.isEmpty)
        #expect(bench.store.listUnfinished().isEmpty)
    }

    @Test("What is no model is not fetched to its end, in parts and in one piece", arguments: [true, false])
    func earlyRefusal(hasRanges: Bool) async throws {
        let bytes = [UInt8](repeating: 0x20, count: 32 << 20)
        let bench = try Workbench { request in
            (hasRanges ? serve(bytes, request) : Reply(body: .bytes(bytes))).with { $0.bytesPerSecond = 4 << 20 }
        }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .notAModel, "\(error?.message ?? "")")
        #expect(bench.server.bytesSent < bytes.count / 2, "\(bench.server.bytesSent)")
        #expect(bench.visibleModels.isEmpty && bench.partialFiles.isEmpty)
    }

    @Test("A header that arrives damaged is fetched once more")
    func damagedHeader() async throws {
        var damaged = Self.content.bytes
        damaged[0] = 0
        let answers = Locked(0)
        let bench = try Workbench { [damaged] request in
            // The first answer with bytes is damaged.
            let isFirst =
                request.range(size: damaged.count)?.count ?? 0 > 100
                && answers.withLock { count in
                    count += 1
                    return count == 1
                }
            return serve(isFirst ? damaged : Self.content.bytes, request)
        }
        #expect(try bench.bytes(try await bench.install()) == Self.content.bytes)
        #expect(answers.withLock { $0 } > 1)
    }

    @Test("A success without a file is refused", arguments: [201, 202, 204, 205])
    func noContent(status: Int) async throws {
        let bench = try Workbench({ $0.retry.attempts = 1 }) { _ in Reply(status: status) }
        #expect(await failure { try await bench.install() }?.code == .unexpectedStatus)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test(
        "A companion that is an LFS pointer or a web page is refused, whatever its name",
        arguments: [Impostor.pointer, .webPage, .nothing])
    func companions(impostor: Impostor) async throws {
        let bytes = impostor.bytes
        let bench = try Workbench { request in
            if request.path.hasSuffix(".json") {
                return .text(
                    """
                    {"schema_version":"1.0.0","inference_type":"llama.cpp/lfm2-audio-v1",
                     "load_time_parameters":{"model":"model.gguf","audio_tokenizer":"tokenizer.safetensors"}}
                    """)
            }
            return request.path.hasSuffix(".gguf") ? request.serve(Self.content) : serve(bytes, request)
        }
        let error = await failure { try await bench.store.install(.manifest(bench.server.url("/manifest.json"))) }
        #expect(error?.code == .notAModel)
        #expect(try bench.store.list().isEmpty)
    }

    @Test(
        "A model that was cut or removed after it was installed is told from an unfinished one",
        arguments: [true, false])
    func damagedLater(isCut: Bool) async throws {
        let bench = try Workbench { $0.serve(Self.content) }
        let model = try await bench.install()
        let path = try #require(model.path(.model))
        if isCut { truncate(path, 1000) } else { unlink(path) }
        #expect(try bench.store.list().isEmpty)
        #expect(bench.store.listUnfinished().map(\.bytes) == (isCut ? [1000] : []))
        let recorded = try #require(try bench.store.listRecorded().first)
        #expect(
            try bench.store.faults(recorded) == [
                isCut ? "model.gguf has 1000 of 300000 bytes" : "model.gguf is missing"
            ])
        #expect(try await bench.store.verify(recorded).map(\.name) == ["model.gguf"])
        #expect(try bench.bytes(try await bench.install()) == Self.content.bytes)
    }
}
