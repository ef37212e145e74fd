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
            "/v1/responses/input_tokens": {
              "post": {
                "operationId": "countInputTokens", "summary": "The tokens that the prompt of a response would have",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ResponsesRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/InputTokens"}}}
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
            },
            "/v1/responses/{id}/input_items": {
              "get": {
                "operationId": "listInputItems", "summary": "The items that led to a response",
                "parameters": [
                  {
                    "name": "id", "in": "path", "required": true,
                    "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
                  },
                  {"$ref": "#/components/parameters/Order"}, {"$ref": "#/components/parameters/Limit"},
                  {"$ref": "#/components/parameters/After"}, {"$ref": "#/components/parameters/Include"}
                ],
                "responses": {
                  "200": {
                    "description": "A page of them, those of earlier responses and of the conversation included",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ItemList"}}}
                  }
                }
              }
            },
            "/v1/responses/{id}/cancel": {
              "post": {
                "operationId": "cancelResponse", "summary": "Stop a response that is made in the background",
                "parameters": [
                  {
                    "name": "id", "in": "path", "required": true,
                    "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
                  }
                ],
                "responses": {
                  "200": {
                    "description": "The response; one that has ended is as it was",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Response"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "InputTokens": {
              "type": "object", "required": ["object", "input_tokens"],
              "properties": {"object": {"const": "response.input_tokens"}, "input_tokens": {"type": "integer", "minimum": 0}}
            },
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
                          {"$ref": "#/components/schemas/CallOutputItem"}, {"$ref": "#/components/schemas/ItemReference"},
                          {"$ref": "#/components/schemas/OtherItem"}
                        ]
                      },
                      "minItems": 1, "maxItems": 10000
                    }
                  ]
                },
                "instructions": {"type": ["string", "null"], "description": "A system message of this response alone"},
                "previous_response_id": {"type": ["string", "null"], "description": "The response to go on from; the latest are kept, 1,024 with conversations"},
                "conversation": {
                  "anyOf": [
                    {"type": ["string", "null"]}, {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
                  ],
                  "description": "The conversation to go on from, which gets the input and the output; not with previous_response_id"
                },
                "background": {"type": ["boolean", "null"], "description": "Whether the answer is not waited for, but fetched later; needs store, and no stream"},
                "store": {"type": ["boolean", "null"], "description": "Whether it is kept; true without it"},
                "stream": {"type": ["boolean", "null"]}, "metadata": {"type": ["object", "null"]},
                "max_output_tokens": {"$ref": "#/components/schemas/TokenLimit"},
                "tools": {
                  "type": ["array", "null"],
                  "items": {
                    "type": "object",
                    "description": "A function, or a tool of the type custom, whose input is a text; tools of other types are left out and named in Warning, and so are parameters that are no schema",
                    "properties": {
                      "type": {"default": "function"}, "name": {"type": "string"}, "strict": {},
                      "description": {"type": ["string", "null"]}, "parameters": {},
                      "format": {
                        "description": "Of the type custom, an object that says what the input is: any text, or one that matches a regular expression (ECMAScript). Lark grammars are refused"
                      }
                    }
                  }
                },
                "tool_choice": {
                  "anyOf": [
                    {"enum": ["none", "auto", "required", "", null]},
                    {
                      "type": "object", "required": ["type", "name"],
                      "properties": {"type": {"enum": ["function", "custom"]}, "name": {"type": "string"}}
                    },
                    {
                      "type": "object", "required": ["type", "mode", "tools"],
                      "description": "The tools that may be called; the model is shown no others",
                      "properties": {
                        "type": {"const": "allowed_tools"}, "mode": {"enum": ["auto", "required"]},
                        "tools": {"type": "array", "items": {"type": "object"}}
                      }
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
                "temperature": {"$ref": "#/components/schemas/Temperature"},
                "top_p": {"$ref": "#/components/schemas/TopP"},
                "min_p": {"$ref": "#/components/schemas/MinP"},
                "top_k": {"$ref": "#/components/schemas/TopK"},
                "seed": {"$ref": "#/components/schemas/Seed"},
                "stop": {"$ref": "#/components/schemas/Stop"},
                "presence_penalty": {"$ref": "#/components/schemas/Penalty"},
                "frequency_penalty": {"$ref": "#/components/schemas/Penalty"},
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
              "type": "object", "required": ["type", "name"],
              "properties": {
                "type": {"const": "function_call"}, "name": {"type": "string"}, "call_id": {"type": "string"},
                "arguments": {"description": "JSON in a string, or an object; anything else is handed to the model as text"}
              },
              "description": "Calls of custom tools are read likewise; items of other types are left out and named in Warning"
            },
            "OtherItem": {
              "type": "object", "required": ["type"],
              "properties": {
                "type": {
                  "type": "string",
                  "not": {
                    "enum": [
                      "message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "item_reference"
                    ]
                  }
                }
              },
              "description": "What was thought before (reasoning) is no part of a prompt; items of other types, of tools that were run elsewhere, are left out of it and named in Warning"
            },
            "ItemReference": {
              "type": "object", "required": ["id"],
              "properties": {"type": {"enum": ["item_reference", null]}, "id": {"type": "string"}},
              "description": "An item of a kept response or conversation; one that is not there is refused with code item_not_found"
            },
            "ItemList": {
              "type": "object", "required": ["object", "data", "first_id", "last_id", "has_more"],
              "properties": {
                "object": {"const": "list"},
                "data": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["id", "type"],
                    "properties": {"id": {"type": "string"}, "type": {"type": "string"}, "status": {"type": "string"}}
                  }
                },
                "first_id": {"type": "string", "description": "Empty where there is no item"},
                "last_id": {"type": "string"}, "has_more": {"type": "boolean"}
              }
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
                "conversation", "max_tool_calls", "service_tier", "safety_identifier", "prompt_cache_key"
              ],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "response"}, "created_at": {"type": "integer"},
                "status": {"enum": ["in_progress", "completed", "incomplete", "failed", "cancelled"]}, "model": {"type": "string"},
                "output": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["id", "type"],
                    "properties": {"id": {"type": "string"}, "type": {"enum": ["message", "reasoning", "function_call", "custom_tool_call"]}}
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
                        "output_tokens_details": {
                          "type": "object", "required": ["reasoning_tokens"],
                          "properties": {"reasoning_tokens": {"type": "integer", "description": "Those of the thoughts among them"}}
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
                "presence_penalty": {"type": "number"}, "frequency_penalty": {"type": "number"}, "background": {"type": "boolean"},
                "conversation": {
                  "anyOf": [{"type": "null"}, {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}]
                },
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
