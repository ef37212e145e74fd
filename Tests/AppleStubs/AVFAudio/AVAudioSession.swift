// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// macOS has no audio sessions.
#if canImport(UIKit)
    open class AVAudioSession: NSObject, @unchecked Sendable {
        public struct Category: Hashable, Sendable {
            let name: String
            public static let playAndRecord = Category(name: "playAndRecord")
        }
        public struct Mode: Hashable, Sendable {
            let name: String
            public static let voiceChat = Mode(name: "voiceChat")
        }
        public struct CategoryOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
            public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
            @available(*, deprecated, renamed: "allowBluetoothHFP")
            public static let allowBluetooth = CategoryOptions(rawValue: 4)
        }
        public struct SetActiveOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
        }

        private static let only = AVAudioSession()
        open class func sharedInstance() -> AVAudioSession { only }

        open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
            StubMicrophone.shared.state.withLock {
                $0.session.append("\(category.name) \(mode.name) \(options.rawValue)")
            }
        }
        open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
            StubMicrophone.shared.state.withLock { $0.session.append("active: \(active)") }
        }
    }
#endif
