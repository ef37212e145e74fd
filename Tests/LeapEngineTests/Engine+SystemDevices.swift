import LeapCompute
import LeapDevices
import LeapEngine
import LeapModel

extension Engine {
    /// An engine on the devices of this machine.
    convenience init(
        model: Model, draft: (any DraftSource)? = nil, encoder: (any MediaEncoder)? = nil,
        speech: SpeechDecoder? = nil, options: EngineOptions = EngineOptions(),
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        try self.init(
            model: model, draft: draft, encoders: encoder.map { [$0] } ?? [], speech: speech, options: options,
            devices: SystemDevices(),
            onNotice: onNotice)
    }
}
