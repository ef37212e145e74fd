import Foundation
import LeapBase
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// The file of responses and conversations.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct StoreFileTests {
    /// A folder of its own, removed with the last reference.
    private final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "store-" + UUID().uuidString
            try FileSystem.makeFolder(path)
        }

        var file: String { path + "/state.jsonl" }

        var bytes: [UInt8] {
            get throws { try Array(Data(contentsOf: URL(fileURLWithPath: file))) }
        }

        func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func conversation(_ texts: String...) -> StoredConversation {
        var conversation = StoredConversation(created: 7, metadata: ["a": "b"])
        conversation.append(texts.map { .object(["id": .string($0), "text": .string($0)]) }, [])
        return conversation
    }

    private static func response(_ status: String) -> StoredResponse {
        StoredResponse(
            document: .object(["status": .string(status), "output": .array([])]), items: [.object(["id": "i"])])
    }

    /// Returns why a store cannot be opened; "" where it can.
    ///
    /// - Parameter lockTimeout: how long another user of the file is waited for.
    private func reason(_ file: String, lockTimeout: Duration = .seconds(60)) async -> String {
        do {
            _ = try await open(file, lockTimeout: lockTimeout)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// Opens a store whose last user may still be about to close it, on a thread of its own.
    private func open(
        _ file: String, lockTimeout: Duration = .seconds(60), write: @escaping StoreFile.Write = StoreFile.plainWrite
    ) async throws -> StateStore {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try StateStore(file: file, lockTimeout: lockTimeout, write: write) })
            }
        }
    }

    @Test("A store whose user is about to end is waited for, also where the file was written anew meanwhile")
    func waiting() async throws {
        let folder = try Folder()
        let held = try OpenFile(folder.file, .updating)
        #expect(StoreLock.take(held, until: .now))
        #expect(await reason(folder.file, lockTimeout: .milliseconds(1)).contains("another server"))
        let file = folder.file
        let opened = Task { try await open(file) }
        // As a server does that writes its file anew.
        let fresh = try OpenFile(folder.file + ".new", .creating)
        try fresh.write(
            StoreFile.header + StoreFile.line(StateChange.put("conv_1", .conversation(Self.conversation("a"))).json),
            at: 0)
        try FileSystem.rename(folder.file + ".new", to: folder.file)
        _ = flock(held.descriptor, LOCK_UN)
        #expect(try await opened.value.conversation("conv_1") != nil)
    }

    @Test("What is kept is there again, as it was last")
    func again() async throws {
        let folder = try Folder()
        do {
            let store = try await open(folder.file)
            store.keep("conv_1", Self.conversation("a"))
            store.keep("conv_2", Self.conversation("b"))
            store.keep("resp_1", Self.response("completed"))
            store.keep("resp_2", Self.response("in_progress"))
            store.keep("resp_3", Self.response("in_progress"))
            store.finish("resp_3", Self.response("cancelled"))
            #expect(store.append([.object(["id": "c"])], [], to: "conv_1") != nil)
            _ = store.change("conv_1") { $0.metadata = ["e": "f"] }
            #expect(store.removeConversation("conv_2"))
            #expect(await store.flush() == nil)
            #expect(await reason(folder.file, lockTimeout: .zero).contains("another server"))
            withExtendedLifetime(store) {}
        }
        let store = try await open(folder.file)
        let conversation = try #require(store.conversation("conv_1"))
        #expect(conversation.items.map { $0["id"] } == ["a", "c"] && conversation.metadata == ["e": "f"])
        #expect(conversation.created == 7 && conversation.messages == nil)
        #expect(store.conversation("conv_2") == nil && store.response("resp_1")?.items.count == 1)
        // Nobody works on it any more.
        #expect(store.response("resp_2")?.status == "failed" && store.response("resp_3")?.status == "cancelled")
    }

    @Test("A server goes on with the responses and conversations of the one before")
    func servers() async throws {
        let folder = try Folder()
        var (conversation, response) = ("", "")
        func server() async throws -> Server {
            Server(
                pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(),
                state: try await open(folder.file))
        }
        do {
            let first = try await server()
            let made = try await first.post("/v1/conversations", #"{"metadata": {"a": "b"}}"#)
            conversation = try #require(made.body["id"]?.string)
            let reply = try await first.post(
                "/v1/responses",
                #"{"temperature": 0, "max_output_tokens": 20, "conversation": "\#(conversation)", "input": "What is the capital of Portugal?"}"#
            )
            response = try #require(reply.body["id"]?.string)
            #expect(reply.headers["warning"] == nil)
        }
        let second = try await server()
        let kept = try await WholeReply(
            second.reply(to: ServerRequest(method: "GET", path: "/v1/responses/\(response)")))
        #expect(kept.body["id"]?.string == response && kept.body["status"] != nil)
        for member in [#""conversation": "\#(conversation)""#, #""previous_response_id": "\#(response)""#] {
            let reply = try await second.post(
                "/v1/responses", #"{"temperature": 0, "max_output_tokens": 4, "input": "And of Spain?", \#(member)}"#)
            #expect(reply.status == 200, "\(reply.body)")
            // The earlier turn is part of the prompt.
            #expect(
                (reply.body["usage"]?["input_tokens"]?.integer ?? 0)
                    > (kept.body["usage"]?["input_tokens"]?.integer ?? 1000))
        }
    }

    @Test("A line that was cut off is left out, wherever the cut is")
    func cutTail() async throws {
        let folder = try Folder()
        do {
            let store = try await open(folder.file)
            store.keep("conv_1", Self.conversation("a"))
            #expect(await store.flush() == nil)
        }
        _ = try await open(folder.file)
        let whole = try folder.bytes
        let more = StoreFile.line(StateChange.put("conv_2", .conversation(Self.conversation("b"))).json)
        for count in [1, 8, 9, more.count / 2, more.count - 1] {
            try folder.write(whole + more.prefix(count))
            let store = try await open(folder.file)
            #expect(store.conversation("conv_1") != nil && store.conversation("conv_2") == nil, "\(count)")
            #expect(try folder.bytes == whole)
        }
        // A whole line whose bytes never arrived.
        try folder.write(whole + Array(repeating: 0, count: 40) + [0x0A])
        #expect(try await open(folder.file).conversation("conv_1") != nil)
        // The first line of all.
        try folder.write(Array(StoreFile.header.prefix(12)))
        #expect(try await open(folder.file).conversation("conv_1") == nil)
        #expect(try folder.bytes == StoreFile.header)
    }

    @Test("Damage, files of something else and of newer versions are refused, and stay as they are")
    func refused() async throws {
        let folder = try Folder()
        do {
            let store = try await open(folder.file)
            for index in 0..<3 { store.keep("conv_\(index)", Self.conversation("a")) }
            #expect(await store.flush() == nil)
        }
        _ = try await open(folder.file)
        let whole = try folder.bytes
        let second = try #require(whole.firstIndex(of: 0x0A)) + 40
        var damaged = whole
        damaged[second] ^= 1
        let newer = StoreFile.line(.object(["format": .string(StoreFile.format), "version": .integer(2)]))
        var unknown = StoreFile.header
        unknown += StoreFile.line(.object(["shrink": "x"]))
        unknown += StoreFile.line(.object(["remove": "x"]))
        for (bytes, word) in [
            (damaged, "damaged in line 2"), (newer, "another version"), (Array("notes".utf8), "not a store"),
            (Array("notes\n".utf8), "not a store"), (Array(whole.dropFirst()), "not a store"),
            (unknown, "damaged in line 2"),
        ] {
            try folder.write(bytes)
            let reason = await reason(folder.file)
            #expect(reason.contains(word) && reason.contains(folder.file), "\(reason)")
            #expect(try folder.bytes == bytes)
        }
        #expect(await reason(folder.path).contains("cannot be opened"))
        #expect(await reason(folder.path + "/none/state").contains("cannot be opened"))
        #expect(await reason("/dev/null").contains("not a regular file"))
        if geteuid() != 0 {
            try folder.write(whole)
            chmod(folder.file, 0o400)
            #expect(await reason(folder.file).contains("cannot be opened"))
        }
    }

    @Test("A full disk is told with the reply; what it lacks is written as soon as it can be")
    func full() async throws {
        let folder = try Folder()
        let room = Locked(Int.max)
        do {
            let state = try await open(
                folder.file,
                write: { (file, bytes, offset) throws(FileSystemError) in
                    guard room.withLock({ $0 }) >= bytes.count else {
                        // A part of it arrives.
                        try StoreFile.plainWrite(file, Array(bytes.prefix(5)), offset)
                        throw FileSystemError("writing", file.path, number: ENOSPC)
                    }
                    try StoreFile.plainWrite(file, bytes, offset)
                })
            let server = Server(
                pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(), state: state)
            let first = try await server.post("/v1/conversations", "{}")
            #expect(first.headers["warning"] == nil)
            room.withLock { $0 = 0 }
            let second = try await server.post("/v1/conversations", "{}")
            #expect(second.status == 200 && second.headers["warning"]?.contains("not stored: ") == true)
            let id = try #require(second.body["id"]?.string)
            #expect(state.conversation(id) != nil && !FileSystem.names(in: folder.path).contains("state.jsonl.new"))
            room.withLock { $0 = .max }
            let third = try await server.post("/v1/conversations", "{}")
            #expect(third.headers["warning"] == nil)
            for reply in [first, second, third] { #expect(state.conversation(reply.body["id"]?.string ?? "") != nil) }
        }
        let lines = try folder.bytes.count { $0 == 0x0A }
        #expect(lines == 4)
        _ = try await open(folder.file)
    }

    @Test("The file is written anew when it has grown, and has each change once")
    func rewritten() async throws {
        let folder = try Folder()
        let rounds = TestLevel.rounds(60, all: 200)
        let text = String(repeating: "x", count: 50_000)
        do {
            let store = try await open(folder.file)
            store.keep("conv_1", Self.conversation("a"))
            for index in 0..<rounds {
                _ = store.change("conv_1") { $0.metadata = ["\(index)": .string(text)] }
                _ = store.append([.object(["id": .string("i\(index)")])], [], to: "conv_1")
            }
            #expect(await store.flush() == nil)
            #expect(try folder.bytes.count < 4 * text.utf8.count + Int(StoreFile.slack))
            #expect(FileSystem.names(in: folder.path) == ["state.jsonl"])
            // The new file is in use as the old one was.
            #expect(await reason(folder.file, lockTimeout: .zero).contains("another server"))
            withExtendedLifetime(store) {}
        }
        let store = try await open(folder.file)
        let ids = store.conversation("conv_1")?.items.compactMap { $0["id"]?.string }
        #expect(ids == ["a"] + (0..<rounds).map { "i\($0)" })
        #expect(store.conversation("conv_1")?.metadata.keys == ["\(rounds - 1)"])
    }
}
