import Foundation

/// The texts of `ModelPicker`, in the language of the app.
public struct ModelPickerLabels: Equatable, Sendable {
    /// The mark of the model that is loaded.
    public var loaded: String
    /// The mark of a model whose files have to be downloaded.
    public var notOnDevice: String
    /// The text while a model is loaded.
    public var loading: String
    /// The button that gives up loading.
    public var cancel: String
    /// The button that reads the list again.
    public var refresh: String
    /// The text in place of an empty list.
    public var empty: String

    /// Creates texts; the defaults are English.
    public init(
        loaded: String = "Loaded", notOnDevice: String = "To be downloaded", loading: String = "Loading…",
        cancel: String = "Cancel", refresh: String = "Look again", empty: String = "There are no models."
    ) {
        self.loaded = loaded
        self.notOnDevice = notOnDevice
        self.loading = loading
        self.cancel = cancel
        self.refresh = refresh
        self.empty = empty
    }

    /// Returns the line below a model's name: its detail, its size and what is to be known of it.
    ///
    /// - Parameters:
    ///   - choice: the model.
    ///   - isLoaded: whether the model is the loaded one.
    public func line(of choice: ModelChoice, isLoaded: Bool) -> String {
        let size = choice.bytes.map { $0.formatted(.byteCount(style: .file)) }
        let state: String? = isLoaded ? loaded : choice.isOnDevice ? nil : notOnDevice
        let parts = [choice.detail.isEmpty ? nil : choice.detail, size, state, choice.obstacle]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }
}
