import LeapGrammar
import Testing

/// Schemas of many shapes, and what checks instances of them.
enum SchemaSamples {
    static let all: [String] = [
        #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":150}},"required":["name","age"],"additionalProperties":false}"#,
        #"{"type":"object","properties":{"departure_airport_code":{"type":"string","maxLength":4},"arrival_airport_code":{"type":"string","maxLength":4},"passenger_count":{"type":"integer","maximum":9,"minimum":1}},"required":["departure_airport_code","arrival_airport_code","passenger_count"],"additionalProperties":false}"#,
        #"{"type":"array","items":{"type":"object","properties":{"temperature":{"type":"number"},"unit":{"enum":["celsius","fahrenheit"]}},"required":["temperature","unit"],"additionalProperties":false},"minItems":2,"maxItems":3}"#,
        #"{"enum":["yes","no","perhaps",null,7]}"#,
        #"{"type":"string","pattern":"^[A-Z]{2}-[0-9]{3}$"}"#,
        #"{"type":"string","format":"date-time"}"#,
        #"{"type":"boolean"}"#,
        #"{"type":"number","minimum":0.5,"maximum":2,"multipleOf":0.25}"#,
        #"{"type":"object","properties":{"status":{"const":"completed_successfully"},"detail":{"anyOf":[{"type":"null"},{"type":"string","minLength":3,"maxLength":12}]}},"required":["status","detail"],"additionalProperties":false}"#,
        ##"{"$defs":{"node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/node"}]}},"required":["value","next"],"additionalProperties":false}},"$ref":"#/$defs/node"}"##,
        #"{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1,"maxProperties":2}"#,
        #"{"type":"object","properties":{"größe":{"type":"string","enum":["groß","klein","日本"]}},"required":["größe"],"additionalProperties":false}"#,
        "true",
    ]

    /// Returns whether a text is an instance of a schema, judged byte by byte and with properties in any order.
    static func isValid(_ text: String, _ schema: String, vocabulary: VocabularyIndex) throws -> Bool {
        let grammar = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(propertyOrder: .any))
        let matcher = grammar.matcher(vocabulary: vocabulary)
        return matcher.accept(bytes: Array(text.utf8)) && matcher.isAccepting
    }
}
