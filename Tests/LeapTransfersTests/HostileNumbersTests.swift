import Foundation
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapTransfers

/// Numbers near the ends of what 64 bits hold, wherever a server or a file on disk may say one.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct HostileNumbersTests {
    let content = Content(count: 200_000)

    static let numbers = [
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "1125899906842625", "-1", "1e3", "٣",
        String(repeating: "9", count: 400),
    ]

    @Test("A size in Content-Range that no file has is refused", arguments: numbers)
    func contentRange(number: String) async throws {
        let content = content
        let bench = try Workbench { request in
            Reply(
                status: 206, fields: [("ETag", "\"one\""), ("Content-Range", "bytes 0-0/\(number)")],
                body: .content(content, 0..<1))
        }
        #expect(await failure { try await bench.install() }?.code == .protocolViolation)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A size in Content-Length that no file has is refused", arguments: numbers.prefix(4))
    func contentLength(number: String) async throws {
        let bench = try Workbench({ $0.retry.attempts = 1 }) { _ in
            Reply(fields: [("Content-Length", number)], body: .bytes(Array("GGUF".utf8)))
        }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .protocolViolation || error?.code == .network, "\(error?.message ?? "")")
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A size in X-Linked-Size that no file has is refused", arguments: numbers)
    func linkedSize(number: String) async throws {
        let content = content
        let bench = try Workbench { $0.serve(content, fields: [("X-Linked-Size", number)]) }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains("x-linked-size") == true)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A size in the list of a repository that no file has is refused", arguments: ["9223372036854775807", "-5"])
    func listing(number: String) async throws {
        let content = content
        let bench = try Workbench { request in
            request.path.hasPrefix("/api/")
                ? .text(
                    """
                    [{"type":"file","path":"m-Q4_0-00001-of-00002.gguf","size":\(number)},
                     {"type":"file","path":"m-Q4_0-00002-of-00002.gguf","size":1,"lfs":{"size":\(number)}}]
                    """) : request.serve(content)
        }
        let error = await failure {
            try await bench.store.install(.repository(owner: "o", name: "r", quantization: "Q4_0", revision: "main"))
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains(number) == true)
    }

    @Test(
        "A Retry-After without measure ends the transfer with a message",
        arguments: ["9223372036854775807", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func retryAfter(text: String) async throws {
        let bench = try Workbench { _ in Reply(status: 503, fields: [("Retry-After", text)]) }
        let error = await failure { try await bench.install() }
        #expect(error?.message.contains("a year or more") == true, "\(error?.message ?? "")")
        #expect(bench.server.requests.count == 1)
    }

    @Test(
        "Ranges that do not fit what was asked for do no harm",
        arguments: ["0-9223372036854775807", "9223372036854775806-9223372036854775807"])
    func ranges(range: String) async throws {
        let content = content
        let bench = try Workbench({ $0.retry.attempts = 2 }) { request in
            guard request.index > 0 else { return request.serve(content) }
            return Reply(
                status: 206, fields: [("ETag", "\"one\""), ("Content-Range", "bytes \(range)/*")],
                body: .content(content, 0..<100))
        }
        #expect(await failure { try await bench.install() }?.code == .protocolViolation)
    }

    @Test("Sizes in our own manifests and journals are checked, too: anybody may write there")
    func onDisk() async throws {
        let content = content
        let bench = try Workbench { $0.serve(content) }
        let folder = bench.folder + "/a/b"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = #"{"name":"m.gguf","size":9223372036854775807,"source":""}"#
        try Data(
            """
            {"schema_version":"1.0.0","inference_type":"llama.cpp/text-to-text","load_time_parameters":{"model":"m.gguf"},
             "open_leap":{"files":[\(file),\(file)]}}
            """.utf8
        ).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        #expect(try bench.store.list().isEmpty)
        #expect(try bench.store.listRecorded().isEmpty)
        let journal = try JournalFile(folder + "/m.gguf" + JournalFile.suffix, keeps: false)
        try journal.save(
            TransferJournal(
                origin: "", size: .max, validator: nil, sha256: nil, boot: nil,
                written: [[.min, .max], [0, .max], [1, .max]], synchronized: []))
        #expect(bench.store.listUnfinished().isEmpty)
        #expect(try await bench.store.cleanUp(toBytes: 0).isEmpty)
    }

    @Test("A context of any length can be asked about")
    func context() async throws {
        let bench = try Workbench { [content] in $0.serve(content) }
        let fit = try await bench.store.fit(bench.model, contextSize: .max)
        #expect(fit.keyValueBytes >= 0)
    }
}
