import LeapChat
import LeapEngine
import LeapGGUF
import LeapModel

extension ModelLoader {
    /// Checks that a path leads to a model that this version runs, by its header: no weights are read.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the file, what was found and what to do.
    package static func check(path: String) throws {
        let files = try ModelFiles.resolve(path: path)
        do {
            _ = try Model.load(file: try GGUFFile.open(path: files.modelPath))
        } catch {
            throw LeapModelLoadingException(
                message: message(for: error, path: files.modelPath), path: files.modelPath, cause: error)
        }
    }
}
