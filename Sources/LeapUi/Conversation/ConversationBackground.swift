public import Foundation
public import LeapCore

/// The way in which a reply goes on while the app is in the background.
public struct ConversationBackground: Sendable {
    /// The file for the conversation, if the system takes the time back; an existing file is replaced.
    public let url: URL
    /// Makes the system's task for a reply.
    public let makeTask: @Sendable () -> any BackgroundTask

    /// Creates the way.
    ///
    /// - Parameters:
    ///   - url: the file for the conversation, if the system takes the time back.
    ///   - makeTask: makes the system's task for a reply, such as a `ContinuedProcessingTask`.
    public init(savingTo url: URL, makeTask: @escaping @Sendable () -> any BackgroundTask) {
        self.url = url
        self.makeTask = makeTask
    }
}
