import LeapSDK

/// The functions with which the model may use the files of one folder.
struct FileTools: Sendable {
    let folder: URL

    /// The functions as the model is told of them.
    static let functions = [
        function("check_file", "Check a file"),
        function("copy_file", "Copy a file"),
    ]

    /// Functions that change something.
    static let changing: Set<String> = ["copy_file"]

    private static func function(_ name: String, _ description: String) -> LeapFunction {
        LeapFunction(
            name: name, description: description,
            parameters: [LeapFunctionParameter(name: "name", type: .string(StringType()), description: "Which file")])
    }

    /// The reason why a call was not carried out.
    enum Problem: String, LocalizedError {
        case function = "there is no such function"
        case name = "the name has to be that of a file in the folder"
        case missing = "there is no such file"

        var errorDescription: String? { rawValue }
    }

    /// Carries out a call.
    func run(_ call: LeapFunctionCall) throws -> String {
        guard Self.functions.contains(where: { $0.name == call.name }) else { throw Problem.function }
        // What a model writes is not trusted: a name leads nowhere else.
        guard let name = call.arguments["name"] as? String, !name.isEmpty, !name.hasPrefix("."), !name.contains("/")
        else { throw Problem.name }
        let file = folder.appendingPathComponent(name)
        guard let content = try? Data(contentsOf: file) else { throw Problem.missing }
        switch call.name {
        case "check_file":
            return #"{"status": "\#(content.count) bytes"}"#
        case "copy_file":
            try content.write(to: folder.appendingPathComponent(name + ".copy"), options: .withoutOverwriting)
            return #"{"status": "ok"}"#
        default: throw Problem.function
        }
    }
}
