package import Logging

/// The metadata of log lines while a task works for something: a request of a server, for instance.
///
/// Whoever sets up logging adds it to the lines of all loggers, by a `Logger.MetadataProvider` that returns
/// ``metadata``. It goes along to the threads that work for the task.
package enum LogContext {
    @TaskLocal package static var metadata: Logger.Metadata = [:]
}
