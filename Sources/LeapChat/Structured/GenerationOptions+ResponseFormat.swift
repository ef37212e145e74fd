extension GenerationOptions {
    /// Makes the reply JSON that decodes into a type.
    ///
    /// If the schema cannot be enforced, the generation throws ``LeapGeneratableSchematizationException`` when it
    /// starts.
    public func setResponseFormat<T: GeneratableType>(type: T.Type) {
        jsonSchemaConstraint = T.jsonSchema()
    }

    /// Makes the reply JSON that decodes into a type; see ``setResponseFormat(type:)``.
    public func setResponseFormatType<T: GeneratableType>(_ type: T.Type) {
        setResponseFormat(type: type)
    }

    /// Returns the same options with a reply that is JSON and decodes into a type.
    public func with<T: GeneratableType>(responseFormat type: T.Type) -> GenerationOptions {
        with(jsonSchema: T.jsonSchema())
    }
}
