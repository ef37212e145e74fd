import Foundation

extension LoadOptions {
    /// Returns the same options with absolute paths, for a process with another current directory.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the key of the extras at fault.
    package func withAbsolutePaths() throws -> LoadOptions {
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        var copy = self
        copy.mmProjPath = mmProjPath.map(absolute)
        copy.audioDecoderPath = audioDecoderPath.map(absolute)
        copy.audioTokenizerPath = audioTokenizerPath.map(absolute)
        var further = try readExtras()
        for index in further.adapters.indices { further.adapters[index].path = absolute(further.adapters[index].path) }
        further.speculation.draftModel = further.speculation.draftModel.map(absolute)
        copy.further = further
        return copy
    }
}
