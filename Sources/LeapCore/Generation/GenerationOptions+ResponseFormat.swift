import LeapJSON

extension GenerationOptions {
    /// Makes the reply JSON that decodes into a type.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` if the type's schema is no JSON object.
    public func setResponseFormat<T: GeneratableType>(type: T.Type) throws {
        let schema = T.jsonSchema()
        do {
            guard try JSONParser.parse(schema).object != nil else {
                throw LeapGeneratableSchematizationException("the JSON Schema of \(T.self) is not an object")
            }
        } catch let failure as JSONParser.Failure {
            throw LeapGeneratableSchematizationException(
                "the JSON Schema of \(T.self) is not JSON: \(failure)", cause: failure)
        }
        jsonSchemaConstraint = schema
    }

    /// Makes the reply JSON that decodes into a type.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` if the type's schema is no JSON object.
    public func setResponseFormatType<T: GeneratableType>(_ type: T.Type) throws {
        try setResponseFormat(type: type)
    }

    /// The same options with a reply that is JSON and decodes into a type.
    public func with<T: GeneratableType>(responseFormat type: T.Type) -> GenerationOptions {
        with(jsonSchema: T.jsonSchema())
    }
}

/// Options with the one method that version 0.10 of the LEAP SDK has on a type of its own.
public final class GenerationOptionsCompat: GenerationOptions, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes the reply JSON that validates against a JSON Schema.
    public func setResponseFormat(jsonSchema: String) {
        jsonSchemaConstraint = jsonSchema
    }
}
