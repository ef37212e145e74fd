// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

open class UNNotificationTrigger: NSObject {}

open class UNNotificationContent: NSObject {}

open class UNMutableNotificationContent: UNNotificationContent {
    open var title = ""
    open var body = ""
    open var threadIdentifier = ""
}

open class UNNotificationRequest: NSObject {
    public let identifier: String
    public let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    public static let alert = UNAuthorizationOptions(rawValue: 4)
}

open class UNUserNotificationCenter: NSObject {
    // Apple's is not Sendable either; every access to what is behind it runs under the lock.
    nonisolated(unsafe) private static let only = UNUserNotificationCenter()
    private let lock = NSLock()
    private var shown: [(identifier: String, title: String, body: String, thread: String)] = []
    private var asked: [UNAuthorizationOptions] = []
    private var answer: Result<Bool, any Error> = .success(true)

    open class func current() -> UNUserNotificationCenter { only }

    open func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let answer = lock.withLock {
            asked.append(options)
            return self.answer
        }
        switch answer {
        case .success(let isGranted): completionHandler(isGranted, nil)
        case .failure(let error): completionHandler(false, error)
        }
    }

    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        if let content = request.content as? UNMutableNotificationContent, request.trigger == nil {
            lock.withLock {
                shown.removeAll { $0.identifier == request.identifier }
                shown.append((request.identifier, content.title, content.body, content.threadIdentifier))
            }
        }
        completionHandler?(nil)
    }

    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        lock.withLock { shown.removeAll { identifiers.contains($0.identifier) } }
    }

    /// The notifications that are shown, and what was asked for.
    public var stubNotifications: [(identifier: String, title: String, body: String, thread: String)] {
        lock.withLock { shown }
    }
    public var stubRequests: [UNAuthorizationOptions] { lock.withLock { asked } }
    /// Sets what a request for permission is answered with.
    public func stubAnswer(_ answer: Result<Bool, any Error>) { lock.withLock { self.answer = answer } }
}
