/// A function of the app that a model may ask for.
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
/// Functions and parameters may have any name. Models that write calls as code (``LFMFunctionCallParser``) read and
/// write a spelling of names that are no identifiers; calls have the names themselves. Two functions or parameters of
/// one name make the generation fail with ``LeapGenerationException``.
public struct LeapFunction: Sendable, Hashable {
    /// The name by which the model calls the function.
    public let name: String
    /// A description of the function's purpose, for the model to read.
    public let description: String
    /// The parameters, in order; the order matters for calls that leave the names out.
    ///
    /// Of a function with a JSON Schema this is the typed view; what the view cannot say is in ``parametersSchema``.
    public let parameters: [LeapFunctionParameter]
    /// The definition as the app wrote it.
    package let source: FunctionSource

    /// Makes a function.
    public init(name: String, description: String, parameters: [LeapFunctionParameter]) {
        self.name = name
        self.description = description
        self.parameters = parameters
        source = FunctionSource(parameters: parameters)
    }

    /// Makes a function; the labels of version 0.10 of the LEAP SDK.
    public init(name: String, functionDescription: String, parameters: [LeapFunctionParameter]) {
        self.init(name: name, description: functionDescription, parameters: parameters)
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
    /// The type of the values that it takes.
    public let type: LeapFunctionParameterType
    /// A description of the parameter's purpose, for the model to read; wins over a description inside ``type``.
    public let description: String
    /// A Boolean value that tells whether a call may leave the parameter out.
    public let optional: Bool

    /// Makes a parameter.
    public init(name: String, type: LeapFunctionParameterType, description: String, optional: Bool = false) {
        self.name = name
        self.type = type
        self.description = description
        self.optional = optional
    }

    /// Makes a parameter; the labels of version 0.10 of the LEAP SDK.
    public init(name: String, type: LeapFunctionParameterType, parameterDescription: String, optional: Bool = false) {
        self.init(name: name, type: type, description: parameterDescription, optional: optional)
    }
}
