/// Options of a decision.
public struct DecisionOptions: Sendable, Hashable {
    /// The temperature of all questions, more than 0; nil for ``temperatures``, then the file's, then 1.
    public var temperature: Double?
    /// Temperatures by type and number of options, for example fitted ones; nil for those of the file.
    public var temperatures: DecisionTemperatures?
    /// The number of orders of the options that a readout averages, to cancel the pull of their order.
    ///
    /// nil means all rotations, at most 4. All questions together have at most 1,600 orders. Models that were trained for
    /// decisions ignore it.
    public var rotations: Int?
    /// A Boolean value that indicates whether a model that was trained for decisions answers as a chat model does.
    public var usesReadout: Bool

    /// Creates options.
    public init(
        temperature: Double? = nil, temperatures: DecisionTemperatures? = nil, rotations: Int? = nil,
        usesReadout: Bool = false
    ) {
        self.temperature = temperature
        self.temperatures = temperatures
        self.rotations = rotations
        self.usesReadout = usesReadout
    }
}

/// The questions that a model answers, and how.
public struct DecisionCapabilities: Sendable, Hashable {
    /// The way in which probabilities are read.
    public let reading: DecisionAnswer.Reading
    /// The type of the decision model, as its file has it; nil for a chat model.
    public let type: String?
    /// The maximum number of options of a choice.
    public let maximumChoiceOptions: Int
    /// The maximum number of levels of a score.
    public let maximumScoreLevels: Int
    /// A Boolean value that indicates whether states may have pictures.
    public let readsPictures: Bool
    /// A Boolean value that indicates whether states may have a sound.
    public let readsSounds: Bool

    /// Creates a description.
    package init(
        reading: DecisionAnswer.Reading, type: String?, maximumChoiceOptions: Int, maximumScoreLevels: Int = 10,
        readsPictures: Bool = false, readsSounds: Bool = false
    ) {
        self.readsPictures = readsPictures
        self.readsSounds = readsSounds
        self.reading = reading
        self.type = type
        self.maximumChoiceOptions = maximumChoiceOptions
        self.maximumScoreLevels = maximumScoreLevels
    }
}
