/// The place of a file that a product carries.
///
/// `Bundle.module` of SwiftPM ends the process where there is no resource bundle, as for a program that was copied away
/// from its build folder. So the places where a bundle, or the file itself, may lie are looked through here.
package enum EmbeddedFile {
    /// The file was not shipped with the program.
    package struct Missing: CodedError {
        /// The file's name.
        package let name: String
        /// The folders in which it was looked for.
        package let folders: [String]

        package init(name: String, folders: [String]) {
            self.name = name
            self.folders = folders
        }

        package var field: String? { name }
        package var message: String { "\(name) is not in \(folders.joined(separator: ", "))" }

        /// The message, and what to do where a product with a model carries the file.
        package func message(product: String) -> String {
            "\(message): ship it, or the resource bundle of the \(product) product, next to the program, or load a model by its path"
        }
    }

    /// The path of a file.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - bundle: what SwiftPM calls the resource bundle, without an extension: package and target.
    ///   - code: `#dsohandle` of the product's own code, which may lie in a plug-in rather than in the program.
    package static func path(
        _ name: String, bundle: String, code: UnsafeRawPointer = #dsohandle
    ) throws(Missing) -> String {
        let folders = folders(code)
        for folder in folders {
            // Linux, macOS, an app's bundle for macOS, and the file without any.
            for place in ["\(bundle).resources/", "\(bundle).bundle/", "\(bundle).bundle/Contents/Resources/", ""] {
                let path = "\(folder)/\(place)\(name)"
                if FileSystem.size(of: path) != nil { return path }
            }
        }
        throw Missing(name: name, folders: folders)
    }

    /// The folders that are looked through, each once.
    private static func folders(_ code: UnsafeRawPointer) -> [String] {
        var folders: [String] = []
        func add(_ folder: String?) {
            if let folder, !folders.contains(folder) { folders.append(folder) }
        }
        // A link to the program leads to the folder that the program is in.
        for file in [ProgramPath.executable, ProgramPath.image(of: code)].compactMap({ $0 }) {
            guard let folder = FileSystem.parent(of: file) else { continue }
            add(folder)
            guard let above = FileSystem.parent(of: folder) else { continue }
            add(above == "/" ? "/share/open-leap" : "\(above)/share/open-leap")
            #if canImport(Darwin)
                // Apps for macOS; then bundles of tests, which lie beside the resources that they use.
                add("\(above)/Resources")
                add(above)
                add(FileSystem.parent(of: above))
            #endif
        }
        return folders
    }
}
