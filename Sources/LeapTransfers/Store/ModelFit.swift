/// The memory and disk space that a model needs and that this machine has, from the model's header before it is
/// fetched.
public struct ModelFit: Sendable, Hashable {
    /// The model's name as it was asked for.
    public var name: String
    /// The model's architecture, such as `lfm2`.
    public var architecture: String
    /// Tokens of context that memory was computed for.
    public var contextSize: Int
    /// Tokens of context that the model was trained for.
    public var trainedContextSize: Int?
    /// Bytes of all files.
    public var downloadBytes: Int64
    /// Bytes of them that are on this machine already.
    public var bytesOnDisk: Int64
    /// Bytes of tensor data of the model and its companions.
    public var weightBytes: Int64
    /// Bytes of keys and values (16 bits each) for ``contextSize`` tokens.
    public var keyValueBytes: Int64
    /// Bytes that pictures take at most beside the projector's weights: encoding them, and what is kept of them; 0
    /// without a projector.
    public var pictureBytes: Int64 = 0
    /// Bytes that sounds take at most beside the encoder's weights: encoding a minute of one, and what is kept of them;
    /// 0 without an encoder.
    public var soundBytes: Int64 = 0
    /// Bytes that speech takes at most beside the audio decoder's weights: making a minute of it, and what is kept of
    /// that; 0 without a decoder.
    public var speechBytes: Int64 = 0
    /// Bytes that a GPU holds for the layers that were asked for: their weights, the output head's where all were, and
    /// keys and values of twice the context, and the weights of an audio decoder's layers where those were asked for; 0
    /// where none were.
    public var gpuBytes: Int64 = 0
    /// Bytes of this machine's memory, if the system says.
    public var physicalMemory: Int64?
    /// Bytes of it that are free or can be freed now, if the system says.
    public var availableMemory: Int64?
    /// Bytes that are free where the model would go, if the system says.
    public var availableDisk: Int64?

    /// Bytes that the model needs in memory; weights are mapped, so the system may drop and read them again.
    public var memoryBytes: Int64 { weightBytes + keyValueBytes + pictureBytes + soundBytes + speechBytes }

    /// A Boolean value that tells whether memory suffices: all of it, less a tenth for the system; nil if the system
    /// does not say how much there is.
    public var fitsMemory: Bool? { physicalMemory.map { memoryBytes <= $0 / 10 * 9 } }

    /// A Boolean value that tells whether the disk has room for what is not there yet; nil if the system does not say.
    public var fitsDisk: Bool? { availableDisk.map { downloadBytes - bytesOnDisk <= $0 } }

    /// A Boolean value that tells whether the model can be fetched and run here, as far as is known.
    public var fits: Bool { fitsMemory != false && fitsDisk != false }
}
