import LeapBase
import LeapCore
import LeapUi
import Testing

/// The choice of a model, over a library of scripted ones.
@Suite(.timeLimit(.minutes(30)))
@MainActor
struct ModelPickerStoreTests {
    /// A library that tells what is asked of it.
    private final class Library: ModelLibrary {
        private let log = Locked<[String]>([])
        private let models = Locked<[String: ScriptedRunner]>([:])
        let isBroken = Locked(false)

        var events: [String] { log.withLock { $0 } }
        func runner(_ id: String) -> ScriptedRunner? { models.withLock { $0[id] } }

        func choices() async throws -> [ModelChoice] {
            if isBroken.withLock({ $0 }) { throw LeapModelLoadingException(message: "no list", cause: nil) }
            return [
                ModelChoice(id: "a", name: "A", detail: "small", bytes: 1_000_000),
                ModelChoice(id: "b", name: "B", isOnDevice: false),
                ModelChoice(id: "slow", name: "Slow"), ModelChoice(id: "bad", name: "Bad"),
                ModelChoice(id: "large", name: "Large", obstacle: "too little memory"),
            ]
        }

        func load(
            _ choice: ModelChoice, progress: @escaping @MainActor (_ fraction: Double) -> Void
        ) async throws -> any ModelRunner {
            let unloaded = models.withLock { $0.values.filter(\.isUnloaded).map(\.modelId) }
            log.withLock { $0.append("\(choice.id) after \(unloaded.sorted())") }
            await progress(choice.id == "slow" ? 0.25 : 7)
            if choice.id == "slow" { try await untilCancelled() }
            if choice.id == "bad" { throw LeapModelLoadingException(message: "damaged", cause: nil) }
            let runner = ScriptedRunner(choice.id) { _, _, reply in reply.end() }
            models.withLock { $0[choice.id] = runner }
            return runner
        }
    }

    private let library = Library()

    private func listed() async -> ModelPickerStore {
        let store = ModelPickerStore(library: library)
        await store.refresh()
        return store
    }

    @Test("A model is loaded, and unloaded before the next one is")
    func choose() async {
        let store = await listed()
        let loaded = Locked<[String]>([])
        store.onLoad = { runner in loaded.withLock { $0.append(runner.modelId) } }
        store.choose("a")
        #expect(store.loading == "a" && store.selection == nil)
        await store.work?.value
        #expect(store.loading == nil && store.selection == "a" && store.progress == nil)
        store.choose("a")
        store.choose("large")
        store.choose("unknown")
        #expect(store.loading == nil)
        store.choose("b")
        await store.work?.value
        #expect(store.selection == "b" && store.runner?.modelId == "b")
        #expect(library.events == ["a after []", "b after [\"a\"]"])
        let names = loaded.withLock { $0 }
        #expect(names == ["a", "b"])
    }

    @Test("A model that is being loaded is given up, by a button or for another one")
    func cancel() async {
        let store = await listed()
        store.choose("slow")
        await changes { store.progress == 0.25 }
        store.cancel()
        await store.work?.value
        #expect(store.loading == nil && store.problem == nil && store.selection == nil)
        store.choose("slow")
        await changes { store.progress == 0.25 }
        store.choose("a")
        await store.work?.value
        #expect(store.selection == "a" && store.problem == nil)
    }

    @Test("A problem is told, and the next model or list removes it")
    func problems() async {
        let store = await listed()
        store.choose("bad")
        await store.work?.value
        #expect(store.problem == "damaged" && store.selection == nil && store.loading == nil)
        store.choose("a")
        #expect(store.problem == nil)
        await store.work?.value
        library.isBroken.withLock { $0 = true }
        await store.refresh()
        #expect(store.problem == "no list" && store.choices.count == 5 && store.selection == "a")
        library.isBroken.withLock { $0 = false }
        await store.refresh()
        #expect(store.problem == nil && !store.isListing)
    }

    @Test("The line below a name says what is to be known")
    func lines() async {
        let store = await listed()
        let labels = ModelPickerLabels()
        let lines = store.choices.map { labels.line(of: $0, isLoaded: $0.id == "a") }
        #expect(lines[0].hasPrefix("small · 1") && lines[0].hasSuffix("MB · Loaded"))
        #expect(lines[1...].elementsEqual(["To be downloaded", "", "", "too little memory"]))
    }
}
