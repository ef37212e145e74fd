import LeapBase

/// A limit on the bytes of all requests' bodies together.
package final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Locked(0)

    package init(_ limit: Int) { self.limit = limit }

    /// The bytes that one request takes of the budget, until this object is released.
    package final class Share: Sendable {
        private let budget: ByteBudget
        private let taken = Locked(0)

        fileprivate init(_ budget: ByteBudget) { self.budget = budget }

        /// Takes more.
        ///
        /// - Throws: ``APIError`` that says to try again, where the others leave too little.
        package func take(_ count: Int) throws(APIError) {
            let isLeft = budget.used.withLock { used in
                guard count <= budget.limit - used else { return false }
                used += count
                return true
            }
            guard isLeft else {
                throw .busy(
                    "the bodies of all requests have \(budget.limit) bytes already, which is as many as --max-bodies allows"
                )
            }
            taken.withLock { $0 += count }
        }

        deinit {
            let count = taken.withLock { $0 }
            budget.used.withLock { $0 -= count }
        }
    }

    /// A share without bytes.
    package func share() -> Share { Share(self) }
}
