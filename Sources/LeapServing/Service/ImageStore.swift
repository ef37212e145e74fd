import Foundation
import LeapBase
import LeapChat

/// The files of pictures that apps have sent lately, so that each is sent once and not with every turn.
///
/// An app names a picture by its SHA-256, which it cannot know without the picture: none gets at what another one has
/// sent.
final class ImageStore: Sendable {
    private struct State {
        var files: [Data: MediaFile] = [:]
        /// The digests, the one that was used last at the end.
        var order: [Data] = []
        var byteCount = 0
    }

    private let maxBytes: Int
    private let state = Locked(State())

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Bytes that are kept.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// A picture by its digest; nil where it is not kept.
    func use(_ digest: Data) -> MediaFile? {
        state.withLock { state in
            guard let file = state.files[digest], let index = state.order.firstIndex(of: digest) else { return nil }
            state.order.append(state.order.remove(at: index))
            return file
        }
    }

    /// Keeps a picture, and drops those that were not used for longest.
    func keep(_ file: MediaFile) {
        let digest = Data(file.digest)
        guard file.data.count <= maxBytes, use(digest) == nil else { return }
        state.withLock { state in
            guard state.files.updateValue(file, forKey: digest) == nil else { return }
            state.order.append(digest)
            state.byteCount += file.data.count
            while state.byteCount > maxBytes {
                state.byteCount -= state.files.removeValue(forKey: state.order.removeFirst())?.data.count ?? 0
            }
        }
    }
}
