extension APIDescription {
    /// The routes of a server that was started with `--mcp`.
    static let mcp = #"""
        {
          "paths": {
            "/v1/mcp/tools": {
              "get": {
                "operationId": "listMCPTools",
                "summary": "The MCP servers that the server was started with, and their tools; pages of other origins are refused, whatever was allowed them",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MCPTools"}}}
                  }
                }
              }
            },
            "/v1/mcp/tools/call": {
              "post": {
                "operationId": "callMCPTool",
                "summary": "Has an MCP server run a tool that is listed, once; pages of other origins are refused, whatever was allowed them",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MCPCall"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MCPResult"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "MCPTools": {
              "type": "object", "required": ["object", "servers", "data"],
              "properties": {
                "object": {"const": "list"},
                "servers": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["name", "state", "error"],
                    "properties": {
                      "name": {"type": "string"},
                      "state": {
                        "enum": ["running", "ended", "left_out"],
                        "description": "A server that has ended is started again when one of its tools is called, until it is left out"
                      },
                      "error": {"type": ["string", "null"], "description": "Why the server has ended, or is left out"}
                    }
                  }
                },
                "data": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["server", "name", "description", "parameters"],
                    "properties": {
                      "server": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"},
                      "parameters": {"type": "object", "description": "A JSON Schema of the arguments"}
                    }
                  }
                }
              }
            },
            "MCPCall": {
              "type": "object", "required": ["server", "name"],
              "properties": {
                "server": {"type": "string", "minLength": 1}, "name": {"type": "string", "minLength": 1},
                "arguments": {"type": ["object", "null"]},
                "max_bytes": {
                  "type": ["integer", "null"], "minimum": 1, "maximum": 65536,
                  "description": "Bytes of the result that are kept; 65,536 without it"
                }
              }
            },
            "MCPResult": {
              "type": "object", "required": ["object", "server", "name", "content", "is_error", "is_cut"],
              "properties": {
                "object": {"const": "mcp.tool_result"}, "server": {"type": "string"}, "name": {"type": "string"},
                "content": {
                  "type": "string",
                  "description": "The text for the model; it begins with Error: where the tool failed, and ends with a sentence where it was cut"
                },
                "is_error": {"type": "boolean"}, "is_cut": {"type": "boolean"}
              }
            }
          }
        }
        """#
}
