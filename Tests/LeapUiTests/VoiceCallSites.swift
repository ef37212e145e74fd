import Foundation
import LeapUi
import LeapUiTesting
import Testing

/// The voice assistant as the LEAP SDK's pages and demo apps write it.
struct VoiceCallSites: CarriedOverArrays {
    func makeAssistant(recorder: any VoiceAudioRecorder, player: any VoiceAudioPlayer) -> VoiceAssistantStateHolder {
        let store = VoiceAssistantStore(
            recorder: recorder, player: player, smoothingAlpha: 0.3, playbackTimeoutMs: 10_000, interruptToSpeak: true)
        let fraction = 0.25
        store.setModelProgress(fraction: 0, message: "Looking for the pilot")
        store.setModelProgress(fraction: Float(fraction), message: "A quarter of the pilot is here")
        return store.widgetStateHolder
    }

    func followAssistant(_ state: VoiceAssistantState) -> [String] {
        var lines = [state.statusText, state.statusType.name]
        let figures: String? = state.statsText
        if let stats = state.statsText, !stats.isEmpty { lines.append(stats) }
        if !state.statsText.isEmpty { lines.append(figures ?? "") }
        return lines
    }

    func labelWidget() -> (VoiceWidgetLabels, VoiceWidgetColors) {
        let labels = VoiceWidgetLabels(
            idle: "Hold to call the pilot",
            listening: "On the air",
            responding: "The pilot speaks",
            micStartDescription: "Call",
            micStopDescription: "Over",
            micCancelDescription: "Hang up"
        )
        return (labels, VoiceWidgetColors.companion.Default)
    }

    func converseByCompletionHandler(_ radio: Radio) -> any VoiceConversation { HandlerConversation(radio) }

    func converseByPage(_ radio: Radio) -> any VoiceConversation { PageConversation(radio) }

    func converseByInt32(_ radio: Radio) -> any VoiceConversation { Int32Conversation(radio) }

    @available(*, deprecated)
    func convertArrays(_ samples: [Float]) -> (LeapUi.KotlinFloatArray, Int) {
        let bytes = LeapUi.ArrayConversionsKt.floatArrayToNSData(array: samples)
        let back: LeapUi.KotlinFloatArray = LeapUi.ArrayConversionsKt.nsDataToFloatArray(data: bytes)
        let rate = LeapUi.KotlinInt(value: 24_000)
        return (back, rate.intValue + Int(LeapUi.KotlinInt(value: Int32(1)).int32Value))
    }

    @Test("Names of the LEAP SDK's assistant are those of this one")
    func run() async throws {
        let holder = makeAssistant(
            recorder: FakeVoiceRecorder(), player: FakeVoicePlayer(clock: ContinuousClock()))
        #expect(holder.value.modelProgress == 0.25 && holder.value.statusText == "A quarter of the pilot is here")
        #expect(followAssistant(holder.value) == ["A quarter of the pilot is here", "LOADING"])
        let (labels, colors) = labelWidget()
        #expect(labels.micStopDescription == "Over" && labels.loading == VoiceWidgetLabels().loading)
        #expect(colors == VoiceWidgetColors())
        let arrays: any CarriedOverArrays = self
        let (samples, rates) = arrays.convertArrays([0, -1, 0.5])
        #expect(samples == [0, -1, 0.5] && rates == 24_001)
        #expect(VoiceStatusType.allCases.map(\.name) == ["LOADING", "READY", "READY", "READY", "ERROR"])
    }
}

/// Calls of deprecated functions behind a protocol are no warnings.
private protocol CarriedOverArrays {
    func convertArrays(_ samples: [Float]) -> (LeapUi.KotlinFloatArray, Int)
}
