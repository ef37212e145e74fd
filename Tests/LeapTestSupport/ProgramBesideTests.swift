package import Foundation

/// Programs of the package that tests start as processes of their own.
package enum ProgramBesideTests {
    /// The program of a name; nil where it was not built.
    package static func url(_ name: String) -> URL? {
        // Beside the test bundle on Linux; above it on macOS.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        let url = folder.appendingPathComponent(name)
        return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
    }
}
