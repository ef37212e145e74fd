public import Foundation
import LeapBase

/// The embedded demonstration models that answer typed questions.
///
/// They are two small LFM2 models, trained from scratch on synthetic stories, mails, messages and lines of logs, with
/// questions whose answers are known. The recipe and the model card are in `DemoModel/Decisions/` of this repository.
/// They know the texts and questions of that world and nothing else.
///
/// An app that does not link this product does not carry the files.
public enum LeapDecisionDemoModel {
    /// The name that stands for ``labels`` wherever the command line takes a model path.
    public static let name = "demo-decisions"

    /// The name that stands for ``masks`` wherever the command line takes a model path.
    public static let masksName = "demo-decisions-masks"

    /// The model on disk whose answers are logits of label tokens (`lfm2-d1`).
    ///
    /// Questions about a state share its computation. Throws ``LeapDecisionDemoModelError`` if it was not shipped with
    /// the program.
    public static var labels: URL {
        get throws { try resource("leap-decision-demo-labels-Q8_0.gguf") }
    }

    /// The model on disk whose answers are scores at a mask for each option (`lfm2-d1-omni`).
    ///
    /// It sees a whole prompt at once. Throws ``LeapDecisionDemoModelError`` if it was not shipped with the program.
    public static var masks: URL {
        get throws { try resource("leap-decision-demo-masks-Q8_0.gguf") }
    }

    private static func resource(_ name: String) throws -> URL {
        do throws(EmbeddedFile.Missing) {
            return URL(fileURLWithPath: try EmbeddedFile.path(name, bundle: "open-leap_LeapDecisionDemoModel"))
        } catch {
            throw LeapDecisionDemoModelError(file: error.name, folders: error.folders)
        }
    }
}

/// A file of the decision demo models was not shipped with the program.
public struct LeapDecisionDemoModelError: LocalizedError, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// The folders in which it was looked for, by itself and in the product's resource bundle.
    public let folders: [String]

    /// A description of what is missing and of how to mend it.
    public var description: String {
        EmbeddedFile.Missing(name: file, folders: folders).message(product: "LeapDecisionDemoModel")
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension LeapDecisionDemoModelError: CodedError {
    package var field: String? { file }
    package var message: String { description }
}
