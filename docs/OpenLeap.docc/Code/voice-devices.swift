import LeapSDK
import LeapUi

/// An assistant with the machine's microphone and loudspeaker.
func makeAssistant() throws -> VoiceAssistantStore {
    #if os(Linux)
        return VoiceAssistantStore(recorder: try ProgramVoiceRecorder(), player: try ProgramVoicePlayer())
    #else
        return VoiceAssistantStore.makeForApple()
    #endif
}

let runner = try await Leap.load(model: "LFM2.5-Audio-1.5B", quantization: "Q4_0")
let chat = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
let store = try makeAssistant()
store.setConversation(conv: ModelVoiceConversation(conversation: chat))
store.processIntent(intent: .setHandsFree(true))
for await state in store.state { print(state.statusText, state.caption) }
