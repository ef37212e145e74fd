#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// The download of one model: its status, a bar, bytes, speed and time left, and a button.
    ///
    /// ```
    /// ModelDownloadView(title: "LFM2 1.2B", store: store)
    /// ```
    /// It looks for the model when it appears. A download goes on if the view disappears.
    public struct ModelDownloadView: View {
        private let title: String
        private let store: ModelDownloadStore

        /// Creates a view of a download.
        ///
        /// - Parameters:
        ///   - title: the name of the model, for the person.
        ///   - store: the download.
        public init(title: String, store: ModelDownloadStore) {
            self.title = title
            self.store = store
        }

        /// The view.
        public var body: some View {
            VStack(spacing: 8) {
                Text(title).font(.body)
                Text(store.statusText).font(.callout).foregroundStyle(.secondary)
                if store.state.isActive {
                    ProgressView(value: store.state.fraction)
                        .accessibilityLabel(store.statusText)
                }
                if !store.detailText.isEmpty {
                    Text(store.detailText).font(.caption).foregroundStyle(.secondary)
                }
                if let action = store.state.action, let text = store.actionText {
                    Button(action: { Task { await store.perform(action) } }) { Text(text) }
                }
            }
            .padding()
            .task { await store.refresh() }
        }
    }
#endif
