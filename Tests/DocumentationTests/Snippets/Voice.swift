import LeapSDK
import LeapUi
import LeapUiTesting

/// The blocks of `LeapUi.md`, compiled and not run.
func voiceSnippets(
    runner: any ModelRunner, recorder: any VoiceAudioRecorder, player: any VoiceAudioPlayer,
    show: (String, Float) -> Void
) async {
    let store = VoiceAssistantStore(recorder: recorder, player: player)
    store.setConversation(conv: ModelVoiceConversation(conversation: runner.createConversation()))
    store.processIntent(intent: .toggle)  // listens
    store.processIntent(intent: .toggle)  // sends what was said
    for await state in store.state { show(state.statusText, state.amplitude) }
}

@MainActor
func modelDownloadSnippets() async {
    let store = ModelDownloadStore(downloader: LeapDownloader(), modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
    await store.refresh()
    print(store.statusText, store.detailText, store.actionText ?? "")
}

#if os(Linux)
    /// The devices of a Linux desktop.
    func voiceDeviceSnippets() throws {
        let store = VoiceAssistantStore(recorder: try ProgramVoiceRecorder(), player: try ProgramVoicePlayer())
        store.processIntent(intent: .setHandsFree(true))
    }
#endif

/// An assistant in an app's test.
func voiceTestSnippets() async {
    let clock = ManualClock()
    let recorder = FakeVoiceRecorder()
    let player = FakeVoicePlayer(clock: clock)
    let store = VoiceAssistantStore(recorder: recorder, player: player, clock: clock)
    store.setConversation(conv: FakeVoiceConversation())
    recorder.change { $0.starts = false }
    store.processIntent(intent: .toggle)
    clock.advance(by: .seconds(5))
}
