public import Foundation
import LeapBase

/// The embedded demonstration model that looks at pictures.
///
/// The demo model's kin: the same language model, with a small tower for pictures and the projector between them,
/// trained from scratch on synthetic pictures of shapes, numbers and bar charts. The recipe and the model card are in
/// `DemoModel/Vision/` of this repository. It knows the pictures and questions of that world and nothing else.
///
/// An app that does not link this product does not carry the files.
public enum LeapVisionDemoModel {
    /// The name that stands for this model wherever the command line takes a model path.
    public static let name = "demo-vision"

    /// The text model on disk; its projector lies beside it and is found when it is loaded.
    ///
    /// Throws ``LeapVisionDemoModelError`` if it was not shipped with the program.
    public static var url: URL {
        get throws { try resource("leap-vision-demo-Q6_K", "gguf") }
    }

    /// The projector on disk, for loading options that name it.
    ///
    /// Throws ``LeapVisionDemoModelError`` if it was not shipped with the program.
    public static var projectorURL: URL {
        get throws { try resource("mmproj-leap-vision-demo-Q8_0", "gguf") }
    }

    /// A picture of the model's world, to try it with.
    public enum Picture: String, CaseIterable, Sendable {
        /// A red circle, a blue star and a green square.
        case shapes
        /// The number 42.
        case number
        /// A bar chart.
        case chart

        /// The PNG file's bytes.
        ///
        /// Throws ``LeapVisionDemoModelError`` if it was not shipped with the program.
        public var data: Data {
            get throws { try Data(contentsOf: LeapVisionDemoModel.resource(rawValue, "png")) }
        }
    }

    private static func resource(_ name: String, _ ending: String) throws -> URL {
        do throws(EmbeddedFile.Missing) {
            return URL(
                fileURLWithPath: try EmbeddedFile.path(
                    "\(name).\(ending)", bundle: "open-leap_LeapVisionDemoModel"))
        } catch {
            throw LeapVisionDemoModelError(file: error.name, folders: error.folders)
        }
    }
}

/// A file of the vision demo model was not shipped with the program.
public struct LeapVisionDemoModelError: LocalizedError, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// The folders in which it was looked for, by itself and in the product's resource bundle.
    public let folders: [String]

    /// A description of what is missing and of how to mend it.
    public var description: String {
        EmbeddedFile.Missing(name: file, folders: folders).message(product: "LeapVisionDemoModel")
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension LeapVisionDemoModelError: CodedError {
    package var field: String? { file }
    package var message: String { description }
}
