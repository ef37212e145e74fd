/// The system's permission to compute while the app is in the background.
///
/// On iOS 26 and later, `ContinuedProcessingTask` is one. Tests and other systems can use their own.
public protocol BackgroundTask: Sendable {
    /// Asks the system for time.
    ///
    /// - Parameter onExpiration: called on any thread when the system takes the time back. Little time is left then, so
    ///   ``end(success:)`` has to follow soon.
    /// - Throws: the system's error if it gives no time.
    func begin(onExpiration: @escaping @Sendable () -> Void) throws

    /// Shows how far the work has come.
    ///
    /// - Parameters:
    ///   - completed: the number of units that are done.
    ///   - total: the number of all units.
    func update(completed: Int, of total: Int)

    /// Gives the time back.
    ///
    /// - Parameter success: whether the work is complete.
    func end(success: Bool)
}
