#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// A list of models, of which a tap loads one.
    ///
    /// A model that cannot be chosen says why.
    public struct ModelPicker: View {
        private let store: ModelPickerStore
        private let labels: ModelPickerLabels

        /// Creates a view of a list.
        public init(store: ModelPickerStore, labels: ModelPickerLabels = .init()) {
            self.store = store
            self.labels = labels
        }

        /// The list, which is read when it appears.
        public var body: some View {
            List {
                if let problem = store.problem { Text(problem).foregroundStyle(.red) }
                if store.choices.isEmpty, !store.isListing { Text(labels.empty).foregroundStyle(.secondary) }
                ForEach(store.choices) { choice in row(choice) }
                Button(labels.refresh) { Task { await store.refresh() } }.disabled(store.isListing)
            }
            .task { await store.refresh() }
        }

        @ViewBuilder
        private func row(_ choice: ModelChoice) -> some View {
            let isLoaded = store.selection == choice.id
            Button(action: { store.choose(choice.id) }) {
                HStack(spacing: 8) {
                    VStack(alignment: .leading, spacing: 2) {
                        Text(choice.name).font(.body)
                        Text(labels.line(of: choice, isLoaded: isLoaded)).font(.caption).foregroundStyle(.secondary)
                    }
                    Spacer()
                    if isLoaded { Image(systemName: "checkmark").accessibilityHidden(true) }
                }
            }
            .disabled(choice.obstacle != nil)
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(isLoaded ? [.isSelected, .isButton] : .isButton)
            if store.loading == choice.id {
                ProgressView(value: store.progress) { Text(labels.loading).font(.caption) }
                Button(labels.cancel, action: store.cancel)
            }
        }
    }
#endif
