extension APIDescription {
    /// Conversations.
    static let conversations = #"""
        {
          "paths": {
            "/v1/conversations": {
              "post": {
                "operationId": "createConversation", "summary": "Begin a conversation that responses read and append to",
                "requestBody": {
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ConversationRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The conversation",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Conversation"}}}
                  }
                }
              }
            },
            "/v1/conversations/{id}": {
              "parameters": [{"$ref": "#/components/parameters/Id"}],
              "get": {
                "operationId": "getConversation", "summary": "A conversation",
                "responses": {
                  "200": {
                    "description": "The conversation",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Conversation"}}}
                  }
                }
              },
              "post": {
                "operationId": "updateConversation", "summary": "Change the metadata of a conversation",
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object", "required": ["metadata"],
                        "properties": {"metadata": {"$ref": "#/components/schemas/Metadata"}}
                      }
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The conversation",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Conversation"}}}
                  }
                }
              },
              "delete": {
                "operationId": "deleteConversation", "summary": "Forget a conversation with its items",
                "responses": {
                  "200": {
                    "description": "The answer",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object", "required": ["id", "object", "deleted"],
                          "properties": {"id": {"type": "string"}, "object": {"const": "conversation.deleted"}, "deleted": {"const": true}}
                        }
                      }
                    }
                  }
                }
              }
            },
            "/v1/conversations/{id}/items": {
              "parameters": [{"$ref": "#/components/parameters/Id"}],
              "get": {
                "operationId": "listConversationItems", "summary": "The items of a conversation",
                "parameters": [
                  {"$ref": "#/components/parameters/Order"}, {"$ref": "#/components/parameters/Limit"},
                  {"$ref": "#/components/parameters/After"}, {"$ref": "#/components/parameters/Include"}
                ],
                "responses": {
                  "200": {
                    "description": "A page of them",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ItemList"}}}
                  }
                }
              },
              "post": {
                "operationId": "addConversationItems", "summary": "Put items at the end of a conversation",
                "parameters": [{"$ref": "#/components/parameters/Include"}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object", "required": ["items"], "properties": {"items": {"$ref": "#/components/schemas/NewItems"}}
                      }
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The items as they are kept",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ItemList"}}}
                  }
                }
              }
            },
            "/v1/conversations/{id}/items/{item}": {
              "parameters": [
                {"$ref": "#/components/parameters/Id"},
                {
                  "name": "item", "in": "path", "required": true,
                  "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
                }
              ],
              "get": {
                "operationId": "getConversationItem", "summary": "An item of a conversation",
                "parameters": [{"$ref": "#/components/parameters/Include"}],
                "responses": {
                  "200": {
                    "description": "The item",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object", "required": ["id", "type"],
                          "properties": {"id": {"type": "string"}, "type": {"type": "string"}}
                        }
                      }
                    }
                  }
                }
              },
              "delete": {
                "operationId": "deleteConversationItem", "summary": "Remove an item from a conversation",
                "responses": {
                  "200": {
                    "description": "The conversation",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Conversation"}}}
                  }
                }
              }
            }
          },
          "parameters": {
            "Id": {
              "name": "id", "in": "path", "required": true,
              "schema": {"type": "string", "pattern": "^[^/]+$", "minLength": 1}
            },
            "Order": {
              "name": "order", "in": "query", "schema": {"enum": ["asc", "desc", ""]}, "description": "desc without it: the newest first"
            },
            "Limit": {
              "name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100},
              "description": "How many items a page has; 20 without it"
            },
            "After": {
              "name": "after", "in": "query", "schema": {"type": "string"}, "description": "The item that the page is behind"
            },
            "Include": {
              "name": "include[]", "in": "query", "schema": {"type": "array", "items": {"type": "string"}},
              "description": "message.output_text.logprobs for the log probabilities that messages were made with; others have no effect"
            }
          },
          "schemas": {
            "Conversation": {
              "type": "object", "required": ["id", "object", "created_at", "metadata"],
              "properties": {
                "id": {"type": "string"}, "object": {"const": "conversation"}, "created_at": {"type": "integer"},
                "metadata": {"type": "object"}
              }
            },
            "ConversationRequest": {
              "type": "object",
              "properties": {
                "items": {"anyOf": [{"type": "null"}, {"type": "array", "maxItems": 0}, {"$ref": "#/components/schemas/NewItems"}]},
                "metadata": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Metadata"}]}
              }
            },
            "NewItems": {
              "type": "array", "minItems": 1, "maxItems": 20,
              "items": {
                "anyOf": [
                  {"$ref": "#/components/schemas/Message"}, {"$ref": "#/components/schemas/CallItem"},
                  {"$ref": "#/components/schemas/CallOutputItem"}, {"$ref": "#/components/schemas/ItemReference"},
                  {"$ref": "#/components/schemas/OtherItem"}
                ]
              }
            },
            "Metadata": {
              "type": "object", "maxProperties": 16, "propertyNames": {"maxLength": 64},
              "additionalProperties": {"type": "string", "maxLength": 512}
            }
          }
        }
        """#
}
