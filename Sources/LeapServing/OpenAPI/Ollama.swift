extension APIDescription {
    /// The part of Ollama's protocol that is answered.
    static let ollama = #"""
        {
          "paths": {
            "/api/chat": {
              "post": {
                "operationId": "ollamaChat", "summary": "Answer messages, as Ollama does",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaChatRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "Lines of JSON; with stream false, one document",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/OllamaChatAnswer"}},
                      "application/x-ndjson": {}
                    }
                  }
                }
              }
            },
            "/api/generate": {
              "post": {
                "operationId": "ollamaGenerate", "summary": "Answer a prompt, as Ollama does",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaGenerateRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "Lines of JSON; with stream false, one document",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/OllamaAnswer"}},
                      "application/x-ndjson": {}
                    }
                  }
                }
              }
            },
            "/api/embed": {
              "post": {
                "operationId": "ollamaEmbed", "summary": "Vectors of texts, as Ollama makes them",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaEmbedRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaEmbeddings"}}}
                  }
                }
              }
            },
            "/api/tags": {
              "get": {
                "operationId": "ollamaTags", "summary": "The models there are",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaTags"}}}
                  }
                }
              }
            },
            "/api/show": {
              "post": {
                "operationId": "ollamaShow", "summary": "What a model is",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaShowRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaModel"}}}
                  }
                }
              }
            },
            "/api/pull": {
              "post": {
                "operationId": "ollamaPull", "summary": "Fetch a model",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaPullRequest"}}}},
                "responses": {
                  "200": {
                    "description": "Lines of JSON with what was fetched so far; with stream false, one document at the end",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/OllamaPullStatus"}},
                      "application/x-ndjson": {}
                    }
                  }
                }
              }
            },
            "/api/version": {
              "get": {
                "operationId": "ollamaVersion", "summary": "The server's version",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Version"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "OllamaGeneration": {
              "type": "object",
              "properties": {
                "model": {"type": ["string", "null"]},
                "stream": {"type": ["boolean", "null"], "description": "true without it"},
                "options": {
                  "type": ["object", "null"],
                  "description": "num_predict, temperature, top_p, min_p, top_k, seed, stop, repeat_penalty and the other fields of Sampling"
                },
                "format": {"description": "'json', or a JSON Schema", "anyOf": [{"enum": ["json", null]}, {"type": "object"}]},
                "think": {"description": "Whether the model is asked to think", "enum": [true, false, null, "none", "minimal", "low", "medium", "high", "xhigh"]}
              }
            },
            "OllamaChatRequest": {
              "allOf": [
                {"$ref": "#/components/schemas/OllamaGeneration"},
                {
                  "type": "object",
                  "properties": {
                    "messages": {
                      "description": "None to load the model", "type": ["array", "null"], "maxItems": 10000,
                      "items": {"$ref": "#/components/schemas/OllamaMessage"}
                    },
                    "tools": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/FunctionTool"}}
                  }
                }
              ]
            },
            "OllamaMessage": {
              "type": "object", "required": ["role"],
              "properties": {
                "role": {"enum": ["system", "user", "assistant", "tool"]}, "content": {"type": ["string", "null"]},
                "thinking": {"type": ["string", "null"]}, "tool_name": {"type": ["string", "null"]},
                "tool_calls": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/ToolCall"}}
              }
            },
            "OllamaGenerateRequest": {
              "allOf": [
                {"$ref": "#/components/schemas/OllamaGeneration"},
                {
                  "type": "object",
                  "properties": {
                    "prompt": {"type": ["string", "null"], "description": "None to load the model"},
                    "system": {"type": ["string", "null"]},
                    "raw": {
                      "type": ["boolean", "null"],
                      "description": "Whether the prompt is taken as it is, without the chat template"
                    }
                  }
                }
              ]
            },
            "OllamaAnswer": {
              "type": "object", "required": ["model", "created_at", "response", "done"],
              "properties": {
                "model": {"type": "string"}, "created_at": {"type": "string"}, "response": {"type": "string"},
                "thinking": {"type": "string"}, "done": {"type": "boolean"},
                "done_reason": {"enum": ["stop", "length", "load"]}, "eval_count": {"type": "integer"},
                "prompt_eval_count": {"type": "integer"}
              }
            },
            "OllamaChatAnswer": {
              "type": "object", "required": ["model", "created_at", "message", "done"],
              "properties": {
                "model": {"type": "string"}, "created_at": {"type": "string"},
                "message": {
                  "type": "object", "required": ["role", "content"],
                  "properties": {
                    "role": {"const": "assistant"}, "content": {"type": "string"}, "thinking": {"type": "string"},
                    "tool_calls": {"type": "array", "items": {"type": "object"}}
                  }
                },
                "done": {"type": "boolean"}, "done_reason": {"enum": ["stop", "length", "load"]},
                "eval_count": {"type": "integer"}, "prompt_eval_count": {"type": "integer"}
              }
            },
            "OllamaEmbedRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]}, "input": {"$ref": "#/components/schemas/Texts"},
                "truncate": {"type": ["boolean", "null"], "description": "Whether long texts are cut; true without it"},
                "dimensions": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647}
              }
            },
            "OllamaEmbeddings": {
              "type": "object", "required": ["model", "embeddings"],
              "properties": {
                "model": {"type": "string"},
                "embeddings": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
                "total_duration": {"type": "integer"}, "load_duration": {"type": "integer"},
                "prompt_eval_count": {"type": "integer"}
              }
            },
            "OllamaDetails": {
              "type": "object", "required": ["format"],
              "properties": {
                "format": {"type": "string"}, "family": {"type": "string"}, "parameter_size": {"type": "string"},
                "quantization_level": {"type": "string"}
              }
            },
            "OllamaTags": {
              "type": "object", "required": ["models"],
              "properties": {
                "models": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["name", "model", "size", "details"],
                    "properties": {
                      "name": {"type": "string"}, "model": {"type": "string"}, "size": {"type": "integer"},
                      "modified_at": {"type": "string"}, "digest": {"type": "string"},
                      "details": {"$ref": "#/components/schemas/OllamaDetails"}
                    }
                  }
                }
              }
            },
            "OllamaShowRequest": {
              "type": "object",
              "properties": {
                "model": {"type": ["string", "null"]},
                "name": {"type": ["string", "null"], "description": "As model, which wins"}
              }
            },
            "OllamaModel": {
              "type": "object", "required": ["details", "model_info", "capabilities"],
              "properties": {
                "details": {"$ref": "#/components/schemas/OllamaDetails"}, "model_info": {"type": "object"}, "parameters": {"type": "string"},
                "capabilities": {"type": "array", "items": {"enum": ["completion", "tools", "thinking", "vision", "audio", "speech", "embedding"]}}
              }
            },
            "OllamaPullRequest": {
              "type": "object",
              "properties": {
                "model": {"type": ["string", "null"], "description": "As leap pull takes it, or hf.co/OWNER/REPOSITORY:QUANTISATION"},
                "name": {"type": ["string", "null"], "description": "As model, which wins"}, "stream": {"type": ["boolean", "null"], "description": "true without it"}
              }
            },
            "OllamaPullStatus": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}},
            "Version": {"type": "object", "required": ["version"], "properties": {"version": {"type": "string"}}}
          }
        }
        """#
}
