extension APIDescription {
    /// Anthropic's messages.
    static let messages = #"""
        {
          "paths": {
            "/v1/messages": {
              "post": {
                "operationId": "createMessage", "summary": "Answer messages, in Anthropic's protocol",
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "allOf": [
                          {"$ref": "#/components/schemas/MessagesPrompt"}, {"$ref": "#/components/schemas/MessagesSampling"}
                        ]
                      }
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The message; with stream, its events. The tokens of the prompt are told in message_delta",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/AnthropicMessage"}}, "text/event-stream": {}
                    }
                  }
                }
              }
            },
            "/v1/messages/count_tokens": {
              "post": {
                "operationId": "countMessageTokens", "summary": "The tokens of a prompt, in Anthropic's protocol",
                "requestBody": {
                  "required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MessagesPrompt"}}}
                },
                "responses": {
                  "200": {
                    "description": "Their number",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object", "required": ["input_tokens"], "properties": {"input_tokens": {"type": "integer", "minimum": 0}}
                        }
                      }
                    }
                  }
                }
              }
            }
          },
          "schemas": {
            "AnthropicErrorDocument": {
              "type": "object", "required": ["type", "error"],
              "properties": {
                "type": {"const": "error"},
                "error": {
                  "type": "object", "required": ["type", "message"],
                  "properties": {"type": {"type": "string"}, "message": {"type": "string"}}
                }
              }
            },
            "MessagesText": {
              "anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/MessagesTextBlock"}}]
            },
            "MessagesTextBlock": {
              "type": "object", "required": ["type", "text"], "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
              "description": "cache_control is accepted in every block: all prompts are kept"
            },
            "MessagesUserBlock": {
              "anyOf": [
                {"$ref": "#/components/schemas/MessagesTextBlock"},
                {
                  "type": "object", "required": ["type", "tool_use_id"],
                  "properties": {
                    "type": {"const": "tool_result"}, "tool_use_id": {"type": "string"},
                    "content": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/MessagesText"}]},
                    "is_error": {"type": ["boolean", "null"]}
                  },
                  "description": "Pictures are read in results, too"
                },
                {
                  "type": "object", "required": ["type", "content"],
                  "properties": {
                    "type": {"const": "search_result"}, "title": {"type": "string"},
                    "content": {"type": "array", "items": {"$ref": "#/components/schemas/MessagesTextBlock"}}
                  }
                }
              ],
              "description": "Pictures (source of the types base64 and url) where the model reads them; documents that are texts. Blocks of other types are refused with status 400"
            },
            "MessagesAssistantBlock": {
              "anyOf": [
                {"$ref": "#/components/schemas/MessagesTextBlock"},
                {
                  "type": "object", "required": ["type", "thinking"],
                  "properties": {"type": {"const": "thinking"}, "thinking": {"type": "string"}, "signature": {"type": "string"}}
                },
                {
                  "type": "object", "required": ["type", "id", "name", "input"],
                  "properties": {
                    "type": {"const": "tool_use"}, "id": {"type": "string"}, "name": {"type": "string"}, "input": {"type": "object"}
                  }
                }
              ]
            },
            "MessagesPrompt": {
              "type": "object", "required": ["messages"],
              "properties": {
                "model": {"type": ["string", "null"], "description": "Without one the first model that the server was started with"},
                "system": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/MessagesText"}]},
                "messages": {
                  "type": "array", "minItems": 1, "maxItems": 10000,
                  "items": {
                    "anyOf": [
                      {
                        "type": "object", "required": ["role", "content"],
                        "properties": {
                          "role": {"const": "user"},
                          "content": {
                            "anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/MessagesUserBlock"}}]
                          }
                        }
                      },
                      {
                        "type": "object", "required": ["role", "content"],
                        "properties": {
                          "role": {"const": "assistant"},
                          "content": {
                            "anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/MessagesAssistantBlock"}}]
                          }
                        }
                      }
                    ]
                  }
                },
                "tools": {
                  "type": ["array", "null"],
                  "items": {
                    "type": "object", "required": ["name"],
                    "properties": {
                      "type": {"enum": ["custom", null]}, "name": {"type": "string"}, "description": {"type": ["string", "null"]},
                      "input_schema": {"description": "A JSON Schema of an object; where calls are free, what is none is named in Warning"}, "strict": {}
                    },
                    "description": "Tools of other types are left out and named in Warning"
                  }
                },
                "tool_choice": {
                  "anyOf": [
                    {"type": "null"},
                    {
                      "type": "object", "required": ["type"],
                      "properties": {
                        "type": {"enum": ["auto", "any", "none"]}, "disable_parallel_tool_use": {"type": ["boolean", "null"]}
                      }
                    },
                    {
                      "type": "object", "required": ["type", "name"],
                      "properties": {
                        "type": {"const": "tool"}, "name": {"type": "string"},
                        "disable_parallel_tool_use": {"type": ["boolean", "null"]}
                      }
                    }
                  ]
                },
                "thinking": {
                  "type": ["object", "null"], "required": ["type"],
                  "properties": {"type": {"enum": ["enabled", "adaptive", "disabled"]}},
                  "description": "Whether the model is asked to think; budget_tokens has no effect and is named in Warning"
                },
                "output_config": {
                  "type": ["object", "null"],
                  "properties": {
                    "effort": {"type": ["string", "null"], "description": "Handed to the chat template as reasoning_effort"},
                    "format": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/MessagesFormat"}]}
                  }
                },
                "output_format": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/MessagesFormat"}]}
              }
            },
            "MessagesFormat": {
              "type": "object", "required": ["type", "schema"],
              "properties": {"type": {"const": "json_schema"}, "schema": {"type": ["object", "boolean"]}}
            },
            "MessagesSampling": {
              "type": "object", "required": ["max_tokens"],
              "properties": {
                "max_tokens": {"type": "integer", "minimum": 1, "maximum": 2147483647}, "stream": {"type": ["boolean", "null"]},
                "stop_sequences": {"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 16},
                "temperature": {"$ref": "#/components/schemas/Temperature"},
                "top_p": {"$ref": "#/components/schemas/TopP"},
                "top_k": {"$ref": "#/components/schemas/TopK"},
                "min_p": {"$ref": "#/components/schemas/MinP"},
                "seed": {"$ref": "#/components/schemas/Seed"},
                "grammar": {"type": ["string", "null"]}, "regex": {"type": ["string", "null"]}
              }
            },
            "AnthropicMessage": {
              "type": "object",
              "required": ["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage"],
              "properties": {
                "id": {"type": "string"}, "type": {"const": "message"}, "role": {"const": "assistant"}, "model": {"type": "string"},
                "content": {
                  "type": "array", "items": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["text", "thinking", "tool_use"]}}}
                },
                "stop_reason": {"enum": ["end_turn", "max_tokens", "stop_sequence", "tool_use", "model_context_window_exceeded"]},
                "stop_sequence": {"type": ["string", "null"]},
                "usage": {
                  "type": "object", "required": ["input_tokens", "output_tokens"],
                  "properties": {
                    "input_tokens": {"type": "integer", "minimum": 0, "description": "Those that were computed"},
                    "cache_creation_input_tokens": {"type": "integer", "description": "0: keeping tokens costs nothing"},
                    "cache_read_input_tokens": {"type": "integer", "minimum": 0, "description": "Those that were not computed again"},
                    "output_tokens": {"type": "integer", "minimum": 0}
                  }
                }
              }
            }
          }
        }
        """#
}
