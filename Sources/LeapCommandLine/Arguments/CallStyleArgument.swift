import ArgumentParser
import LeapChat

/// A syntax of calls by its name.
struct CallStyleArgument: ExpressibleByArgument {
    /// The parser that reads calls; nil leaves them in the text.
    let parser: LeapFunctionCallParser?
    let defaultValueDescription: String

    static let automatic = CallStyleArgument(parser: .automatic, defaultValueDescription: "auto")
    static let names = ["auto"] + CallStyles.all.map { $0.styleName } + ["raw"]
    static var allValueStrings: [String] { names }

    private init(parser: LeapFunctionCallParser?, defaultValueDescription: String) {
        self.parser = parser
        self.defaultValueDescription = defaultValueDescription
    }

    init?(argument: String) {
        switch argument {
        case "auto": self = .automatic
        case "raw": self.init(parser: nil, defaultValueDescription: argument)
        default:
            guard let style = CallStyles.named(argument) else { return nil }
            self.init(parser: style, defaultValueDescription: argument)
        }
    }
}
