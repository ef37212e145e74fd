#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(AVFAudio))
    // Names of the LEAP SDK for the devices of an Apple system.

    /// The microphone of an Apple device.
    public typealias AppleAudioRecorder = AppleVoiceRecorder

    /// The loudspeaker of an Apple device.
    public typealias AppleAudioPlayer = AppleVoicePlayer
#endif

#if canImport(UIKit) && (LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI)))
    import SwiftUI
    public import UIKit

    /// The namespace of the LEAP SDK's function that creates the widget for UIKit.
    public enum VoiceAssistantViewControllerKt {
        /// Creates the widget of an assistant, for UIKit.
        ///
        /// - Parameters:
        ///   - state: the states to show, ``VoiceAssistantStore/widgetStateHolder``.
        ///   - onIntent: receives the person's intents; pass them to ``VoiceAssistantStore/processIntent(intent:)``.
        ///   - labels: its texts.
        ///   - colors: its colors.
        ///   - showPoweredBy: whether a line names this package.
        @MainActor
        public static func VoiceAssistantViewController(
            state: VoiceAssistantStateHolder, onIntent: @escaping (VoiceAssistantIntent) -> Void,
            labels: VoiceWidgetLabels = .init(), colors: VoiceWidgetColors = .init(), showPoweredBy: Bool = false
        ) -> UIViewController {
            UIHostingController(
                rootView: VoiceAssistantWidget(
                    state: state, onIntent: onIntent, labels: labels, colors: colors, showPoweredBy: showPoweredBy))
        }
    }
#elseif canImport(AppKit) && (LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI)))
    public import AppKit
    import SwiftUI

    /// The namespace of the LEAP SDK's function that creates the widget for AppKit.
    public enum VoiceAssistantNSViewControllerKt {
        /// Creates the widget of an assistant, for AppKit.
        ///
        /// - Parameters:
        ///   - state: the states to show, ``VoiceAssistantStore/widgetStateHolder``.
        ///   - onIntent: receives the person's intents; pass them to ``VoiceAssistantStore/processIntent(intent:)``.
        ///   - labels: its texts.
        ///   - colors: its colors.
        ///   - showPoweredBy: whether a line names this package.
        @MainActor
        public static func VoiceAssistantNSViewController(
            state: VoiceAssistantStateHolder, onIntent: @escaping (VoiceAssistantIntent) -> Void,
            labels: VoiceWidgetLabels = .init(), colors: VoiceWidgetColors = .init(), showPoweredBy: Bool = false
        ) -> NSViewController {
            NSHostingController(
                rootView: VoiceAssistantWidget(
                    state: state, onIntent: onIntent, labels: labels, colors: colors, showPoweredBy: showPoweredBy))
        }
    }
#endif
