import LeapGGUF

/// Whether a file that was fetched is a model at all, before it gets its name.
///
/// A hash says that the bytes are those of the source; it does not say that the source has a model there, and many sources give none.
enum ModelFileCheck {
    /// - Throws: ``DownloadError/Code/notAModel`` that says what the file is instead.
    static func check(_ partial: PartialFile, size: Int64, _ file: RemoteFile) async throws {
        let place = file.origin.shown
        func refuse(_ text: String, _ cause: (any Error)? = nil) -> DownloadError {
            DownloadError(.notAModel, "\(place): \(text)", url: file.origin, cause: cause)
        }
        guard size > 0 else {
            throw refuse(
                "the server sent an empty file where a model should be; check the address, or try another mirror.")
        }
        guard !file.name.lowercased().hasSuffix(".gguf") else {
            do {
                _ = try await HeaderReader.header(size: size, file.name) { try partial.bytes($0) }
            } catch let error as GGUFError {
                throw refuse("what the server sent is no model that can be used: \(error.message)", error)
            }
            return
        }
        // Companions come in other formats; none of them begins like these.
        let start = String(decoding: try partial.bytes(0..<min(size, 512)), as: UTF8.self)
            .drop(while: \.isWhitespace).lowercased()
        if start.hasPrefix("<!doctype") || start.hasPrefix("<html") {
            throw refuse(
                "the server sent a web page where a part of the model should be (on Hugging Face use /resolve/, not /blob/)."
            )
        }
        if start.hasPrefix("version https://git-lfs") {
            throw refuse(
                "the server sent a Git LFS pointer where a part of the model should be: fetch the file itself.")
        }
    }
}
