extension APIDescription {
    /// Chat completions.
    static let chat = #"""
        {
          "paths": {
            "/v1/chat/completions": {
              "post": {
                "operationId": "createChatCompletion", "summary": "Answer messages",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChatRequest"}}}},
                "responses": {
                  "200": {
                    "description": "The completion; with stream, events with chunks of it and [DONE] at the end",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/ChatCompletion"}},
                      "text/event-stream": {}
                    }
                  }
                }
              }
            }
          },
          "schemas": {
            "ChatRequest": {
              "allOf": [
                {"$ref": "#/components/schemas/Sampling"},
                {
                  "type": "object", "required": ["messages"],
                  "properties": {
                    "model": {
                      "type": ["string", "null"],
                      "description": "Without one the first model that the server was started with"
                    },
                    "messages": {"type": "array", "items": {"$ref": "#/components/schemas/Message"}, "minItems": 1, "maxItems": 10000},
                    "tools": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/FunctionTool"}},
                    "functions": {"type": ["array", "null"], "items": {"type": "object"}, "description": "As tools, before there were any; one call comes, in the older shape"},
                    "function_call": {"anyOf": [{"enum": ["auto", "none", null]}, {"type": "object"}], "description": "As tool_choice, for functions"},
                    "truncation": {"enum": ["auto", "disabled", "", null], "description": "auto leaves out the oldest turns where the prompt does not fit; trimming beside the usage tells how many messages"},
                    "continue_final_message": {"type": ["boolean", "null"], "description": "The reply goes on from the last message, which is the assistant's, and is what comes after it"},
                    "stream": {"type": ["boolean", "null"]},
                    "stream_options": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/StreamOptions"}]},
                    "n": {"type": ["integer", "null"], "minimum": 1, "maximum": 16},
                    "max_completion_tokens": {"$ref": "#/components/schemas/TokenLimit"},
                    "max_tokens": {
                      "$ref": "#/components/schemas/TokenLimit", "description": "As max_completion_tokens, which wins"
                    },
                    "modalities": {
                      "type": ["array", "null"], "items": {"enum": ["text", "audio"]}, "contains": {"const": "text"},
                      "description": "With audio the reply is spoken, too"
                    },
                    "audio": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/ChatAudio"}]},
                    "logprobs": {"type": ["boolean", "null"], "description": "Log probabilities of all tokens; in a stream each chunk has those of its text"},
                    "top_logprobs": {"type": ["integer", "null"], "minimum": 0, "maximum": 20, "description": "Needs logprobs"}
                  }
                }
              ]
            },
            "ChatCompletion": {
              "type": "object", "required": ["id", "object", "created", "model", "choices", "usage"],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "chat.completion"}, "created": {"type": "integer"},
                "model": {"type": "string"},
                "choices": {"type": "array", "items": {"$ref": "#/components/schemas/ChatChoice"}},
                "usage": {"$ref": "#/components/schemas/Usage"}, "timings": {"$ref": "#/components/schemas/Timings"},
                "trimming": {
                  "type": "object", "required": ["removed_messages", "removed_tokens"],
                  "properties": {"removed_messages": {"type": "integer"}, "removed_tokens": {"type": "integer"}},
                  "description": "What was left out of the prompt, where anything was"
                }
              }
            },
            "ChatChoice": {
              "type": "object", "required": ["index", "message", "finish_reason"],
              "properties": {
                "index": {"type": "integer", "minimum": 0}, "message": {"$ref": "#/components/schemas/ChatReply"},
                "finish_reason": {"$ref": "#/components/schemas/FinishReason"},
                "logprobs": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Logprobs"}]}
              }
            },
            "ChatReply": {
              "type": "object", "required": ["role", "content"],
              "properties": {
                "role": {"const": "assistant"}, "content": {"type": ["string", "null"]},
                "reasoning_content": {"type": "string"}, "refusal": {"type": "null"},
                "audio": {
                  "type": "object", "required": ["id", "data", "transcript", "expires_at"],
                  "properties": {
                    "id": {"type": "string", "description": "For messages of the assistant that stand for this one, as audio.id"},
                    "data": {"type": "string", "description": "Base64"}, "transcript": {"type": "string"},
                    "expires_at": {"type": "integer"}
                  }
                },
                "tool_calls": {"type": "array", "items": {"$ref": "#/components/schemas/ToolCall"}}
              }
            },
            "Logprobs": {
              "type": "object", "required": ["content"],
              "properties": {
                "content": {"type": "array", "items": {"$ref": "#/components/schemas/TokenLogprob"}},
                "refusal": {"type": "null"}
              }
            },
            "TokenLogprob": {
              "type": "object", "required": ["token", "logprob"],
              "properties": {
                "token": {"type": "string"}, "logprob": {"type": "number", "maximum": 0},
                "bytes": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 0, "maximum": 255}},
                "top_logprobs": {"type": "array", "items": {"$ref": "#/components/schemas/TokenLogprob"}}
              }
            }
          }
        }
        """#
}
