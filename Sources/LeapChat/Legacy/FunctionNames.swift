// The names and labels that functions and their types have in version 0.10 of the LEAP SDK.

extension LeapFunction {
    /// Creates a function, with the labels of version 0.10 of the LEAP SDK.
    public init(name: String, functionDescription: String, parameters: [LeapFunctionParameter]) {
        self.init(name: name, description: functionDescription, parameters: parameters)
    }
}

extension LeapFunctionParameter {
    /// Creates a parameter, with the labels of version 0.10 of the LEAP SDK.
    public init(name: String, type: LeapFunctionParameterType, parameterDescription: String, optional: Bool = false) {
        self.init(name: name, type: type, description: parameterDescription, optional: optional)
    }
}

extension LeapFunctionParameterType {
    /// The name that ``string(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapStr(enumValues: [String]? = nil, description: String? = nil) -> Self {
        .string(StringType(description: description, enumValues: enumValues))
    }

    /// The name that ``number(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapNum(enumValues: [Double]? = nil, description: String? = nil) -> Self {
        .number(NumberType(description: description, enumValues: enumValues))
    }

    /// The name that ``integer(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapInt(enumValues: [Int]? = nil, description: String? = nil) -> Self {
        .integer(IntegerType(description: description, enumValues: enumValues))
    }

    /// The name that ``boolean(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapBool(description: String? = nil) -> Self {
        .boolean(BooleanType(description: description))
    }

    /// The name that ``array(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapArr(itemType: LeapFunctionParameterType, description: String? = nil) -> Self {
        .array(ArrayType(itemType: itemType, description: description))
    }

    /// The name that ``object(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapObj(
        properties: [String: LeapFunctionParameterType], required: [String] = [], description: String? = nil
    ) -> Self {
        .object(ObjectType(properties: properties, required: required, description: description))
    }

    /// The name that ``null(_:)`` has in version 0.10 of the LEAP SDK.
    public static func LeapNull() -> Self { .null(NullType()) }
}
