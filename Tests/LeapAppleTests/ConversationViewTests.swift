import Foundation
import LeapDemoModel
import LeapSDK
import SwiftUI
import Testing

@testable import LeapUiOverStubs

/// The views of conversations, over a stub of SwiftUI that makes a tree of elements in the place of a screen.
@Suite(.serialized, .timeLimit(.minutes(30)))
@MainActor
struct ConversationViewTests {
    private static let runner = Task { try await Leap.load(url: LeapDemoModel.url) }

    private static let png = Data([0x89, 0x50, 0x4E, 0x47])

    private static let history = [
        ChatMessage(role: .user, content: [.image(png), .text("When is high tide?")]),
        ChatMessage(
            role: .assistant, content: [], reasoningContent: "Let me look.",
            functionCalls: [LeapFunctionCall(name: "tide", arguments: ["place": "harbour"])]),
        ChatMessage(role: .tool, textContent: "09:00"),
        ChatMessage(role: .assistant, textContent: "# At nine\n```\nlet a = 1\n```\n| a | b |\n|--|--|\n| 1 | 2 |"),
    ]

    private func store(_ history: [ChatMessage] = history) async throws -> ConversationStore {
        ConversationStore(conversation: try await Self.runner.value.createConversationFromHistory(history: history))
    }

    private func tree(_ store: ConversationStore) -> StubElement { StubElement.of(ConversationView(store: store)) }

    private func button(_ element: StubElement, _ label: String) throws -> StubElement {
        try #require(
            element.all.first { $0.kind == "Button" && ($0.texts.contains(label) || $0.accessibilityLabel == label) })
    }

    @Test("Rows show the messages, and fold what the person need not read")
    func rows() async throws {
        let store = try await store()
        let folded = tree(store)
        for text in ["When is high tide?", "Thoughts", "tide", "done", "At nine", "let a = 1", "1", "2"] {
            #expect(folded.texts.contains(text), "\(text)")
        }
        #expect(!folded.texts.contains("Let me look.") && !folded.texts.contains("09:00"))
        folded.all.filter { $0.kind == "DisclosureGroup" }.forEach { $0.onTap?() }
        let open = tree(store)
        #expect(open.texts.contains("Let me look.") && open.texts.contains("09:00"))
        #expect(open.texts.contains(#"{"place":"harbour"}"#))
    }

    @Test("VoiceOver hears what each row is, and code runs from left to right in every language")
    func accessibility() async throws {
        let tree = tree(try await store())
        let labels = tree.all.compactMap(\.accessibilityLabel)
        #expect(labels.contains("You: When is high tide?") && labels.contains("Answer") && labels.contains("Picture"))
        #expect(tree.all.filter(\.isHeader).flatMap(\.texts) == ["At nine"])
        let code = tree.all.filter { $0.layoutDirection == .leftToRight }.flatMap(\.texts)
        #expect(code.contains("let a = 1") && !code.contains("At nine"))
    }

    @Test("Styles and addresses become attributes of the text")
    func attributes() throws {
        let text = MarkdownText("a **b *c*** `d` ~~e~~ [site](https://a.b)")
        let attributed = MarkdownRun.attributed(try #require(text.blocks.first).runs)
        #expect(String(attributed.characters) == "a b c d e site")
        let intents = attributed.runs.compactMap { $0[InlinePresentationIntentAttribute.self] }
        #expect(intents == [.stronglyEmphasized, [.stronglyEmphasized, .emphasized], .code, .strikethrough])
        #expect(attributed.runs.compactMap { $0.link } == [URL(string: "https://a.b")])
    }

    @Test("An answer is copied, and the message is edited")
    func actions() async throws {
        let store = try await store()
        try button(tree(store), "Copy").onTap?()
        #expect(StubPasteboard.text?.hasPrefix("# At nine") == true)
        let menus = tree(store).all.flatMap(\.menu)
        try button(try #require(menus.first), "Copy").onTap?()
        #expect(StubPasteboard.text == "When is high tide?")
        try button(tree(store), "Edit the message").onTap?()
        #expect(store.draft == "When is high tide?" && store.rows.isEmpty)
        try button(tree(store), "Remove the picture").onTap?()
        #expect(store.pictures.isEmpty)
    }

    @Test("A message is typed and sent, and the reply stopped by the button in its place")
    func send() async throws {
        let store = try await store([])
        #expect(try button(tree(store), "Send").onTap == nil)
        try #require(tree(store).all.first { $0.kind == "TextField" }).onText?("My name is Nina.")
        try button(tree(store), "Send").onTap?()
        #expect(store.isReplying && store.draft.isEmpty)
        try button(tree(store), "Stop").onTap?()
        await store.reply?.value
        #expect(!store.isReplying && tree(store).texts.contains("My name is Nina."))
    }

    @Test("A problem is shown with its remedies")
    func problem() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let store = ConversationStore(conversation: runner.createConversation())
        await runner.unload()
        store.send("Hello?")
        await store.reply?.value
        #expect(tree(store).texts.contains { $0.contains("unloaded") })
        var asked = 0
        store.onChooseModel = { asked += 1 }
        try button(tree(store), "Choose a model").onTap?()
        #expect(asked == 1)
    }

    private struct Library: ModelLibrary {
        func choices() async throws -> [ModelChoice] {
            [ModelChoice(id: "a", name: "A"), ModelChoice(id: "b", name: "B", obstacle: "too little memory")]
        }
        func load(
            _ choice: ModelChoice, progress: @escaping @MainActor (_ fraction: Double) -> Void
        ) async throws -> any ModelRunner { try await ConversationViewTests.runner.value }
    }

    @Test("Models are listed, one is loaded by a tap, and one says why it cannot be")
    func models() async throws {
        let store = ModelPickerStore(library: Library())
        #expect(StubElement.of(ModelPicker(store: store)).texts.contains("There are no models."))
        await store.refresh()
        let list = StubElement.of(ModelPicker(store: store))
        #expect(try button(list, "B").onTap == nil && list.texts.contains("too little memory"))
        try button(list, "A").onTap?()
        #expect(StubElement.of(ModelPicker(store: store)).texts.contains("Loading…"))
        await store.work?.value
        #expect(try button(StubElement.of(ModelPicker(store: store)), "A").isSelected)
    }

    private struct Person: GeneratableType, Decodable, Sendable {
        static let typeDescription = "A person"
        static func jsonSchema() -> String {
            """
            {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"},
             "city": {"type": "string"}}, "required": ["name", "age", "city"], "additionalProperties": false}
            """
        }
        let name: String
        let age: Int
    }

    @Test("A value is shown member by member")
    func structured() async throws {
        let options = GenerationOptions(temperature: 0).with(injectSchemaIntoPrompt: false)
        let store = StructuredReplyStore<Person>(
            conversation: try await Self.runner.value.createConversation(), generationOptions: options)
        store.generate("Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.")
        #expect(StubElement.of(StructuredReplyView(store: store)).texts.contains("Stop"))
        await store.reply?.value
        let texts = StubElement.of(StructuredReplyView(store: store)).texts
        #expect(texts == ["Name", "Mira", "Age", "31", "City", "Lisbon", "Try again"])
    }
}
