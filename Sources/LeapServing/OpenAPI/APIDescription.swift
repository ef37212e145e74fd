import Foundation
import LeapBase
import LeapJSON

/// The routes of the server as an OpenAPI document (3.1).
///
/// Paths and schemas are JSON files among this module's resources, one for each part of the protocol. What all operations
/// have in common is added here.
enum APIDescription {
    /// The names of the parts, in the order of the document.
    static let partNames = [
        "shared", "chat", "attachments", "text", "responses", "conversations", "messages", "audio", "models",
        "decisions",
        "ollama", "mcp", "figures",
    ]

    /// The parts that were shipped with the program, read once.
    static let shipped = Result { () throws(EmbeddedFile.Missing) in
        try partNames.map { name throws(EmbeddedFile.Missing) in
            let path = try EmbeddedFile.path("OpenAPI/\(name).json", bundle: "open-leap_LeapServing")
            // A part that is no JSON is missing, which a test would tell.
            return (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { try? JSONParser.parse($0) } ?? .null
        }
    }

    /// The document of a server; without paths where the parts were not shipped.
    ///
    /// - Parameters:
    ///   - table: the paths that it answers, with their methods; what it does not answer is left out.
    ///   - page: the files of its page, by path.
    static func document(of table: [String: Set<String>], page: [String: WebPageFile]) -> JSONValue {
        var paths: JSONObject = [:]
        var (schemas, parameters) = (JSONObject(), JSONObject())
        for part in (try? shipped.get()) ?? [] {
            let described = part["paths"]?.object?.members ?? []
            // Schemas of routes that are not there would say nothing.
            guard described.isEmpty || described.contains(where: { table[$0.key] != nil }) else { continue }
            for (path, operations) in described where table[path] != nil {
                paths[path] = completed(operations, path)
            }
            for (name, schema) in part["schemas"]?.object?.members ?? [] { schemas[name] = schema }
            for (name, value) in part["parameters"]?.object?.members ?? [] { parameters[name] = value }
        }
        for (path, file) in page.sorted(by: { $0.key < $1.key }) {
            paths[path] = completed(operation(of: file), path)
        }
        let info: JSONObject = [
            "title": "Open Leap", "version": .string(PackageVersion.text),
            "description":
                "Language models on this machine, in OpenAI's, Anthropic's and Ollama's protocols. The header Warning names fields without effect.",
            "license": .object(["name": "Apache-2.0", "identifier": "Apache-2.0"]),
        ]
        let components: JSONObject = [
            "headers": .object([
                "RequestID": .object([
                    "description":
                        "The identifier of the request, also in its log lines and its span. It is the request's own header of this name if that has at most 128 visible ASCII characters.",
                    "schema": .object(["type": "string"]),
                ])
            ]),
            "schemas": .object(schemas), "parameters": .object(parameters),
            "responses": .object([
                "Error": error("ErrorDocument"), "OllamaError": error("OllamaErrorDocument"),
                "AnthropicError": error("AnthropicErrorDocument"), "SystemOneError": error("SystemOneErrorDocument"),
            ]),
            "securitySchemes": .object([
                "key": .object(["type": "http", "scheme": "bearer"]),
                "header": .object(["type": "apiKey", "in": "header", "name": "x-api-key"]),
            ]),
        ]
        return .object([
            "openapi": "3.1.0", "info": .object(info), "paths": .object(paths), "components": .object(components),
            // A key is demanded only where the server was started with one.
            "security": .array([.object([:]), .object(["key": .array([])]), .object(["header": .array([])])]),
        ])
    }

    /// Returns the operation that fetches a file of the page.
    private static func operation(of file: WebPageFile) -> JSONValue {
        let type = file.reply.headers.first { $0.name == "content-type" }?.value ?? ""
        let content: JSONObject = [type: .object([:])]
        return .object([
            "get": .object([
                "operationId": .string("page:" + file.name), "summary": "A file of the web page",
                "responses": .object([
                    "200": .object(["description": "The file", "content": .object(content)])
                ]),
            ])
        ])
    }

    /// A path's operations with the errors that all have.
    private static func completed(_ operations: JSONValue, _ path: String) -> JSONValue {
        let errors =
            switch ErrorShape(path: path) {
            case .openAI: "Error"
            case .ollama: "OllamaError"
            case .anthropic: "AnthropicError"
            case .systemOne: "SystemOneError"
            }
        var operations = operations.object ?? [:]
        // Those of the path come with each of its operations, so that its members are operations only.
        let common = operations["parameters"]?.array ?? []
        operations["parameters"] = nil
        for (method, operation) in operations.members {
            var operation = operation.object ?? [:]
            if !common.isEmpty { operation["parameters"] = .array(common + (operation["parameters"]?.array ?? [])) }
            var responses = operation["responses"]?.object ?? [:]
            if var success = responses["200"]?.object {
                success["headers"] = requestIDHeader
                responses["200"] = .object(success)
            }
            for status in ["4XX", "5XX"] {
                responses[status] = .object(["$ref": .string("#/components/responses/\(errors)")])
            }
            operation["responses"] = .object(responses)
            operations[method] = .object(operation)
        }
        return .object(operations)
    }

    private static let requestIDHeader = JSONValue.object([
        RequestID.header: .object(["$ref": "#/components/headers/RequestID"])
    ])

    private static func error(_ document: String) -> JSONValue {
        .object([
            "headers": requestIDHeader,
            "description":
                "The reason of the failure. With 429, the header Retry-After says after how many seconds to try again.",
            "content": .object([
                "application/json": .object([
                    "schema": .object(["$ref": .string("#/components/schemas/\(document)")])
                ])
            ]),
        ])
    }
}
