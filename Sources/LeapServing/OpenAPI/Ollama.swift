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
            "/api/embeddings": {
              "post": {
                "operationId": "ollamaEmbeddings", "summary": "The vector of a text, as Ollama made it before /api/embed",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaEmbeddingsRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaEmbedding"}}}
                  }
                }
              }
            },
            "/api/ps": {
              "get": {
                "operationId": "ollamaRunning", "summary": "The models in memory",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaRunning"}}}
                  }
                }
              }
            },
            "/api/copy": {
              "post": {
                "operationId": "ollamaCopy", "summary": "Give a model another name too",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaCopyRequest"}}}
                },
                "responses": {"200": {"description": "It is done"}}
              }
            },
            "/api/delete": {
              "delete": {
                "operationId": "ollamaDelete", "summary": "Remove a model that is installed",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OllamaDeleteRequest"}}}
                },
                "responses": {"200": {"description": "It is done"}}
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
                "operationId": "ollamaVersion", "summary": "The version of Ollama whose protocol is spoken",
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
                "truncate": {"type": ["boolean", "null"], "description": "Whether the oldest turns are left out where the context is full; true without it"},
                "logprobs": {"type": ["boolean", "null"], "description": "Log probabilities of the reply's tokens"},
                "top_logprobs": {"type": ["integer", "null"], "minimum": 0, "maximum": 20, "description": "Needs logprobs"},
                "model": {"type": ["string", "null"]},
                "stream": {"type": ["boolean", "null"], "description": "true without it"},
                "options": {
                  "type": ["object", "null"],
                  "description": "num_predict, temperature, top_p, min_p, top_k, seed, stop, repeat_penalty and the other fields of Sampling"
                },
                "format": {"description": "'json', or a JSON Schema", "anyOf": [{"enum": ["json", "", null]}, {"type": "object"}]},
                "keep_alive": {"$ref": "#/components/schemas/OllamaKeepAlive"},
                "think": {"description": "Whether the model is asked to think", "enum": [true, false, null, "none", "minimal", "low", "medium", "high", "xhigh", "max", ""]}
              }
            },
            "OllamaKeepAlive": {
              "type": ["number", "string", "null"],
              "description": "Seconds that the model stays in memory from then on, or a duration such as 5m; 0 gives it up, -1 keeps it for ever"
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
                "images": {"description": "Pictures in Base64"},
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
                    "images": {
                      "type": ["array", "null"], "items": {"type": "string"},
                      "description": "Pictures in Base64, where the model reads them"
                    },
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
                "done_reason": {"enum": ["stop", "length", "load", "unload"]}, "eval_count": {"type": "integer"},
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
                "done": {"type": "boolean"}, "done_reason": {"enum": ["stop", "length", "load", "unload"]},
                "eval_count": {"type": "integer"}, "prompt_eval_count": {"type": "integer"}
              }
            },
            "OllamaEmbedRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]}, "input": {"$ref": "#/components/schemas/Texts"},
                "truncate": {"type": ["boolean", "null"], "description": "Whether long texts are cut; true without it"},
                "dimensions": {"type": ["integer", "null"], "minimum": -1, "maximum": 2147483647},
                "keep_alive": {"$ref": "#/components/schemas/OllamaKeepAlive"}
              }
            },
            "OllamaEmbeddingsRequest": {
              "type": "object",
              "properties": {
                "model": {"type": ["string", "null"]},
                "prompt": {"type": ["string", "null"], "description": "None to load the model"},
                "keep_alive": {"$ref": "#/components/schemas/OllamaKeepAlive"}
              }
            },
            "OllamaEmbedding": {
              "type": "object", "required": ["embedding"],
              "properties": {"embedding": {"type": "array", "items": {"type": "number"}}}
            },
            "OllamaRunning": {
              "type": "object", "required": ["models"],
              "properties": {
                "models": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["name", "model", "size", "digest", "details", "expires_at", "size_vram", "context_length"],
                    "properties": {
                      "name": {"type": "string"}, "model": {"type": "string"}, "size": {"type": "integer"},
                      "digest": {"type": "string"}, "details": {"$ref": "#/components/schemas/OllamaDetails"},
                      "expires_at": {"type": "string"}, "size_vram": {"const": 0}, "context_length": {"type": "integer"}
                    }
                  }
                }
              }
            },
            "OllamaCopyRequest": {
              "type": "object", "required": ["source", "destination"],
              "properties": {
                "source": {"type": "string", "minLength": 1},
                "destination": {"type": "string", "minLength": 1, "description": "As names of models are written; a model that has it gives way"}
              }
            },
            "OllamaDeleteRequest": {
              "type": "object",
              "properties": {
                "model": {"type": ["string", "null"]},
                "name": {"type": ["string", "null"], "description": "As model, which wins"}
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
                "parent_model": {"type": "string"}, "format": {"type": "string"}, "family": {"type": "string"},
                "families": {"type": "array", "items": {"type": "string"}}, "parameter_size": {"type": "string"},
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
                "details": {"$ref": "#/components/schemas/OllamaDetails"}, "parameters": {"type": "string"},
                "modified_at": {"type": "string"},
                "model_info": {
                  "type": "object", "description": "The metadata of the model's file; ARCHITECTURE.context_length is what prompt and reply may have here"
                },
                "capabilities": {"type": "array", "items": {"enum": ["completion", "tools", "thinking", "vision", "audio", "speech", "embedding", "reranking"]}}
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
