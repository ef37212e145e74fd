import LeapCore
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct ResponseStoreTests {
    @Test("More replies than are kept push out the oldest")
    func count() {
        let store = ResponseStore()
        for index in 0...ResponseStore.maxCount {
            store.insert("r\(index)", ChatMessage(role: .assistant, textContent: ""))
        }
        #expect(store["r0"] == nil)
        #expect(store["r1"] != nil)
        #expect(store["r\(ResponseStore.maxCount)"] != nil)
    }

    @Test("Each holder of a key has its own replies, within the limits of all")
    func owners() {
        let store = ResponseStore()
        let holder = KeyHolder(AccessKey(name: "alice", key: "k"), now: { 0 })
        let own = ResponseStore(store, of: holder)
        own.insert("r", ChatMessage(role: .assistant, textContent: "a"))
        store.insert("s", ChatMessage(role: .assistant, textContent: "b"))
        #expect(own["r"] != nil && own["s"] == nil && own["alice/r"] == nil)
        #expect(store["s"] != nil && store["r"] == nil && store["alice/r"] == nil)
    }

    @Test("Their texts together stay within the limit, and one that is larger by itself is not kept")
    func bytes() {
        let store = ResponseStore()
        let text = String(repeating: "x", count: ResponseStore.maxByteCount / 3)
        for index in 0..<3 { store.insert("r\(index)", ChatMessage(role: .assistant, textContent: text)) }
        #expect(store["r0"] == nil)
        #expect(store["r1"] != nil && store["r2"] != nil)
        store.insert("large", ChatMessage(role: .assistant, textContent: text + text + text))
        #expect(store["large"] == nil)
        #expect(store["r1"] != nil && store["r2"] != nil)
    }
}
