extension APIDescription {
    /// Responses.
    static let responses = #"""
        {
          "paths": {
            "/v1/responses": {
              "post": {
                "operationId": "createResponse", "summary": "Answer an input, and keep the answer",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ResponsesRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The response; with stream, its events",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Response"}},
                      "text/event-stream": {}
                    }
                  }
                }
              }
            },
            "/v1/responses/{id}": {
              "get": {
                "operationId": "getResponse", "summary": "A kept response",
                "parameters": [
                  {
                    "name": "id", "in": "path", "required": true,
                    "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
                  }
                ],
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Response"}}}
                  }
                }
              },
              "delete": {
                "operationId": "deleteResponse", "summary": "Forget a response",
                "parameters": [
                  {
                    "name": "id", "in": "path", "required": true,
                    "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
                  }
                ],
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeletedResponse"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "ResponsesRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]},
                "input": {
                  "anyOf": [
                    {"type": "string"},
                    {
                      "type": "array",
                      "items": {
                        "anyOf": [
                          {"$ref": "#/components/schemas/Message"}, {"$ref": "#/components/schemas/CallItem"},
                          {"$ref": "#/components/schemas/CallOutputItem"},
                          {"type": "object", "required": ["type"], "properties": {"type": {"const": "reasoning"}}}
                        ]
                      },
                      "minItems": 1, "maxItems": 10000
                    }
                  ]
                },
                "instructions": {"type": ["string", "null"], "description": "A system message of this response alone"},
                "previous_response_id": {"type": ["string", "null"], "description": "The response to go on from; the latest 1,024 are kept"},
                "store": {"type": ["boolean", "null"], "description": "Whether it is kept; true without it"},
                "stream": {"type": ["boolean", "null"]}, "metadata": {"type": ["object", "null"]},
                "max_output_tokens": {"$ref": "#/components/schemas/TokenLimit"},
                "tools": {
                  "type": ["array", "null"],
                  "items": {
                    "type": "object",
                    "description": "A function; tools of other types are left out and named in Warning, and so are parameters that are no schema",
                    "properties": {
                      "type": {"default": "function"}, "name": {"type": "string"}, "strict": {},
                      "description": {"type": ["string", "null"]}, "parameters": {}
                    }
                  }
                },
                "tool_choice": {
                  "anyOf": [
                    {"enum": ["none", "auto", "required", "", null]},
                    {
                      "type": "object", "required": ["type", "name"],
                      "properties": {"type": {"const": "function"}, "name": {"type": "string"}}
                    }
                  ]
                },
                "parallel_tool_calls": {"type": ["boolean", "null"]},
                "reasoning": {
                  "type": ["object", "null"],
                  "properties": {"effort": {"enum": ["none", "minimal", "low", "medium", "high", "xhigh", "max", "", null]}}
                },
                "text": {
                  "type": ["object", "null"],
                  "properties": {
                    "format": {
                      "anyOf": [
                        {"enum": [null, "", {}]},
                        {"type": "object", "required": ["type"], "properties": {"type": {"const": "text"}}},
                        {
                          "type": "object", "required": ["type"],
                          "properties": {"type": {"const": "json_object"}, "schema": {"type": ["object", "boolean", "null"]}}
                        },
                        {
                          "type": "object", "required": ["type", "schema"],
                          "properties": {"type": {"const": "json_schema"}, "schema": {"type": ["object", "boolean"]}}
                        }
                      ]
                    }
                  }
                },
                "temperature": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
                "top_p": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                "min_p": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                "top_k": {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647},
                "seed": {"type": ["integer", "null"], "minimum": -9223372036854775808, "maximum": 9223372036854775807},
                "stop": {"anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}, "maxItems": 16}]},
                "presence_penalty": {"type": ["number", "null"], "minimum": -2, "maximum": 2},
                "frequency_penalty": {"type": ["number", "null"], "minimum": -2, "maximum": 2},
                "truncation": {"enum": ["auto", "disabled", "", null], "description": "auto leaves out the oldest turns where the prompt does not fit"},
                "include": {
                  "type": ["array", "null"], "items": {"type": "string"},
                  "description": "message.output_text.logprobs for the log probabilities of the tokens; others have no effect"
                },
                "top_logprobs": {"type": ["integer", "null"], "minimum": 0, "maximum": 20, "description": "With log probabilities"},
                "safety_identifier": {"type": ["string", "null"], "description": "Repeated in the response"},
                "prompt_cache_key": {"type": ["string", "null"], "description": "Repeated in the response; every prompt is kept"},
                "grammar": {"type": ["string", "null"]}, "regex": {"type": ["string", "null"]}
              }
            },
            "CallItem": {
              "type": "object", "required": ["type", "name", "call_id", "arguments"],
              "properties": {
                "type": {"const": "function_call"}, "name": {"type": "string"}, "call_id": {"type": "string"},
                "arguments": {"type": "string"}
              },
              "description": "Calls of custom tools are read likewise; items of other types are left out and named in Warning"
            },
            "CallOutputItem": {
              "type": "object", "required": ["type", "call_id", "output"],
              "properties": {
                "type": {"const": "function_call_output"}, "call_id": {"type": "string"},
                "output": {"description": "A text, or an array of texts and pictures (input_text, output_text, text, input_image); parts of other types are refused with code unsupported_content, and any other JSON is read as text"}
              }
            },
            "Response": {
              "type": "object", "required": [
                "id", "object", "created_at", "completed_at", "status", "model", "output", "usage", "error", "incomplete_details", "instructions",
                "metadata", "previous_response_id", "parallel_tool_calls", "tool_choice", "tools", "store", "truncation", "text", "reasoning",
                "max_output_tokens", "top_logprobs", "temperature", "top_p", "presence_penalty", "frequency_penalty", "background",
                "max_tool_calls", "service_tier", "safety_identifier", "prompt_cache_key"
              ],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "response"}, "created_at": {"type": "integer"},
                "status": {"enum": ["in_progress", "completed", "incomplete", "failed"]}, "model": {"type": "string"},
                "output": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["id", "type"],
                    "properties": {"id": {"type": "string"}, "type": {"enum": ["message", "reasoning", "function_call"]}}
                  }
                },
                "usage": {
                  "anyOf": [
                    {"type": "null"},
                    {
                      "type": "object", "required": ["input_tokens", "output_tokens", "total_tokens"],
                      "properties": {
                        "input_tokens": {"type": "integer"}, "output_tokens": {"type": "integer"},
                        "input_tokens_details": {
                          "type": "object", "required": ["cached_tokens", "cache_write_tokens"],
                          "properties": {
                            "cached_tokens": {"type": "integer", "description": "Those that were not computed again"},
                            "cache_write_tokens": {"type": "integer", "description": "0: keeping tokens costs nothing"}
                          }
                        },
                        "total_tokens": {"type": "integer"}
                      }
                    }
                  ]
                },
                "error": {"type": ["object", "null"]}, "incomplete_details": {"type": ["object", "null"]},
                "instructions": {"type": ["string", "null"]}, "metadata": {"type": "object"},
                "previous_response_id": {"type": ["string", "null"]}, "parallel_tool_calls": {"type": "boolean"},
                "tool_choice": {}, "tools": {"type": "array", "items": {"type": "object"}}, "store": {"type": "boolean"},
                "completed_at": {"type": ["integer", "null"]}, "truncation": {"enum": ["auto", "disabled"]},
                "text": {"type": "object"}, "reasoning": {"type": "object"}, "max_output_tokens": {"type": ["integer", "null"]},
                "top_logprobs": {"type": "integer"}, "temperature": {"type": "number"}, "top_p": {"type": "number"},
                "presence_penalty": {"type": "number"}, "frequency_penalty": {"type": "number"}, "background": {"const": false},
                "max_tool_calls": {"type": "null"}, "service_tier": {"const": "default"},
                "safety_identifier": {"type": ["string", "null"]}, "prompt_cache_key": {"type": ["string", "null"]}
              }
            },
            "DeletedResponse": {
              "type": "object", "required": ["id", "object", "deleted"],
              "properties": {"id": {"type": "string"}, "object": {"const": "response"}, "deleted": {"const": true}}
            }
          }
        }
        """#
}
