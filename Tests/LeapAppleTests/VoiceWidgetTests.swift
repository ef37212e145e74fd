import AVFAudio
import Foundation
import LeapBase
import SwiftUI
import Testing

@testable import LeapUiOverStubs

extension StubbedDevices {
    /// The widgets, over a stub of SwiftUI that makes a tree of elements in the place of a screen.
    @Suite(.serialized, .timeLimit(.minutes(30)))
    @MainActor
    struct VoiceWidgetTests {
        private let store: VoiceAssistantStore

        init() {
            StubMicrophone.shared.reset()
            EnvironmentValues.stubCurrent = EnvironmentValues()
            store = VoiceAssistantStore.makeForApple()
            store.setConversation(conv: Echo())
        }

        private func until(_ condition: () -> Bool) async throws {
            for _ in 0..<12_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
            try #require(condition())
        }

        private func button(_ element: StubElement) throws -> StubElement {
            try #require(element.all.first { $0.isButton })
        }

        /// Follows the store's states while a body runs, as SwiftUI does while the view is there.
        private func following(_ element: StubElement, _ body: () async throws -> Void) async throws {
            let task = try #require(element.all.compactMap(\.task).first)
            let loop = Task { await task() }
            do {
                try await body()
                loop.cancel()
            } catch {
                loop.cancel()
                throw error
            }
            await loop.value
        }

        @Test("The button shows what goes on, a tap toggles, a long press turns hands-free speaking on")
        func widget() async throws {
            let widget = VoiceWidget(store: store)
            try await following(StubElement.of(widget)) {
                try await until { StubElement.of(widget).texts == ["Tap to speak"] }
                let idle = try button(StubElement.of(widget))
                #expect(idle.accessibilityLabel == "Tap to speak" && idle.scale == 1)
                #expect(idle.color == VoiceWidget.color(VoiceWidgetColors().idle))
                idle.onTap?()
                try await until { StubElement.of(widget).texts == ["Listening…"] }
                let listening = try button(StubElement.of(widget))
                #expect(listening.color == VoiceWidget.color(VoiceWidgetColors().listening))
                #expect(listening.accessibilityLabel == "Listening…")
                try #require(StubMicrophone.shared.running.first).inputNode.deliver([Float](repeating: 0.9, count: 64))
                try await until { (try? button(StubElement.of(widget)).scale) ?? 1 > 1.01 }
                EnvironmentValues.stubCurrent.accessibilityReduceMotion = true
                #expect(try button(StubElement.of(widget)).scale == 1)
                store.processIntent(intent: .cancel)
                try await until { StubElement.of(widget).texts == ["Tap to speak"] }
                try button(StubElement.of(widget)).onLongPress?()
                try await until { store.state.value.isHandsFree }
            }
            store.close()
        }

        @Test("A problem is shown in its colour")
        func problem() async throws {
            StubMicrophone.shared.state.withLock { $0.permission = 2 }
            let widget = VoiceWidget(store: store)
            try await following(StubElement.of(widget)) {
                store.processIntent(intent: .toggle)
                try await until { StubElement.of(widget).texts.first?.contains("not permitted") == true }
                #expect(try button(StubElement.of(widget)).color == VoiceWidget.color(VoiceWidgetColors().error))
            }
            store.close()
        }

        @Test("The LEAP SDK's widget listens while its button is held, and says what it does")
        func assistantWidget() async throws {
            let intents = Locked<[VoiceAssistantIntent]>([])
            let widget = VoiceAssistantWidget(
                state: store.widgetStateHolder, onIntent: { intent in intents.withLock { $0.append(intent) } },
                labels: VoiceWidgetLabels(idle: "Hold", micStartDescription: "Speak"), showPoweredBy: true)
            let element = StubElement.of(widget)
            #expect(element.texts.contains("Hold") && element.texts.contains("Powered by Open Leap"))
            #expect(element.all.contains { $0.isAccessibilityHidden && $0.width == 220 })
            let button = try button(element)
            #expect(button.text == "mic.fill" && button.accessibilityLabel == "Speak")
            button.onDrag?()
            button.onDrag?()
            button.onDragEnd?()
            button.onAccessibilityAction?()
            #expect(intents.withLock { $0 } == [.startListening, .stopListening, .toggle])
            #expect(
                !StubElement.of(VoiceAssistantWidget(state: store.widgetStateHolder, onIntent: { _ in })).texts
                    .contains("Powered by Open Leap"))
            store.close()
        }

        @Test("The controllers of UIKit host the widgets")
        func controllers() {
            let own = VoiceWidgetViewController(store: store, colors: VoiceWidgetColors(idle: 0x010203))
            let orb = StubElement.of(own.rootView).all.first { $0.isButton }
            #expect(orb?.color == VoiceWidget.color(0x010203))
            #expect(orb?.color?.stubParts.map { Int(($0 * 255).rounded()) } == [1, 2, 3, 255])
            let theirs = VoiceAssistantViewControllerKt.VoiceAssistantViewController(
                state: store.widgetStateHolder, onIntent: { _ in })
            #expect(theirs is UIHostingController<VoiceAssistantWidget>)
            store.close()
        }
    }
}
