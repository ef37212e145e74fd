import LeapDemoModel
import LeapSDK
import Testing

/// Stores as example apps have them, with the demo model: what it cannot do shows as a problem and not as a crash.
@MainActor
struct ExampleStoreTests {
    @Test("A chat store streams replies, exports them and can be stopped")
    func chat() async throws {
        let store = ChatStore()
        await store.open(file: URL(fileURLWithPath: "/no/such/model.gguf"))
        #expect(store.phase != .ready)
        await store.open(file: try LeapDemoModel.url)
        #expect(store.phase == .ready)
        store.send("Hello!", options: GenerationOptions().with(maxTokens: 24))
        await store.settle()
        #expect(store.bubbles.map(\.role) == [.user, .assistant])
        #expect(!store.bubbles[1].text.isEmpty && !store.isReplying && store.tokensPerSecond > 0)
        #expect(try JSONSerialization.jsonObject(with: store.export()) is [[String: Any]])
        store.send("Tell me a story.")
        store.stop()
        await store.settle()
        #expect(store.phase == .ready)
        await store.close()
        #expect(store.phase == .empty)
    }

    @Test("A slogan store asks one question at a time")
    func slogan() async throws {
        let store = SloganStore()
        await store.prepare(try LeapDemoModel.url)
        await store.make(for: "a lamp shop")
        #expect(!store.slogan.isEmpty && store.problem == nil && !store.isWorking)
    }

    @Test("A recipe store gets values of its type")
    func recipe() async throws {
        let store = RecipeStore()
        try await store.prepare(try LeapDemoModel.url)
        await store.cook(with: ["rice", "peas"])
        let recipe = try #require(store.recipe, "\(store.problem ?? store.draft)")
        #expect((5...90).contains(recipe.minutes) && (1...3).contains(recipe.ingredients.count))
    }

    @Test("A picture store shows why a text model does not see")
    func picture() async throws {
        let store = ImageStore()
        await store.prepare(model: try LeapDemoModel.url, projector: nil)
        await store.describe(Data([0xFF, 0xD8, 0xFF, 0xE0]))
        #expect(store.problem?.isEmpty == false)
    }

    @Test("A voice store shows why a text model does not hear")
    func voice() async throws {
        final class Silence: SamplePlayer {
            func enqueue(_ samples: [Float], sampleRate: Int) {}
        }
        let store = VoiceStore(player: Silence())
        await store.prepare(
            ModelSource(modelPath: try LeapDemoModel.url.path, modelName: "Voice", quantizationId: "Q8_0"))
        #expect(store.transcript.isEmpty && store.problem == nil)
        await store.send(samples: [Float](repeating: 0, count: 1600), sampleRate: 16000)
        #expect(store.problem?.isEmpty == false && !store.isReplying)
        store.begin(recording: Data([1, 2, 3]))
        for _ in 0..<12_000 where store.problem == nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store.problem == "The recording has no answer.")
        store.release()
    }
}
