extension APIDescription {
    /// The check of pictures and sounds before they are sent.
    static let attachments = #"""
        {
          "paths": {
            "/v1/attachments/check": {
              "post": {
                "operationId": "checkAttachment",
                "summary": "Read a picture or a sound with the decoders of replies, before it is sent; what cannot be read is refused with unsupported_format, file_too_large or damaged_file",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AttachmentCheck"}}}
                },
                "responses": {
                  "200": {
                    "description": "What the file holds",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Attachment"}}}
                  }
                }
              }
            }
          },
          "schemas": {
            "AttachmentCheck": {
              "type": "object", "required": ["part"],
              "properties": {
                "part": {"type": "object", "description": "A part of a message: image_url with a data: address, or input_audio"},
                "model": {"type": ["string", "null"], "description": "A model that has to take it"}
              }
            },
            "Attachment": {
              "type": "object", "required": ["object", "kind"],
              "properties": {
                "object": {"const": "attachment"}, "kind": {"enum": ["image", "audio"]},
                "width": {"type": "integer", "minimum": 1}, "height": {"type": "integer", "minimum": 1},
                "seconds": {"type": "number"}, "sample_rate": {"type": "integer", "minimum": 1}
              }
            }
          }
        }
        """#
}
