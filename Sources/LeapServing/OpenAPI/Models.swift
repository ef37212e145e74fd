extension APIDescription {
    /// Embeddings, models and tokens.
    static let models = #"""
        {
          "paths": {
            "/v1/embeddings": {
              "post": {
                "operationId": "createEmbeddings", "summary": "Vectors of texts",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/EmbeddingsRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Embeddings"}}}
                  }
                }
              }
            },
            "/v1/models": {
              "get": {
                "operationId": "listModels", "summary": "The models that requests can name",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelList"}}}
                  }
                }
              }
            },
            "/v1/models/{model}": {
              "get": {
                "operationId": "getModel", "summary": "One model",
                "parameters": [{"name": "model", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}],
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}
                  }
                }
              }
            },
            "/tokenize": {
              "post": {
                "operationId": "tokenize", "summary": "The tokens of a text",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TokenizeRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}}
                  }
                }
              }
            },
            "/detokenize": {
              "post": {
                "operationId": "detokenize", "summary": "The text of tokens",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DetokenizeRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Text"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "Texts": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2048}]},
            "EmbeddingsRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]}, "input": {"$ref": "#/components/schemas/Texts"},
                "encoding_format": {"enum": ["float", "base64", null]},
                "dimensions": {
                  "type": ["integer", "null"], "minimum": 1, "maximum": 2147483647,
                  "description": "Has to be the model's own number"
                }
              }
            },
            "Embeddings": {
              "type": "object", "required": ["object", "data", "model", "usage"],
              "properties": {
                "object": {"const": "list"}, "model": {"type": "string"},
                "data": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["object", "index", "embedding"],
                    "properties": {
                      "object": {"const": "embedding"}, "index": {"type": "integer"},
                      "embedding": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]}
                    }
                  }
                },
                "usage": {
                  "type": "object", "required": ["prompt_tokens", "total_tokens"],
                  "properties": {"prompt_tokens": {"type": "integer"}, "total_tokens": {"type": "integer"}}
                }
              }
            },
            "Model": {
              "type": "object", "required": ["id", "object", "created", "owned_by"],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "model"}, "created": {"type": "integer"},
                "owned_by": {"type": "string"}, "loaded": {"type": "boolean", "description": "Whether it is in memory"},
                "size": {"type": "integer", "description": "Bytes of its files"}
              }
            },
            "ModelList": {
              "type": "object", "required": ["object", "data"],
              "properties": {"object": {"const": "list"}, "data": {"type": "array", "items": {"$ref": "#/components/schemas/Model"}}}
            },
            "TokenizeRequest": {
              "type": "object", "required": ["content"],
              "properties": {
                "model": {"type": ["string", "null"]}, "content": {"type": "string"},
                "add_special": {"type": ["boolean", "null"], "description": "Whether tokens that begin and end texts are added"},
                "parse_special": {
                  "type": ["boolean", "null"],
                  "description": "Whether names of control tokens in the text are these tokens; true without it"
                },
                "with_pieces": {"type": ["boolean", "null"]}
              }
            },
            "Tokens": {
              "type": "object", "required": ["tokens"],
              "properties": {
                "tokens": {
                  "type": "array",
                  "items": {
                    "anyOf": [
                      {"type": "integer"},
                      {
                        "type": "object", "required": ["id", "piece"],
                        "properties": {"id": {"type": "integer"}, "piece": {"type": "string"}}
                      }
                    ]
                  }
                }
              }
            },
            "DetokenizeRequest": {
              "type": "object", "required": ["tokens"],
              "properties": {"model": {"type": ["string", "null"]}, "tokens": {"type": "array", "items": {"type": "integer", "minimum": 0}}}
            },
            "Text": {"type": "object", "required": ["content"], "properties": {"content": {"type": "string"}}}
          }
        }
        """#
}
