public import Foundation
import LeapBase

/// The embedded demonstration model: something real to run before anything has been downloaded.
///
/// 7.7 million parameters in the LFM2 architecture, Q8_0, 8.3 MB. It was trained from scratch on synthetic
/// conversations; the recipe and the model card are in `DemoModel/` of this repository. It knows the stories,
/// capitals, sums, tools and JSON of its corpus and nothing else.
///
/// An app that does not link this product does not carry the file.
public enum LeapDemoModel {
    /// The name that stands for this model wherever the command line takes a model path.
    public static let name = "demo"

    /// The GGUF file on disk.
    ///
    /// It lies in this product's resource bundle, or by itself: beside the program, in `../share/open-leap` of the
    /// program's folder, or in an app's resources. A link to the program counts as the program.
    ///
    /// Throws ``LeapDemoModelError`` if it was not shipped with the program.
    public static var url: URL {
        get throws {
            do throws(EmbeddedFile.Missing) {
                let path = try EmbeddedFile.path("leap-demo-Q8_0.gguf", bundle: "open-leap_LeapDemoModel")
                return URL(fileURLWithPath: path)
            } catch {
                throw LeapDemoModelError(file: error.name, folders: error.folders)
            }
        }
    }
}

/// The demo model's file was not shipped with the program.
public struct LeapDemoModelError: LocalizedError, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// The folders in which it was looked for, by itself and in the product's resource bundle.
    public let folders: [String]

    /// A description of what is missing and of how to mend it.
    public var description: String {
        EmbeddedFile.Missing(name: file, folders: folders).message(product: "LeapDemoModel")
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension LeapDemoModelError: CodedError {
    package var field: String? { file }
    package var message: String { description }
}
