import LeapCore

/// A model that a person can choose.
public struct ModelChoice: Identifiable, Hashable, Sendable {
    /// The name by which the app loads the model.
    public let id: String
    /// The name that is shown.
    public let name: String
    /// A line below the name, such as what the model is good at; empty for none.
    public let detail: String
    /// The bytes of its files; nil if that is not known.
    public let bytes: Int64?
    /// True if its files are on this device.
    public let isOnDevice: Bool
    /// The reason why the model cannot be chosen here, such as too little memory; nil if it can.
    public let obstacle: String?

    /// Creates a choice.
    public init(
        id: String, name: String, detail: String = "", bytes: Int64? = nil, isOnDevice: Bool = true,
        obstacle: String? = nil
    ) {
        self.id = id
        self.name = name
        self.detail = detail
        self.bytes = bytes
        self.isOnDevice = isOnDevice
        self.obstacle = obstacle
    }
}

/// The models of an app, for ``ModelPickerStore``.
public protocol ModelLibrary: Sendable {
    /// Returns the models that there are to choose from, in the order in which they are shown.
    func choices() async throws -> [ModelChoice]

    /// Loads a model, after a download where its files are missing.
    ///
    /// - Parameters:
    ///   - choice: the model.
    ///   - progress: receives the fraction that is there, in 0...1.
    func load(
        _ choice: ModelChoice, progress: @escaping @MainActor (_ fraction: Double) -> Void
    ) async throws -> any ModelRunner
}
