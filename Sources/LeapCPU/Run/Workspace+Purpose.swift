extension Workspace {
    /// The purpose of a buffer of floats, which is its name.
    ///
    /// Several purposes may share one memory: ``memory`` says which. The buffers of two of them are never live at once.
    enum Purpose: Int, CaseIterable {
        // MARK: Streams

        /// The residual stream, `[rows][embedding]`.
        case stream
        /// The normed stream that a block reads, `[rows][embedding]`.
        case normed
        /// A block's result, before it is added to the stream, `[rows][embedding]`.
        case branch
        /// The result of the first of two networks side by side, `[rows][embedding]`.
        case side
        /// Streams side by side, `[streams][rows][embedding]`, and those that are made of them.
        case streams, movedStreams
        /// The scores of streams side by side, `[rows][streams]`.
        case streamScores
        /// The coefficients that change streams side by side, and the same with those of one stream after another's.
        case coefficients, streamFactors
        /// The difference of a stream behind a layer from its prediction, `[rows][embedding]`.
        case correction
        /// Constant factors, one for each row.
        case factors
        /// Outputs of layers, `[rows][layers · embedding]`.
        case captured

        // MARK: Embeddings

        /// Vectors of positions, which are added to those of tokens, `[rows][embedding]`.
        case positions
        /// Vectors of the tokens for all layers, `[rows][layers · width]`, and the same from their table.
        case tokenInputs, tokenRows
        /// The stream as a token's input reads it, and the gate of that input.
        case scaledStream, tokenGate

        // MARK: Attention

        case query, key, value
        /// Queries without the gates that stand behind each head of them.
        case queriesAlone
        /// The values that attention's gates are made of, `[rows][heads]`.
        case headGates
        /// The values that a mixer gathered from the positions, before its output projection.
        case mixed
        /// The vectors between the two matrices beside a mixer.
        case laurel

        // MARK: Convolutions and recurrent layers

        /// The first projection of a mixer that convolves, `[rows][channels]`.
        case projected
        /// The projections of a recurrent layer for one key head after the other: channels with gates, corrections
        /// with time steps.
        case joinedChannels, joinedSteps
        /// The inputs of a convolution over a picture, behind their gates.
        case gatedInputs
        /// The rows of a convolution that looks ahead: shifted projections, kept inputs, outputs before the start.
        case shiftedInputs, convolutionInputs, dropped
        /// The channels of a recurrent layer behind its convolution.
        case filtered
        /// A recurrent layer's time steps and decays, and what its corrections are multiplied with.
        case timeSteps, decays, betas
        /// The values that a recurrent layer read from its states, and the gates that they come to.
        case read, outputGates

        // MARK: Feed-forward networks

        case gate, up
        /// Router scores, `[rows][experts]`.
        case scores
        /// The results of experts that rows chose, and of the one that all rows go through.
        case expertOutput, sharedExpert

        // MARK: Products

        /// Inputs of a product that are cut to bounds.
        case bounded
        /// The values of adapters between their two matrices.
        case adapterInner
        /// The part of the inputs of products that rounding takes.
        case remainder

        // MARK: Outputs

        case logits
        /// The vectors of positions that are wanted instead of their logits, `[rows][embedding]`.
        case hidden
        /// Copies of the vectors of all positions that are wanted, `[rows][embedding]`.
        case keptVectors
        /// Vectors that stand for texts, what matrices make of them, and a classifier's inner values.
        case texts, transformedTexts, classifierInner

        // MARK: Drafters

        /// Outputs of the model's layers as a drafter takes them, and what its first matrix makes of them.
        case joinedStreams, fusedStreams
        /// The vectors of tokens, and then those of positions, that layers read which predict further tokens.
        case draftHalf
        /// Vectors of the tokens before, and what is added to logits for them.
        case previousTokens, transitions

        // MARK: Encoders of pictures

        /// The values of a picture's patches, `[patches][values]`, and of the second of two frames.
        case pixels, secondPatches
        /// The vectors of a picture's patches in front of the layers, `[patches][embedding]`.
        case patches
        /// The vectors of squares of patches side by side, and their means.
        case squares, means

        // MARK: Encoders of sound

        /// A sound's spectrum, `[frames][bands]`.
        case spectrum
        /// The neighbours of each place of a spectrum, `[times · bands][9]`.
        case neighbours
        /// A spectrum behind each of three convolutions, `[times · bands][channels]`, the last ones each behind their
        /// filters too, and the last channel by channel.
        case firstMap, secondFiltered, secondMap, thirdFiltered, thirdMap, flatMap
        /// Sinusoids of the distances between positions, `[2 · rows - 1][embedding]`, and what a layer makes of them.
        case distances, projectedDistances
        /// The neighbours of each place of a spectrum behind its first convolution, `[times · bands][9 · channels]`.
        case channelNeighbours
        /// A head's queries with a bias, and their scores with keys and with distances.
        case biasedQueries, keyScores, distanceScores
        /// A head's values, `[head][rows]`.
        case transposed
        /// The inputs of gated linear units, and their outputs.
        case unitInputs, gatedUnits

        // MARK: Projectors

        /// The values between a projector's two matrices, and the vectors that the language model takes.
        case projectorInner, mediaVectors

        // MARK: Speech

        /// The vectors that frames are written of, and what the layers that write codes take of them.
        case speechInputs, depthInputs
        /// Frames' latents behind their first product, and the vectors that layers make spectra of.
        case joinedLatents, frameVectors
        /// Vectors that codes of one codebook are drawn from.
        case codebookRows
        /// Spectra of frames.
        case spectra

        /// The first of the purposes that share one memory: the table of all that do.
        ///
        /// Any other has its own.
        var memory: Purpose {
            switch self {
            case .stream, .fusedStreams, .speechInputs: .stream
            case .normed, .scaledStream, .texts, .previousTokens, .means, .neighbours: .normed
            case .branch, .correction, .positions, .draftHalf, .transformedTexts, .patches, .mediaVectors,
                .frameVectors:
                .branch
            case .query, .convolutionInputs, .filtered, .secondMap, .joinedLatents: .query
            case .key, .queriesAlone, .dropped, .thirdFiltered: .key
            case .value, .thirdMap: .value
            case .headGates, .decays: .headGates
            case .mixed, .read, .hidden, .classifierInner, .flatMap: .mixed
            case .gate, .coefficients, .tokenGate, .laurel, .projected, .pixels, .squares, .firstMap, .biasedQueries,
                .gatedUnits:
                .gate
            case .up, .tokenRows, .gatedInputs, .shiftedInputs, .outputGates, .joinedStreams, .secondPatches,
                .secondFiltered, .channelNeighbours, .unitInputs, .projectorInner, .depthInputs:
                .up
            case .scores, .streamScores, .betas, .keyScores: .scores
            case .expertOutput, .sharedExpert, .distanceScores: .expertOutput
            case .factors, .streamFactors, .timeSteps: .factors
            case .logits, .spectrum, .spectra: .logits
            default: self
            }
        }
    }
}
