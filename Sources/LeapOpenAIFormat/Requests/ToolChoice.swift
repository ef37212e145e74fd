package import LeapJSON

extension OpenAI {
    /// A value of `tool_choice`: which tools a reply calls.
    package enum ToolChoice: Sendable, Hashable {
        /// A choice that names no tool.
        package enum Mode: String, Sendable, Hashable, CaseIterable {
            /// The model decides.
            case auto
            /// No tool is called.
            case none
            /// At least one tool is called.
            case required
        }

        case mode(Mode)
        /// The tool with this name is called.
        case function(String)

        /// Reads a choice; nil for another word, and for an object that names no tool.
        package init?(_ json: JSONValue) {
            if let word = json.string {
                guard let mode = Mode(rawValue: word) else { return nil }
                self = .mode(mode)
            } else if let object = json.object {
                let inner = object[Key.function]?.object ?? object[Key.custom]?.object
                guard let name = inner?[Key.name]?.string ?? object[Key.name]?.string else { return nil }
                self = .function(name)
            } else {
                return nil
            }
        }

        /// The choice as chat completions have it.
        package var json: JSONValue {
            switch self {
            case .mode(let mode): .string(mode.rawValue)
            case .function(let name): Tool.function(.object([Key.name: .string(name)]))
            }
        }
    }
}
