// Names of types that other versions of the LEAP SDK have.

/// The name of ``LeapSerializationException`` in the pages on messages.
public typealias LeapSerializationError = LeapSerializationException

/// The name of ``LiquidInferenceEngineManifestOptions`` up to version 0.10.4.
@available(*, deprecated, renamed: "LiquidInferenceEngineManifestOptions")
public typealias ModelLoadingOptions = LiquidInferenceEngineManifestOptions

/// The name of ``Conversation`` in the compatibility layer of version 0.9.
@available(*, deprecated, renamed: "Conversation")
public typealias LiquidConversation = Conversation

/// The name of ``MessageResponse`` in the compatibility layer of version 0.9.
@available(*, deprecated, renamed: "MessageResponse")
public typealias LiquidMessageResponse = MessageResponse

/// The name of ``Leap`` in the compatibility layer of version 0.9.
@available(*, deprecated, renamed: "Leap")
public typealias LiquidEngine = Leap
