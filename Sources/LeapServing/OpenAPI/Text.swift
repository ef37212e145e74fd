extension APIDescription {
    /// Text completions.
    static let text = #"""
        {
          "paths": {
            "/v1/completions": {
              "post": {
                "operationId": "createCompletion", "summary": "Go on with a text",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TextRequest"}}}},
                "responses": {
                  "200": {
                    "description": "The completion; with stream, events with chunks of it and [DONE] at the end",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/TextCompletion"}},
                      "text/event-stream": {}
                    }
                  }
                }
              }
            }
          },
          "schemas": {
            "TextRequest": {
              "allOf": [
                {"$ref": "#/components/schemas/Sampling"},
                {
                  "type": "object", "required": ["prompt"],
                  "properties": {
                    "model": {"type": ["string", "null"]},
                    "prompt": {
                      "anyOf": [
                        {"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 64},
                        {"$ref": "#/components/schemas/TokenNumbers"},
                        {"type": "array", "items": {"$ref": "#/components/schemas/TokenNumbers"}, "minItems": 1, "maxItems": 64}
                      ]
                    },
                    "echo": {
                      "type": ["boolean", "null"],
                      "description": "Whether the prompt is part of the text, and of the log probabilities; then max_tokens may be 0"
                    },
                    "logprobs": {
                      "anyOf": [{"type": ["boolean", "null"]}, {"type": "integer", "minimum": 0, "maximum": 20}],
                      "description": "Log probabilities of all tokens, with those of so many of the most likely; in a stream each chunk has those of its text"
                    },
                    "stream": {"type": ["boolean", "null"]},
                    "stream_options": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/StreamOptions"}]},
                    "n": {"type": ["integer", "null"], "minimum": 1, "maximum": 16},
                    "max_completion_tokens": {"$ref": "#/components/schemas/TokenLimit"},
                    "max_tokens": {
                      "anyOf": [{"$ref": "#/components/schemas/TokenLimit"}, {"const": 0}],
                      "description": "16 without it, -1 for no limit; 0 with echo alone"
                    }
                  }
                }
              ]
            },
            "TextLogprobs": {
              "type": "object", "required": ["tokens", "token_logprobs", "top_logprobs", "text_offset"],
              "properties": {
                "tokens": {"type": "array", "items": {"type": "string"}},
                "token_logprobs": {"type": "array", "items": {"type": ["number", "null"]}},
                "top_logprobs": {"type": "array", "items": {"type": ["object", "null"], "additionalProperties": {"type": "number"}}},
                "text_offset": {"type": "array", "items": {"type": "integer", "minimum": 0}}
              },
              "description": "An entry for each token; null where nothing stands in front of it"
            },
            "TextCompletion": {
              "type": "object", "required": ["id", "object", "created", "model", "choices", "usage"],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "text_completion"}, "created": {"type": "integer"},
                "model": {"type": "string"},
                "choices": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["index", "text", "finish_reason"],
                    "properties": {
                      "index": {"type": "integer", "minimum": 0}, "text": {"type": "string"}, "logprobs": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/TextLogprobs"}]},
                      "finish_reason": {"$ref": "#/components/schemas/FinishReason"}
                    }
                  }
                },
                "usage": {"$ref": "#/components/schemas/Usage"}
              }
            }
          }
        }
        """#
}
