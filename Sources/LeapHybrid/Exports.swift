// What an app names that routes between a device and an endpoint; the endpoint's `ChatMessage` is not among it, as the
// one of LeapSDK is meant.
@_exported import struct LeapOpenAIClient.OpenAiClientConfig
@_exported import struct LeapOpenAIClient.OpenAiClientError
