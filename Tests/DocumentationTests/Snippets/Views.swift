import LeapCore
import LeapSDKMacros
import LeapUi

/// The blocks of `Views.md`, compiled and not run.
@MainActor
func viewSnippets(runner: any ModelRunner, library: any ModelLibrary) async {
    let store = ConversationStore(conversation: runner.createConversation()) { call in
        call.name == "next_tram" ? "in 4 minutes" : "there is no such function"
    }
    store.draft = "When is the next tram?"
    store.send()

    let picker = ModelPickerStore(library: library)
    picker.onLoad = { runner in store.use(runner) }
    await picker.refresh()
    if let choice = picker.choices.first { picker.choose(choice.id) }

    let joke = StructuredReplyStore<Joke>(conversation: runner.createConversation())
    joke.generate("Tell me a joke about a fox.")
}
