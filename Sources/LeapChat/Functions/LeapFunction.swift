/// A function of the app that a model can call.
///
/// ```swift
/// conversation.registerFunction(
///     LeapFunction(
///         name: "next_trams",
///         description: "Departures of the next trams from a stop",
///         parameters: [
///             LeapFunctionParameter(name: "stop", type: .string(StringType()), description: "Name of the stop")
///         ]))
/// ```
/// Functions and parameters can have any name. Models that write calls as code (``LFMFunctionCallParser``) use a
/// substitute spelling for names that are not identifiers; calls carry the original names. Two functions or two
/// parameters with one name make the generation fail with ``LeapGenerationException``.
public struct LeapFunction: Sendable, Hashable {
    /// The name by which the model calls the function.
    public let name: String
    /// A description of the function's purpose, written for the model.
    public let description: String
    /// The parameters, in order; the order matters for calls without argument names.
    ///
    /// For a function with a JSON Schema, this is a typed view of the schema. ``parametersSchema`` has everything that
    /// the view cannot express.
    public let parameters: [LeapFunctionParameter]
    /// The definition as the app wrote it.
    package let source: FunctionSource

    /// Creates a function.
    public init(name: String, description: String, parameters: [LeapFunctionParameter]) {
        self.name = name
        self.description = description
        self.parameters = parameters
        source = FunctionSource(parameters: parameters)
    }

    init(name: String, description: String, parameters: [LeapFunctionParameter], source: FunctionSource) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.source = source
    }
}

/// A parameter of a function.
public struct LeapFunctionParameter: Sendable, Hashable, Codable {
    /// The name of the parameter in calls.
    public let name: String
    /// The type of the parameter's values.
    public let type: LeapFunctionParameterType
    /// A description of the parameter's purpose, written for the model; it replaces a description inside ``type``.
    public let description: String
    /// A Boolean value that indicates whether a call can omit the parameter.
    public let optional: Bool

    /// Creates a parameter.
    public init(name: String, type: LeapFunctionParameterType, description: String, optional: Bool = false) {
        self.name = name
        self.type = type
        self.description = description
        self.optional = optional
    }
}
