package import LeapBase
import LeapGGUF

/// The adapters that a sequence is computed with, each with its factor.
package struct AdapterSet: Sendable {
    /// An adapter at work.
    package struct Use: Sendable {
        package let adapter: Adapter
        /// The factor that the user asks for; 1 is the one of the adapter's training.
        package let scale: Float
    }

    package let uses: [Use]
    /// Tells what state was computed with; nil without adapters.
    ///
    /// Equal keys give equal bits on one model.
    package let key: StableHash?

    /// No adapters.
    package static let none = AdapterSet()

    private init() {
        uses = []
        key = nil
    }

    /// Adapters whose results are added in this order; those with a factor of 0 are left out.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption` if a factor is not a number or is too large.
    package init(_ adapters: [(adapter: Adapter, scale: Float)]) throws(EngineError) {
        for (adapter, scale) in adapters {
            guard scale.isFinite, (scale * (adapter.alpha ?? 1)).isFinite else {
                throw EngineError(
                    .invalidOption,
                    "the scale of the adapter \(ShownText.of(adapter.file.path, limit: 4096)) is \(scale): it has to be a finite number, such as 1",
                    field: "adapters")
            }
        }
        uses = adapters.filter { $0.scale != 0 }.map { Use(adapter: $0.adapter, scale: $0.scale) }
        guard !uses.isEmpty else {
            key = nil
            return
        }
        var hash = StableHash(seed: 2)
        for use in uses {
            hash.combine(use.adapter.identity.low)
            hash.combine(use.adapter.identity.high)
            hash.combine(UInt64(use.scale.bitPattern))
        }
        key = hash
    }

    /// True if the set has no adapters.
    package var isEmpty: Bool { uses.isEmpty }

    /// Checks that the adapters are those of a model.
    ///
    /// - Throws: ``EngineError`` with code `invalidAdapter`.
    package func validate(for model: Model) throws(EngineError) {
        for use in uses where use.adapter.model !== model {
            throw EngineError(
                .invalidAdapter,
                "the adapter \(ShownText.of(use.adapter.file.path, limit: 4096)) was loaded for another model: load it for this one",
                field: "adapters")
        }
    }
}
