extension APIDescription {
    /// Sound to text, and text to sound.
    static let audio = #"""
        {
          "paths": {
            "/v1/audio/transcriptions": {
              "post": {
                "operationId": "createTranscription", "summary": "Write down what is said in a sound",
                "requestBody": {
                  "required": true,
                  "content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/TranscriptionRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The text; with stream, events with pieces of it (transcript.text.delta), the whole (transcript.text.done) and [DONE]",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Transcription"}},
                      "text/plain": {}, "text/event-stream": {}
                    }
                  }
                }
              }
            },
            "/v1/audio/translations": {
              "post": {
                "operationId": "createTranslation", "summary": "Write down in English what is said in a sound; refused with code unsupported_task, as no model that is read can",
                "requestBody": {
                  "required": true,
                  "content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/TranscriptionRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The text",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Transcription"}}}
                  }
                }
              }
            },
            "/v1/audio/speech": {
              "post": {
                "operationId": "createSpeech", "summary": "Speak a text",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SpeechRequest"}}}
                },
                "responses": {
                  "200": {
                    "description": "The sound, of 24,000 samples per second: whole where it is wav or flac and there is no stream_format, else as it is made; with stream_format sse, events with pieces of it (speech.audio.delta) and the end (speech.audio.done)",
                    "content": {"audio/wav": {}, "audio/flac": {}, "audio/pcm": {}, "text/event-stream": {}}
                  }
                }
              }
            },
            "/v1/realtime": {
              "get": {
                "operationId": "connectRealtime",
                "summary": "Talk over a WebSocket, by the events of OpenAI's Realtime API; a request without the upgrade is answered with 426",
                "parameters": [
                  {
                    "name": "model", "in": "query", "schema": {"type": "string"},
                    "description": "Without one the first model that the server was started with"
                  }
                ],
                "responses": {"101": {"description": "The connection goes on as a WebSocket (RFC 6455)"}}
              }
            }
          },
          "schemas": {
            "Voice": {
              "description": "Names of OpenAI's stand for one of the four voices that there are",
              "enum": [
                "us_male", "us_female", "uk_male", "uk_female", "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin",
                "nova", "onyx", "sage", "shimmer", "verse"
              ]
            },
            "SpeechRequest": {
              "type": "object", "required": ["input"],
              "properties": {
                "model": {"type": ["string", "null"]},
                "input": {"type": "string", "minLength": 1},
                "voice": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Voice"}], "description": "us_male without it"},
                "response_format": {"enum": ["wav", "flac", "pcm", null], "description": "wav without it; all have samples of 16 bits, pcm without a header"},
                "speed": {"enum": [1, null]},
                "stream_format": {"enum": ["audio", "sse", null]}
              }
            },
            "ChatAudio": {
              "type": "object",
              "properties": {
                "format": {"enum": ["wav", "flac", "pcm16", null], "description": "Streams have pcm16"},
                "voice": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Voice"}], "description": "Without effect: models answer in a voice of their own"}
              }
            },
            "TranscriptionRequest": {
              "type": "object", "required": ["file"],
              "properties": {
                "file": {
                  "type": "string", "format": "binary",
                  "description": "A WAV or FLAC file, or an MP3 or Ogg (Vorbis, Opus) file where the system has libsndfile, whatever its name; at any rate; several channels are mixed down, and other formats are refused"
                },
                "model": {"type": "string", "description": "Without one the first model that the server was started with"},
                "language": {"enum": ["en", "ja", "english", "japanese"], "description": "en without it"},
                "response_format": {"enum": ["json", "text", "verbose_json"]},
                "temperature": {"type": "number", "minimum": 0, "maximum": 1, "description": "0 without it"},
                "stream": {"type": "boolean", "description": "Not with verbose_json"},
                "include[]": {"type": "array", "items": {"enum": ["logprobs"]}, "description": "Needs response_format json"}
              },
              "description": "Fields that are not here, prompt among them, have no effect, and are named in the header Warning."
            },
            "Transcription": {
              "type": "object", "required": ["text"],
              "properties": {
                "text": {"type": "string"}, "usage": {"type": "object"},
                "logprobs": {"type": "array", "items": {"$ref": "#/components/schemas/TokenLogprob"}},
                "task": {"const": "transcribe"}, "language": {"type": "string"},
                "duration": {"type": "number", "description": "Seconds"}
              }
            }
          }
        }
        """#
}
