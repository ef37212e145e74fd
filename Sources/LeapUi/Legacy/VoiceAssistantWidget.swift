#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// The LEAP SDK's widget: an orb that moves with the sound, a status line, and a push-to-talk button.
    ///
    /// ``VoiceWidget`` is the smaller one, with a single button.
    public struct VoiceAssistantWidget: View {
        private let holder: VoiceAssistantStateHolder
        private let onIntent: (VoiceAssistantIntent) -> Void
        private let labels: VoiceWidgetLabels
        private let colors: VoiceWidgetColors
        private let showPoweredBy: Bool
        @State private var state: VoiceAssistantState
        @State private var isPressed = false
        @Environment(\.accessibilityReduceMotion) private var reducesMotion

        /// Creates a widget for an assistant.
        ///
        /// - Parameters:
        ///   - state: the states to show, ``VoiceAssistantStore/widgetStateHolder``.
        ///   - onIntent: receives the person's intents; pass them to ``VoiceAssistantStore/processIntent(intent:)``.
        ///   - labels: its texts.
        ///   - colors: its colors.
        ///   - showPoweredBy: whether a line names this package.
        public init(
            state: VoiceAssistantStateHolder, onIntent: @escaping (VoiceAssistantIntent) -> Void,
            labels: VoiceWidgetLabels = .init(), colors: VoiceWidgetColors = .init(), showPoweredBy: Bool = false
        ) {
            holder = state
            self.onIntent = onIntent
            self.labels = labels
            self.colors = colors
            self.showPoweredBy = showPoweredBy
            _state = State(initialValue: state.value)
        }

        /// The widget.
        public var body: some View {
            VStack(spacing: 24) {
                Spacer()
                orb
                Text(label).font(.callout).foregroundStyle(.secondary)
                button
                Spacer()
                if showPoweredBy {
                    Text("Powered by Open Leap").font(.caption2).foregroundStyle(.secondary)
                }
            }
            .padding()
            .task {
                for await next in holder.state { state = next }
            }
        }

        private var color: Color { VoiceWidget.color(colors.color(of: state)) }

        private var label: String {
            switch state.widgetState {
            case .idle: labels.idle
            case .listening: labels.listening
            case .responding: labels.responding
            }
        }

        private var orb: some View {
            Capsule()
                .fill(
                    RadialGradient(
                        colors: [color.opacity(0.9), color.opacity(0.2)], center: .center, startRadius: 8,
                        endRadius: 110)
                )
                .frame(width: 220, height: 220)
                .scaleEffect(reducesMotion ? 1 : 1 + 0.25 * CGFloat(state.amplitude))
                .animation(.easeOut(duration: 0.1), value: state.amplitude)
                .accessibilityHidden(true)
        }

        private var button: some View {
            Image(systemName: state.widgetState == .responding ? "xmark" : "mic.fill")
                .font(.title2)
                .foregroundStyle(.white)
                .frame(width: 64, height: 64)
                .background(Capsule().fill(color))
                .gesture(
                    DragGesture(minimumDistance: 0)
                        .onChanged { _ in press() }
                        .onEnded { _ in release() }
                )
                .accessibilityLabel(buttonDescription)
                .accessibilityAddTraits(.isButton)
                // Who cannot hold a button down begins and ends with one press each.
                .accessibilityAction { onIntent(.toggle) }
        }

        private var buttonDescription: String {
            switch state.widgetState {
            case .idle: labels.micStartDescription
            case .listening: labels.micStopDescription
            case .responding: labels.micCancelDescription
            }
        }

        private func press() {
            guard !isPressed else { return }
            isPressed = true
            // While a reply plays, it ends and what is said next is recorded; without `interruptToSpeak` it only ends.
            onIntent(.startListening)
        }

        private func release() {
            isPressed = false
            onIntent(.stopListening)
        }
    }
#endif
