#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// A round button for a voice assistant, with its status and the text of the reply below.
    ///
    /// Its size follows the amplitude, unless reduced motion is on. A tap sends ``VoiceAssistantIntent/toggle``; a long
    /// press turns hands-free mode on and off.
    public struct VoiceWidget: View {
        private let store: VoiceAssistantStore
        private let colors: VoiceWidgetColors
        @State private var state: VoiceAssistantState
        @Environment(\.accessibilityReduceMotion) private var reducesMotion

        /// Creates a widget for an assistant.
        public init(store: VoiceAssistantStore, colors: VoiceWidgetColors = .init()) {
            self.store = store
            self.colors = colors
            _state = State(initialValue: store.state.value)
        }

        /// The widget.
        public var body: some View {
            VStack(spacing: 16) {
                Capsule()
                    .fill(Self.color(colors.color(of: state)))
                    .frame(width: 96, height: 96)
                    .scaleEffect(reducesMotion ? 1 : 1 + 0.35 * CGFloat(state.amplitude))
                    .onTapGesture { store.processIntent(intent: .toggle) }
                    .onLongPressGesture { store.processIntent(intent: .setHandsFree(!state.isHandsFree)) }
                    .accessibilityLabel(state.statusText)
                    .accessibilityAddTraits(.isButton)
                Text(state.statusText).font(.callout).multilineTextAlignment(.center)
                if !state.caption.isEmpty { Text(state.caption).font(.body) }
                if !state.statsText.isEmpty { Text(state.statsText).font(.caption).foregroundStyle(.secondary) }
            }
            .padding()
            .task {
                for await next in store.state { state = next }
            }
        }

        static func color(_ value: UInt32) -> Color {
            Color(
                red: Double(value >> 16 & 0xFF) / 255, green: Double(value >> 8 & 0xFF) / 255,
                blue: Double(value & 0xFF) / 255)
        }
    }

    #if canImport(UIKit)
        import UIKit

        /// The widget for apps with UIKit.
        public final class VoiceWidgetViewController: UIHostingController<VoiceWidget> {
            /// Creates a widget for an assistant.
            public init(store: VoiceAssistantStore, colors: VoiceWidgetColors = .init()) {
                super.init(rootView: VoiceWidget(store: store, colors: colors))
            }

            @available(*, unavailable)
            required dynamic init?(coder: NSCoder) { nil }
        }
    #elseif canImport(AppKit)
        import AppKit

        /// The widget for apps with AppKit.
        public final class VoiceWidgetViewController: NSHostingController<VoiceWidget> {
            /// Creates a widget for an assistant.
            public init(store: VoiceAssistantStore, colors: VoiceWidgetColors = .init()) {
                super.init(rootView: VoiceWidget(store: store, colors: colors))
            }

            @available(*, unavailable)
            required dynamic init?(coder: NSCoder) { nil }
        }
    #endif
#endif
