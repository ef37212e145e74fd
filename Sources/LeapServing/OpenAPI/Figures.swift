extension APIDescription {
    /// What the server tells of itself.
    static let figures = #"""
        {
          "paths": {
            "/health": {
              "get": {
                "operationId": "health", "summary": "Whether the server answers; needs no key",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
                  }
                }
              }
            },
            "/metrics": {
              "get": {
                "operationId": "metrics", "summary": "Figures in Prometheus' text format",
                "responses": {"200": {"description": "The answer", "content": {"text/plain": {"schema": {"type": "string"}}}}}
              }
            },
            "/openapi.json": {
              "get": {
                "operationId": "description", "summary": "This document",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Description"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "Health": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}},
            "Description": {
              "type": "object", "required": ["openapi", "info", "paths"],
              "properties": {"openapi": {"type": "string"}, "info": {"type": "object"}, "paths": {"type": "object"}}
            }
          }
        }
        """#
}
