// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// BackgroundTasks as Apple's documentation and headers declare it: BGContinuedProcessingTask is of iOS 26.
import Dispatch
public import Foundation

open class BGTask: NSObject {
    public var identifier: String { "" }
    public var expirationHandler: (() -> Void)?
    public func setTaskCompleted(success: Bool) {}
}

public final class BGContinuedProcessingTask: BGTask {
    public var title: String { "" }
    public var subtitle: String { "" }
    public let progress = Progress(totalUnitCount: 1)
    public func updateTitle(_ title: String, subtitle: String) {}
}

open class BGTaskRequest: NSObject {
    public var identifier: String { "" }
    public var earliestBeginDate: Date?
}

public final class BGContinuedProcessingTaskRequest: BGTaskRequest {
    public enum SubmissionStrategy: Int {
        case fail, queue
    }

    public var title: String
    public var subtitle: String
    public var strategy = SubmissionStrategy.queue

    public init(identifier: String, title: String, subtitle: String) {
        (self.title, self.subtitle) = (title, subtitle)
    }
}

public final class BGTaskScheduler: NSObject, @unchecked Sendable {
    public static let shared = BGTaskScheduler()

    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { true }

    public func submit(_ request: BGTaskRequest) throws {}
}
