/// A mixture of experts: each token goes through the few networks that its router chooses.
package struct MixtureFeedForward: Sendable {
    package var router: Router
    /// The gates of the experts; empty where the result of `ups` goes through ``plainActivation`` itself.
    package var gates: [Matrix]
    package var ups: [Matrix]
    package var downs: [Matrix]
    /// The activation of gates.
    package var activation: GateActivation = .silu
    /// The activation of inner values where there are no gates.
    package var plainActivation = PlainFeedForward.Activation.exactGELU
    /// A network that every token goes through besides.
    package var shared: SharedExpert?

    /// The number of experts.
    package var count: Int { ups.count }

    /// The expert that all tokens share.
    package struct SharedExpert: Sendable {
        package var network: Network
        /// One row, whose product is brought to 0...1 by a sigmoid and multiplies the result; nil for 1.
        package var gate: Matrix?

        /// The two kinds of networks.
        package enum Network: Sendable {
            case dense(DenseFeedForward)
            case plain(PlainFeedForward)
        }
    }
}
