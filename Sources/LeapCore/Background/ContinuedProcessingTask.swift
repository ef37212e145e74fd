#if canImport(BackgroundTasks) && canImport(UIKit)
    import BackgroundTasks
    import Foundation
    import LeapBase

    /// The ``BackgroundTask`` of iOS 26: a `BGContinuedProcessingTask`, whose title and progress the system shows.
    ///
    /// The app's `Info.plist` lists the identifier with `.*` behind it under `BGTaskSchedulerPermittedIdentifiers`; it
    /// begins with the app's bundle identifier. A task serves one reply at a time.
    @available(iOS 26.0, *)
    @available(macCatalyst, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    public final class ContinuedProcessingTask: BackgroundTask {
        private struct State {
            var task: SystemTask?
            var progress: (completed: Int, total: Int) = (0, 1)
            /// The result of work that ended before the system started the task.
            var success: Bool?
        }

        /// Carries the system's task between threads.
        private struct SystemTask: @unchecked Sendable {  // BGTask's methods may be called from any thread
            let task: BGContinuedProcessingTask
        }

        private let identifier: String
        private let title: String
        private let subtitle: String
        private let state = Locked(State())

        /// Prepares a task.
        ///
        /// - Parameters:
        ///   - identifier: the beginning of the identifier in the app's `Info.plist`, such as `com.example.chat.reply`
        ///     for `com.example.chat.reply.*`.
        ///   - title: the title that the system shows, such as "Writing a reply".
        ///   - subtitle: the line below it.
        public init(identifier: String, title: String, subtitle: String) {
            self.identifier = identifier
            self.title = title
            self.subtitle = subtitle
        }

        /// Submits the task, which starts at once or not at all.
        ///
        /// Call it while the app is in the foreground, after an action of the user.
        ///
        /// - Parameter onExpiration: called when the system takes the time back.
        /// - Throws: the scheduler's error.
        public func begin(onExpiration: @escaping @Sendable () -> Void) throws {
            state.withLock { $0 = State() }
            // The system takes a handler for an identifier once.
            let name = "\(identifier).\(UUID().uuidString)"
            BGTaskScheduler.shared.register(forTaskWithIdentifier: name, using: nil) { [weak self] started in
                guard let self, let task = started as? BGContinuedProcessingTask else {
                    return started.setTaskCompleted(success: false)
                }
                start(task, onExpiration)
            }
            let request = BGContinuedProcessingTaskRequest(identifier: name, title: title, subtitle: subtitle)
            // A reply does not wait for other apps' tasks.
            request.strategy = .fail
            try BGTaskScheduler.shared.submit(request)
        }

        private func start(_ task: BGContinuedProcessingTask, _ onExpiration: @escaping @Sendable () -> Void) {
            task.expirationHandler = onExpiration
            let system = SystemTask(task: task)
            let (progress, success) = state.withLock { state in
                if state.success == nil { state.task = system }
                return (state.progress, state.success)
            }
            show(progress, on: system)
            if let success { task.setTaskCompleted(success: success) }
        }

        /// Shows how far the reply has come.
        ///
        /// - Parameters:
        ///   - completed: the number of units that are done.
        ///   - total: the number of all units.
        public func update(completed: Int, of total: Int) {
            let task = state.withLock { state in
                state.progress = (completed, total)
                return state.task
            }
            if let task { show((completed, total), on: task) }
        }

        private func show(_ progress: (completed: Int, total: Int), on system: SystemTask) {
            system.task.progress.totalUnitCount = Int64(progress.total)
            system.task.progress.completedUnitCount = Int64(progress.completed)
        }

        /// Tells the system that the work is over.
        ///
        /// - Parameter success: whether the reply is complete.
        public func end(success: Bool) {
            let task = state.withLock { state in
                defer { state.task = nil }
                state.success = success
                return state.task
            }
            task?.task.setTaskCompleted(success: success)
        }
    }
#endif
