import Foundation
import LeapBase
import LeapChat
import LeapEngine

/// The state of a session in a file, which is removed with this value.
final class TemporaryState: Sendable {
    /// The path of the file.
    let path: String

    /// Writes a state.
    ///
    /// - Parameter folder: made where it is missing.
    /// - Throws: ``LeapSerializationException`` that names the file or the folder.
    init(_ snapshot: SequenceSnapshot, _ format: SequenceFormat, in folder: URL) throws {
        let folder = try BackendSource.path(of: folder)
        do throws(FileSystemError) {
            try FileSystem.makeFolder(folder, permissions: 0o700)
        } catch {
            throw LeapSerializationException("the state of conversations cannot be saved: \(error)", cause: error)
        }
        path = "\(folder)/\(UUID().uuidString).state"
        // A power failure ends the process too, and nothing reads the file after that.
        try ConversationFile.write(Array("{}".utf8), kept: [], snapshot, format, to: path, isDurable: false)
    }

    deinit { FileSystem.remove(path) }
}
