#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import SwiftUI

    /// The field for the next message, its pictures, and the button that sends it or stops the reply.
    struct ConversationComposer: View {
        @Bindable var store: ConversationStore
        let labels: ConversationLabels

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                if !store.pictures.isEmpty { pictures }
                HStack(alignment: .bottom, spacing: 8) {
                    TextField(labels.message, text: $store.draft, axis: .vertical)
                        .lineLimit(1...6)
                        .onSubmit(of: .text, store.send)
                    if store.isReplying {
                        Button(action: store.stop) { Image(systemName: "stop.fill").font(.title2) }
                            .accessibilityLabel(labels.stop)
                    } else {
                        Button(action: store.send) { Image(systemName: "arrow.up").font(.title2) }
                            .disabled(!store.canSend)
                            .accessibilityLabel(labels.send)
                    }
                }
            }
            .padding()
        }

        private var pictures: some View {
            ScrollView(.horizontal) {
                HStack(spacing: 8) {
                    ForEach(store.pictures.indices, id: \.self) { index in
                        // A list that has just become shorter is drawn once more with its old numbers.
                        if index < store.pictures.count {
                            PictureView(data: store.pictures[index], label: labels.picture, maxHeight: 72)
                            Button(action: { remove(index) }) { Image(systemName: "xmark") }
                                .accessibilityLabel(labels.removePicture)
                        }
                    }
                }
            }
        }

        private func remove(_ index: Int) {
            if store.pictures.indices.contains(index) { store.pictures.remove(at: index) }
        }
    }
#endif
