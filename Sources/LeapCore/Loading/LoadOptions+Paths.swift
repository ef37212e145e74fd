import Foundation
import LeapJSON

extension LoadOptions {
    /// The same options with absolute paths, for a process with another current directory.
    package func withAbsolutePaths() -> LoadOptions {
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        var copy = self
        copy.mmProjPath = mmProjPath.map(absolute)
        copy.audioDecoderPath = audioDecoderPath.map(absolute)
        copy.audioTokenizerPath = audioTokenizerPath.map(absolute)
        // What is not as it has to be stays as it is: loading says what is wrong with it.
        guard let extras, var object = try? JSONParser.parse(extras).object else { return copy }
        if let adapters = object["adapters"]?.array {
            object["adapters"] = .array(
                adapters.map { adapter in
                    if let path = adapter.string, !path.isEmpty { return .string(absolute(path)) }
                    guard var members = adapter.object, let path = members["path"]?.string, !path.isEmpty else {
                        return adapter
                    }
                    members["path"] = .string(absolute(path))
                    return .object(members)
                })
        }
        if var speculation = object["speculation"]?.object, let path = speculation["draftModel"]?.string, !path.isEmpty
        {
            speculation["draftModel"] = .string(absolute(path))
            object["speculation"] = .object(speculation)
        }
        copy.extras = JSONWriter.string(.object(object))
        return copy
    }
}
