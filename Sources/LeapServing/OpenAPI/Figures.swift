extension APIDescription {
    /// The routes with figures and the state of the server.
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
            "/props": {
              "get": {
                "operationId": "props", "summary": "What a model is served with, as llama.cpp's server tells it; the model is loaded for it",
                "parameters": [
                  {
                    "name": "model", "in": "query", "schema": {"type": "string"},
                    "description": "Without one the first model that the server was started with"
                  }
                ],
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Props"}}}
                  }
                }
              }
            },
            "/slots": {
              "get": {
                "operationId": "slots", "summary": "The replies that a model writes at a time, and those under way; no model is loaded for it",
                "parameters": [
                  {
                    "name": "model", "in": "query", "schema": {"type": "string"},
                    "description": "Without one the first model that the server was started with"
                  },
                  {
                    "name": "fail_on_no_slot", "in": "query", "schema": {"type": "string"},
                    "description": "Where it is 1, the answer is 503 while all slots are in use"
                  }
                ],
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Slots"}}}
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
            "Props": {
              "type": "object", "required": ["default_generation_settings", "total_slots", "model_alias", "model_path", "modalities"],
              "properties": {
                "default_generation_settings": {
                  "type": "object", "required": ["n_ctx", "params"],
                  "properties": {
                    "n_ctx": {"type": "integer", "description": "Tokens that prompt and reply may have together"},
                    "params": {"type": "object", "additionalProperties": {"type": "number"}, "description": "How tokens are drawn where a request does not say"}
                  }
                },
                "total_slots": {"type": "integer", "minimum": 1}, "model_alias": {"type": "string"},
                "model_path": {"type": "string", "description": "The file's name without its folder"},
                "bos_token": {"type": "string"}, "eos_token": {"type": "string"}, "build_info": {"type": "string"},
                "modalities": {
                  "type": "object", "required": ["vision", "audio"],
                  "properties": {"vision": {"type": "boolean"}, "audio": {"type": "boolean"}}
                }
              }
            },
            "Slots": {
              "type": "array",
              "items": {
                "type": "object", "required": ["id", "n_ctx", "is_processing"],
                "properties": {
                  "id": {"type": "integer"}, "n_ctx": {"type": "integer", "description": "0 while the model is not in memory"},
                  "is_processing": {"type": "boolean"}
                }
              }
            },
            "Health": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}},
            "Description": {
              "type": "object", "required": ["openapi", "info", "paths"],
              "properties": {"openapi": {"type": "string"}, "info": {"type": "object"}, "paths": {"type": "object"}}
            }
          }
        }
        """#
}
