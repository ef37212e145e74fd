import Foundation

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

    /// The GGUF file on disk, inside this product's resource bundle.
    ///
    /// Throws ``LeapDemoModelError`` if the resource bundle was not shipped beside the program.
    public static var url: URL {
        get throws {
            guard let url = Bundle.module.url(forResource: "leap-demo-Q8_0", withExtension: "gguf") else {
                throw LeapDemoModelError(bundlePath: Bundle.module.bundlePath)
            }
            return url
        }
    }
}

/// The demo model's resource bundle does not hold the model file.
public struct LeapDemoModelError: LocalizedError, CustomStringConvertible {
    /// Where the bundle was looked for.
    public let bundlePath: String

    /// What is missing and how to mend it.
    public var description: String {
        "leap-demo-Q8_0.gguf is not in \(bundlePath): ship the resource bundle of the LeapDemoModel product beside "
            + "the program, or load a model by its path"
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}
