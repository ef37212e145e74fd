extension APIDescription {
    /// Schemas that several routes use.
    static let shared = #"""
        {
          "schemas": {
            "OllamaErrorDocument": {
              "type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}
            },
            "TokenLimit": {
              "type": ["integer", "null"], "minimum": -2147483648, "maximum": 2147483647, "not": {"const": 0},
              "description": "-1 for no limit"
            },
            "ErrorDocument": {
              "type": "object", "required": ["error"],
              "properties": {
                "error": {
                  "type": "object", "required": ["message", "type", "param", "code"],
                  "properties": {
                    "message": {"type": "string"}, "type": {"type": "string"},
                    "param": {"type": ["string", "null"], "description": "The field at fault"},
                    "code": {"type": ["string", "null"]}
                  }
                }
              }
            },
            "ResponseFormat": {
              "type": "object", "required": ["type"],
              "oneOf": [
                {"type": "object", "properties": {"type": {"const": "text"}}},
                {
                  "type": "object",
                  "properties": {
                    "type": {"const": "json_object"},
                    "schema": {"description": "A JSON Schema that the reply validates against", "type": ["object", "boolean", "null"]},
                    "value": {"description": "As schema, which Hugging Face's clients call so"}
                  }
                },
                {
                  "type": "object", "required": ["value"],
                  "properties": {
                    "type": {"enum": ["json", "regex"]},
                    "value": {"description": "A JSON Schema, or a regular expression"}
                  }
                },
                {
                  "type": "object", "required": ["json_schema"],
                  "properties": {
                    "type": {"const": "json_schema"},
                    "json_schema": {
                      "type": "object", "required": ["schema"],
                      "properties": {
                        "name": {},
                        "schema": {"description": "A JSON Schema that the reply validates against", "type": ["object", "boolean"]}
                      }
                    }
                  }
                }
              ]
            },
            "ToolChoice": {
              "anyOf": [
                {"enum": ["none", "auto", "required", "", null]},
                {
                  "type": "object", "required": ["type", "function"],
                  "properties": {
                    "type": {"const": "function"},
                    "function": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
                  }
                },
                {
                  "type": "object", "required": ["type", "custom"],
                  "properties": {
                    "type": {"const": "custom"},
                    "custom": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
                  }
                },
                {
                  "type": "object", "required": ["type", "allowed_tools"],
                  "description": "The tools that may be called; the model is shown no others",
                  "properties": {
                    "type": {"const": "allowed_tools"},
                    "allowed_tools": {
                      "type": "object", "required": ["mode", "tools"],
                      "properties": {"mode": {"enum": ["auto", "required"]}, "tools": {"type": "array", "items": {"type": "object"}}}
                    }
                  }
                }
              ]
            },
            "FunctionTool": {
              "type": "object",
              "description": "A function, or a tool of the type custom, whose input is a text; tools of other types are left out and named in Warning",
              "properties": {
                "type": {"default": "function"}, "function": {"$ref": "#/components/schemas/FunctionDefinition"},
                "custom": {
                  "description": "Of the type custom, an object: its name, a description, and as format an object that says what the input is: any text (type text), or one that matches a regular expression (type grammar, syntax regex). Formats that cannot be kept to, as Lark grammars, are told to the model and named in Warning; where tool_choice demands the tool they are refused"
                }
              }
            },
            "FunctionDefinition": {
              "type": "object", "required": ["name"],
              "properties": {
                "name": {"type": "string"},
                "description": {"type": ["string", "null"]},
                "parameters": {
                  "description": "A JSON Schema of the arguments; where calls are free, what is none and parts that cannot be enforced are named in Warning, else they are refused"
                },
                "strict": {"description": "With true, parameters that cannot be enforced are refused in any case"}
              }
            },
            "ToolCall": {
              "type": "object", "anyOf": [{"required": ["function"]}, {"required": ["custom"]}],
              "properties": {
                "id": {}, "type": {},
                "custom": {"description": "Of a custom tool, an object: its name, and the text that it is given as input"},
                "function": {
                  "description": "An object: the name, and as arguments JSON in a string or an object; anything else is handed to the model as text. Without an object here, custom counts"
                }
              }
            },
            "Message": {
              "type": "object", "required": ["role"],
              "properties": {
                "role": {"enum": ["system", "developer", "user", "assistant", "tool", "function"]},
                "content": {
                  "anyOf": [
                    {"type": ["string", "null"]},
                    {
                      "type": "array",
                      "items": {
                        "anyOf": [
                          {"type": "string"}, {"$ref": "#/components/schemas/TextPart"},
                          {"type": "object", "description": "A part of another type: pictures, sound, or one that is left out"}
                        ]
                      }
                    }
                  ]
                },
                "reasoning_content": {"type": ["string", "null"]},
                "tool_calls": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/ToolCall"}},
                "tool_call_id": {"type": ["string", "null"]}, "name": {"type": ["string", "null"]}
              }
            },
            "TextPart": {
              "type": "object", "required": ["type", "text"],
              "properties": {"type": {"enum": ["text", "input_text", "output_text"]}, "text": {"type": "string"}},
              "description": "Refusals are read as text, thoughts as reasoning_content; parts of unknown types are left out and named in Warning. Images that the model does not read are refused with code unsupported_content, and so are image addresses other than data: where the server was not started with --allow-image-urls"
            },
            "Temperature": {
              "type": ["number", "null"], "minimum": 0, "maximum": 100,
              "description": "Flattens (above 1) or sharpens (below) the distribution; 0 takes the most likely token"
            },
            "TopP": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "0 takes the most likely token, 1 is off"},
            "MinP": {"type": ["number", "null"], "minimum": -1, "maximum": 1, "description": "0 and less is off"},
            "TopK": {"type": ["integer", "null"], "minimum": -2147483648, "maximum": 2147483647, "description": "0 and less is off"},
            "Penalty": {"type": ["number", "null"], "minimum": -2, "maximum": 2},
            "Seed": {
              "type": ["integer", "null"], "minimum": -9223372036854775808, "maximum": 18446744073709551615,
              "description": "The same seed gives the same reply; -1 is any"
            },
            "Stop": {
              "description": "Texts that end the reply, which are no part of it",
              "anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}, "maxItems": 16}]
            },
            "Sampling": {
              "type": "object",
              "properties": {
                "temperature": {"$ref": "#/components/schemas/Temperature"}, "top_p": {"$ref": "#/components/schemas/TopP"},
                "min_p": {"$ref": "#/components/schemas/MinP"}, "top_k": {"$ref": "#/components/schemas/TopK"},
                "repetition_penalty": {"$ref": "#/components/schemas/RepetitionPenalty"},
                "repeat_penalty": {
                  "$ref": "#/components/schemas/RepetitionPenalty", "description": "As repetition_penalty, which wins"
                },
                "frequency_penalty": {"$ref": "#/components/schemas/Penalty"}, "presence_penalty": {"$ref": "#/components/schemas/Penalty"},
                "seed": {"$ref": "#/components/schemas/Seed"}, "stop": {"$ref": "#/components/schemas/Stop"},
                "logit_bias": {
                  "description": "Added to the logits of tokens: an object of token numbers, or pairs of a number or a text and a bias; false never lets a token come",
                  "anyOf": [
                    {"type": ["object", "null"], "additionalProperties": {"anyOf": [{"type": "number", "minimum": -100, "maximum": 100}, {"const": false}]}, "maxProperties": 1024},
                    {"type": "array", "maxItems": 1024, "items": {"type": "array", "minItems": 2, "maxItems": 2}}
                  ]
                },
                "min_tokens": {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647, "description": "So many tokens come before the model may end the reply"},
                "ignore_eos": {"type": ["boolean", "null"], "description": "Whether the model never ends the reply"},
                "cache_prompt": {"type": ["boolean", "null"], "description": "Prompts are always kept: false is named in the header Warning"},
                "ebnf": {"type": ["string", "null"], "description": "As grammar"},
                "grammar": {"type": ["string", "null"], "description": "A grammar in GBNF that the reply follows"},
                "regex": {"type": ["string", "null"], "description": "A regular expression (ECMAScript) that the reply matches"},
                "n_predict": {"$ref": "#/components/schemas/TokenLimit", "description": "As max_tokens, which wins"},
                "json_schema": {"type": ["object", "boolean", "string", "null"], "description": "As guided_json"},
                "guided_json": {"type": ["object", "boolean", "string", "null"], "description": "A JSON Schema that the reply validates against"},
                "guided_choice": {"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1, "description": "Texts of which the reply is one"},
                "guided_grammar": {"type": ["string", "null"], "description": "As grammar"},
                "structured_outputs": {
                  "type": ["object", "null"], "description": "The same in one object: json, regex, choice, grammar",
                  "properties": {
                    "json": {"type": ["object", "boolean", "string", "null"]}, "regex": {"type": ["string", "null"]},
                    "choice": {"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1}, "grammar": {"type": ["string", "null"]}
                  }
                },
                "guided_regex": {"type": ["string", "null"], "description": "As regex, which wins"},
                "response_format": {"anyOf": [{"enum": [null, "", {}]}, {"$ref": "#/components/schemas/ResponseFormat"}]},
                "reasoning_effort": {
                  "description": "Whether the model is asked to think (low and above), and how much where its template takes that",
                  "enum": ["none", "minimal", "low", "medium", "high", "xhigh", "max", "", null]
                },
                "chat_template_kwargs": {"type": ["object", "null"], "description": "Variables of the chat template"},
                "parallel_tool_calls": {"type": ["boolean", "null"], "description": "false for at most one call in a reply"},
                "tool_choice": {"$ref": "#/components/schemas/ToolChoice"}
              },
              "description": "How replies are generated. Fields that no route has are named in the header Warning."
            },
            "RepetitionPenalty": {
              "anyOf": [{"type": "number", "minimum": 0.01, "maximum": 100}, {"enum": [0, -1, null]}],
              "description": "1 is off, and so are 0 and -1"
            },
            "Usage": {
              "type": "object", "required": ["prompt_tokens", "completion_tokens", "total_tokens"],
              "properties": {
                "prompt_tokens": {"type": "integer", "minimum": 0}, "completion_tokens": {"type": "integer", "minimum": 0},
                "total_tokens": {"type": "integer", "minimum": 0},
                "prompt_tokens_details": {
                  "type": "object",
                  "properties": {"cached_tokens": {"type": "integer", "minimum": 0, "description": "Those that were not computed again"}}
                }
              }
            },
            "Timings": {
              "type": "object",
              "properties": {
                "predicted_per_second": {"type": "number"}, "predicted_n": {"type": "integer"},
                "prompt_n": {"type": "integer"}, "cache_n": {"type": "integer"}
              },
              "description": "As llama.cpp's server has them"
            },
            "StreamOptions": {
              "type": "object",
              "properties": {"include_usage": {"type": ["boolean", "null"], "description": "Whether a last chunk has the usage"}}
            },
            "FinishReason": {"enum": ["stop", "length", "tool_calls", "function_call", "error"]}
          }
        }
        """#
}
