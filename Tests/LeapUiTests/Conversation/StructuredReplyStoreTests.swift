import LeapBase
import LeapCore
import LeapUi
import Testing

/// A value that a scripted model fills in.
@Suite(.timeLimit(.minutes(30)))
@MainActor
struct StructuredReplyStoreTests {
    private struct Trip: GeneratableType, Decodable, Sendable {
        static let typeDescription = "A trip"
        static func jsonSchema() -> String {
            """
            {"type": "object", "properties": {"placeName": {"type": "string"}, "days": {"type": "integer"},
             "is_far": {"type": "boolean"}, "stops": {"type": "array", "items": {"type": "string"}}}}
            """
        }
        let placeName: String
        let days: Int
    }

    private nonisolated static let pieces = [
        #"{"placeName": "Li"#,
        #"sbon", "days": 3, "is_far": tr"#,
        #"ue, "stops": ["Porto"]}"#,
    ]

    private func shown(_ fields: [StructuredField]) -> [String] {
        fields.flatMap { field -> [String] in
            switch field.content {
            case .text(let text): ["\(field.label)=\(text)"]
            case .number(let text): ["\(field.label)=#\(text)"]
            case .flag(let isOn): ["\(field.label)=\(isOn)"]
            case .none: ["\(field.label)=-"]
            case .fields(let inner): ["\(field.label):"] + shown(inner)
            }
        }
    }

    @Test("Members appear while the value is written")
    func grows() async {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let runner = ScriptedRunner { _, _, reply in
            reply.say(Self.pieces[0])
            for await _ in gate { break }
            reply.say(Self.pieces[1], Self.pieces[2])
            reply.end()
        }
        let store = StructuredReplyStore<Trip>(conversation: runner.createConversation(systemPrompt: nil))
        #expect(!store.canRetry)
        store.generate("A trip to Lisbon")
        await changes { !store.fields.isEmpty }
        #expect(shown(store.fields) == ["Place name=Li"] && store.isReplying && store.value == nil)
        open.yield()
        await store.reply?.value
        #expect(shown(store.fields) == ["Place name=Lisbon", "Days=#3", "Is far=true", "Stops:", "1=Porto"])
        #expect(store.fields.map(\.id) == ["/placeName", "/days", "/is_far", "/stops"])
        #expect(store.value?.days == 3 && store.problem == nil && !store.isReplying)
        #expect(runner.requests[0].options.jsonSchemaConstraint == Trip.jsonSchema())
    }

    @Test("A value that does not come is a problem, and is asked for again without its repetition")
    func problem() async {
        let runner = ScriptedRunner { number, _, reply in
            reply.say(number == 0 ? #"{"placeName": "Lisbon"}"# : Self.pieces.joined())
            reply.end()
        }
        let conversation = runner.createConversation(systemPrompt: nil)
        let store = StructuredReplyStore<Trip>(conversation: conversation)
        store.generate("A trip")
        await store.reply?.value
        #expect(store.problem?.message.contains("does not decode into Trip") == true && store.value == nil)
        #expect(conversation.history.isEmpty && shown(store.fields) == ["Place name=Lisbon"])
        store.retry()
        await store.reply?.value
        #expect(store.value?.placeName == "Lisbon" && store.problem == nil)
        #expect(runner.requests[1].history.count == 1)
    }

    @Test("A value that is stopped stays as far as it is there, without a problem")
    func stop() async {
        let runner = ScriptedRunner { _, _, reply in
            reply.say(Self.pieces[0])
            try await untilCancelled()
        }
        let store = StructuredReplyStore<Trip>(conversation: runner.createConversation(systemPrompt: nil))
        store.generate("A trip")
        await changes { !store.fields.isEmpty }
        store.stop()
        await store.reply?.value
        #expect(shown(store.fields) == ["Place name=Li"] && store.problem == nil && !store.isReplying)
        #expect(store.canRetry)
    }
}
