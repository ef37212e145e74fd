import LeapGGUF
import LeapHTTP

/// The check that a file that was fetched is a model at all, before it gets its name.
///
/// A hash says that the bytes are those of the source; it does not say that the source has a model there, and many
/// sources give none.
enum ModelFileCheck {
    /// - Throws: ``DownloadError/Code/notAModel`` that says what the file is instead.
    static func check(_ partial: PartialFile, size: Int64, _ file: RemoteFile) async throws {
        guard size > 0 else {
            throw refusal(
                "the server sent an empty file where a model should be; check the address, or try another mirror.", file
            )
        }
        guard !isModel(file) else {
            do {
                _ = try await HeaderReader.header(size: size, file.name) { try partial.bytes($0) }
            } catch let error as GGUFError {
                throw refusal(of: error, file)
            }
            return
        }
        try checkCompanion(start: try partial.bytes(0..<min(size, 512)), file)
    }

    /// Returns whether the file has to be a GGUF file.
    static func isModel(_ file: RemoteFile) -> Bool { file.name.lowercased().hasSuffix(".gguf") }

    /// Returns the error for a file whose header is not that of a model.
    static func refusal(of error: GGUFError, _ file: RemoteFile) -> DownloadError {
        refusal("the server did not send a usable model: \(error.message)", file, error)
    }

    private static func refusal(_ text: String, _ file: RemoteFile, _ cause: (any Error)? = nil) -> DownloadError {
        DownloadError(.notAModel, "\(file.origin.shown): \(text)", url: file.origin, cause: cause)
    }

    /// Looks at the first bytes of what goes with a model: it comes in other formats, and none of them begins like
    /// these.
    static func checkCompanion(start bytes: [UInt8], _ file: RemoteFile) throws {
        let start = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace).lowercased()
        if start.hasPrefix("<!doctype") || start.hasPrefix("<html") {
            throw refusal(
                "the server sent a web page where a part of the model should be (on Hugging Face use /resolve/, not /blob/).",
                file)
        }
        if start.hasPrefix("version https://git-lfs") {
            throw refusal(
                "the server sent a Git LFS pointer where a part of the model should be: fetch the file itself.", file)
        }
    }
}
