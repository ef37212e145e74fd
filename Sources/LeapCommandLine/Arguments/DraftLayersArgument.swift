package import ArgumentParser
package import LeapModel

/// `--draft-layers auto|off|N`.
extension DraftLayerUse: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { text }

    package static var allValueStrings: [String] { ["auto", "off"] }

    /// The help of the option.
    package static let help: ArgumentHelp = ArgumentHelp(
        "Use of the model's layers that predict further tokens (MTP), which it then checks together: auto, off, or the maximum number of tokens, 1 to 16.",
        valueName: "use")
}
