extension ModelDownloadStatus {
    /// The part of the model that is there, in 0...1.
    @available(*, deprecated, message: "switch over the status: case .downloadInProgress(let progress)")
    public var progress: Double {
        switch self {
        case .notOnLocal: 0
        case .downloadInProgress(let progress): progress
        case .downloaded: 1
        }
    }
}
