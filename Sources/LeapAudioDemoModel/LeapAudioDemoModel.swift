public import Foundation
import LeapBase

/// The embedded demonstration model that hears and speaks.
///
/// A model in the layout of LFM2.5-Audio, trained from scratch on sentences that a speech synthesiser said in many
/// voices. It writes down what is said to it, answers in text or in text and sound, and reads out its answers. The
/// recipe, the model card and all sentences that it knows are in `DemoModel/Audio/` of this repository; it knows
/// nothing else.
///
/// An app that does not link this product does not carry the files.
public enum LeapAudioDemoModel {
    /// The name that stands for this model wherever the command line takes a model path.
    public static let name = "demo-audio"

    /// The text model on disk; its encoder and its vocoder lie beside it and are found when it is loaded.
    ///
    /// Throws ``LeapAudioDemoModelError`` if it was not shipped with the program.
    public static var url: URL {
        get throws { try resource("leap-audio-demo-Q8_0", "gguf") }
    }

    /// The encoder of sound on disk, for loading options that name it.
    ///
    /// Throws ``LeapAudioDemoModelError`` if it was not shipped with the program.
    public static var encoderURL: URL {
        get throws { try resource("mmproj-leap-audio-demo-Q8_0", "gguf") }
    }

    /// The vocoder on disk, for loading options that name it.
    ///
    /// Throws ``LeapAudioDemoModelError`` if it was not shipped with the program.
    public static var vocoderURL: URL {
        get throws { try resource("vocoder-leap-audio-demo-Q8_0", "gguf") }
    }

    /// A sentence of the model's world, to try it with, in a voice that it was not trained with.
    public enum Recording: String, CaseIterable, Sendable {
        /// "Turn on the lamp."
        case lamp
        /// "What is two plus three?"
        case sum
        /// "Where is Mia?"
        case whereabouts

        /// The text that is said.
        public var text: String {
            switch self {
            case .lamp: "Turn on the lamp."
            case .sum: "What is two plus three?"
            case .whereabouts: "Where is Mia?"
            }
        }

        /// The WAV file's bytes.
        ///
        /// Throws ``LeapAudioDemoModelError`` if it was not shipped with the program.
        public var data: Data {
            get throws { try Data(contentsOf: LeapAudioDemoModel.resource(rawValue, "wav")) }
        }
    }

    private static func resource(_ name: String, _ ending: String) throws -> URL {
        do throws(EmbeddedFile.Missing) {
            return URL(
                fileURLWithPath: try EmbeddedFile.path("\(name).\(ending)", bundle: "open-leap_LeapAudioDemoModel"))
        } catch {
            throw LeapAudioDemoModelError(file: error.name, folders: error.folders)
        }
    }
}

/// A file of the audio demo model was not shipped with the program.
public struct LeapAudioDemoModelError: LocalizedError, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// The folders in which it was looked for, by itself and in the product's resource bundle.
    public let folders: [String]

    /// A description of what is missing and of how to mend it.
    public var description: String {
        EmbeddedFile.Missing(name: file, folders: folders).message(product: "LeapAudioDemoModel")
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension LeapAudioDemoModelError: CodedError {
    package var field: String? { file }
    package var message: String { description }
}
