import LeapModel

/// The parameters that ``GenerationOptions`` has properties for, in the types of the API.
extension SamplingValues {
    init(
        temperature: Float?, topP: Float?, minP: Float?, repetitionPenalty: Float?, topK: Int32?, rngSeed: Int64?
    ) {
        self.init()
        self.temperature = temperature
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.topK = topK
        self.rngSeed = rngSeed
    }

    var temperature: Float? {
        get { self[.temperature].map { Float($0) } }
        set { self[.temperature] = newValue.map { Double($0) } }
    }

    var topP: Float? {
        get { self[.topP].map { Float($0) } }
        set { self[.topP] = newValue.map { Double($0) } }
    }

    var minP: Float? {
        get { self[.minP].map { Float($0) } }
        set { self[.minP] = newValue.map { Double($0) } }
    }

    var repetitionPenalty: Float? {
        get { self[.repetitionPenalty].map { Float($0) } }
        set { self[.repetitionPenalty] = newValue.map { Double($0) } }
    }

    var topK: Int32? {
        get { self[.topK].flatMap { Int32(exactly: $0) } }
        set { self[.topK] = newValue.map { Double($0) } }
    }

    var rngSeed: Int64? {
        get { seed.map { Int64(bitPattern: $0) } }
        set { seed = newValue.map { UInt64(bitPattern: $0) } }
    }
}
