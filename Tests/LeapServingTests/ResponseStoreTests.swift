import LeapCore
import LeapJSON
import Testing

@testable import LeapServing

struct ResponseStoreTests {
    @Test("More responses than are kept push out the oldest")
    func count() {
        let store = ResponseStore()
        for index in 0...ResponseStore.maxCount { store.insert("r\(index)", .object([:]), messages: []) }
        #expect(store["r0"] == nil)
        #expect(store["r1"] != nil)
        #expect(store["r\(ResponseStore.maxCount)"] != nil)
    }

    @Test("Their texts together stay within the limit, and one that is larger by itself is not kept")
    func bytes() {
        let store = ResponseStore()
        let text = String(repeating: "x", count: ResponseStore.maxByteCount / 3)
        let messages = [ChatMessage(role: .user, textContent: text)]
        for index in 0..<3 { store.insert("r\(index)", .object([:]), messages: messages) }
        #expect(store["r0"] == nil)
        #expect(store["r1"] != nil && store["r2"] != nil)
        store.insert("large", .string(text), messages: messages + messages)
        #expect(store["large"] == nil)
        #expect(store["r1"] != nil && store["r2"] != nil)
    }

    @Test("What is removed is gone, and makes room")
    func remove() {
        let store = ResponseStore()
        let text = String(repeating: "x", count: ResponseStore.maxByteCount / 3)
        let messages = [ChatMessage(role: .user, textContent: text)]
        store.insert("a", .object([:]), messages: messages)
        store.insert("b", .object([:]), messages: messages)
        #expect(store.remove("b"))
        #expect(!store.remove("b"))
        #expect(store["b"] == nil)
        store.insert("c", .object([:]), messages: messages)
        #expect(store["a"] != nil && store["c"] != nil)
    }
}
