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
            "/v1/rerank": {
              "post": {
                "operationId": "rerank", "summary": "Documents in the order in which they answer a query; /rerank, /v2/rerank, /reranking and /v1/reranking are the same",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RerankRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Rerankings"}}}
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
            "Texts": {
              "anyOf": [
                {"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2048},
                {"$ref": "#/components/schemas/TokenNumbers"},
                {"type": "array", "items": {"$ref": "#/components/schemas/TokenNumbers"}, "minItems": 1, "maxItems": 2048}
              ]
            },
            "TokenNumbers": {
              "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2147483647}, "minItems": 1,
              "description": "The tokens of a text, by the numbers of the model's vocabulary"
            },
            "EmbeddingsRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]}, "input": {"$ref": "#/components/schemas/Texts"},
                "encoding_format": {"enum": ["float", "base64", "", null]},
                "dimensions": {
                  "type": ["integer", "null"], "minimum": -1, "maximum": 2147483647,
                  "description": "At most the model's own number, which 0 and -1 stand for; of fewer the vector's first numbers, brought to length 1"
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
            "RerankRequest": {
              "type": "object", "required": ["query", "documents"],
              "properties": {
                "model": {"type": ["string", "null"]}, "query": {"type": "string", "minLength": 1},
                "documents": {
                  "type": "array", "minItems": 1, "maxItems": 2048,
                  "items": {
                    "anyOf": [
                      {"type": "string"},
                      {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
                    ]
                  }
                },
                "top_n": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647, "description": "All without it"},
                "return_documents": {"type": ["boolean", "null"], "description": "Whether results have their texts; false without it"},
                "truncate": {
                  "type": ["boolean", "null"],
                  "description": "Whether documents that do not fit into the context with the query are cut, and named in Warning; true without it, otherwise they are refused"
                }
              }
            },
            "Rerankings": {
              "type": "object", "required": ["object", "model", "results", "usage"],
              "properties": {
                "object": {"const": "list"}, "model": {"type": "string"},
                "results": {
                  "type": "array", "description": "The best first",
                  "items": {
                    "type": "object", "required": ["index", "relevance_score"],
                    "properties": {
                      "index": {"type": "integer", "minimum": 0},
                      "relevance_score": {"type": "number", "minimum": 0, "maximum": 1},
                      "document": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
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
                "size": {"type": "integer", "description": "Bytes of its files"},
                "type": {"const": "model", "description": "This and the next two for requests with the header anthropic-version"},
                "display_name": {"type": "string"}, "created_at": {"type": "string", "format": "date-time"},
                "architecture": {
                  "type": "object", "description": "What it takes and gives; left out where its files do not tell",
                  "required": ["input_modalities", "output_modalities"],
                  "properties": {
                    "input_modalities": {"type": "array", "items": {"enum": ["text", "image", "audio"]}},
                    "output_modalities": {"type": "array", "items": {"enum": ["text", "audio", "embeddings", "scores"]}}
                  }
                }
              }
            },
            "ModelList": {
              "type": "object", "required": ["object", "data"],
              "properties": {
                "object": {"const": "list"}, "data": {"type": "array", "items": {"$ref": "#/components/schemas/Model"}},
                "has_more": {"type": "boolean", "description": "This and the next two for requests with the header anthropic-version"},
                "first_id": {"type": ["string", "null"]}, "last_id": {"type": ["string", "null"]}
              }
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
