import Foundation

/// Where a file of this product lies.
///
/// `Bundle.module` ends the process where there is no resource bundle, as for a program that was copied away from its build folder. So the
/// places where a bundle, or the file itself, may lie are looked through here.
enum EmbeddedFile {
    /// What SwiftPM calls the bundle: package and target.
    private static let bundle = "open-leap_LeapDemoModel"

    private final class Marker {}

    /// The file of this name.
    ///
    /// - Throws: ``LeapDemoModelError`` with the folders where it is not.
    static func url(_ name: String) throws -> URL {
        let folders = folders
        for folder in folders {
            // Linux, macOS, an app's bundle for macOS, and the file without any.
            for path in ["\(bundle).resources", "\(bundle).bundle", "\(bundle).bundle/Contents/Resources", "."] {
                let url = folder.appendingPathComponent(path).appendingPathComponent(name)
                if FileManager.default.fileExists(atPath: url.path) { return url.standardizedFileURL }
            }
        }
        throw LeapDemoModelError(file: name, folders: folders.map(\.path))
    }

    /// The folders that are looked through, each once.
    private static var folders: [URL] {
        var folders: [URL?] = []
        // A link to the program leads to the folder that the program is in.
        if let program = Bundle.main.executableURL?.resolvingSymlinksInPath() {
            let folder = program.deletingLastPathComponent()
            folders = [folder, folder.deletingLastPathComponent().appendingPathComponent("share/open-leap")]
        }
        let own = Bundle(for: Marker.self)
        // Tests on Apple's systems run in a program of Xcode's, from a bundle that lies beside this one.
        folders += [
            Bundle.main.resourceURL, Bundle.main.bundleURL, own.resourceURL, own.bundleURL,
            own.bundleURL.deletingLastPathComponent(),
        ]
        var seen: Set<String> = []
        return folders.compactMap { $0?.standardizedFileURL }.filter { seen.insert($0.path).inserted }
    }
}
