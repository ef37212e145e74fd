import LeapBase
package import LeapChat

/// Answers to questions about each state of a sequence, in its order; see `ModelRunner.decisions(_:about:options:ahead:)`.
///
/// The iterator throws the first error of a state or of the sequence, then ends. `CancellationError` is thrown if the
/// task that iterates is cancelled. Work ends when the iterator is released.
public struct DecisionStream<Element: Sendable>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> DecisionPump<Element>

    package init(begin: @escaping @Sendable () -> DecisionPump<Element>) { self.begin = begin }

    /// Begins to read states.
    public func makeAsyncIterator() -> Iterator { Iterator(pump: begin()) }

    /// The answers about one state after another.
    public struct Iterator: AsyncIteratorProtocol {
        private let pump: DecisionPump<Element>
        private var hasEnded = false

        init(pump: DecisionPump<Element>) { self.pump = pump }

        /// Returns the answers about the next state; nil at the end.
        public mutating func next() async throws -> Element? {
            guard !hasEnded else { return nil }
            do {
                if let element = try await pump.next() { return element }
            } catch {
                hasEnded = true
                throw error
            }
            hasEnded = true
            return nil
        }
    }
}

/// Reads states ahead of those that were delivered, a limited number, and answers them at a time.
package final class DecisionPump<Element: Sendable>: Sendable {
    private typealias Work = Task<Element, any Error>

    /// Work in the order of the states; its end is that of the states, perhaps with their error.
    private let works: AsyncThrowingStream<Work, any Error>
    private let permits: AsyncStream<Void>.Continuation
    private let reader: Task<Void, Never>
    /// The work that is not delivered yet, to cancel it.
    private let open: Locked<[Work]>

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - states: the states.
    ///   - ahead: states that are read and not delivered, at most.
    ///   - answer: answers about a state.
    package init<States: AsyncSequence & Sendable>(
        _ states: States, ahead: Int, answer: @escaping @Sendable (DecisionState) async throws -> Element
    ) where States.Element == DecisionState {
        let (works, output) = AsyncThrowingStream<Work, any Error>.makeStream()
        let (gate, permits) = AsyncStream<Void>.makeStream()
        let open = Locked<[Work]>([])
        for _ in 0..<max(1, ahead) { permits.yield() }
        self.works = works
        self.permits = permits
        self.open = open
        reader = Task {
            do {
                var iterator = states.makeAsyncIterator()
                for await _ in gate {
                    guard !Task.isCancelled, let state = try await iterator.next() else { break }
                    let work = Work { try await answer(state) }
                    open.withLock { $0.append(work) }
                    if Task.isCancelled { work.cancel() }
                    output.yield(work)
                }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
    }

    deinit { cancel() }

    package func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            var iterator = works.makeAsyncIterator()
            guard let work = try await iterator.next() else {
                try Task.checkCancellation()
                return nil
            }
            defer {
                open.withLock { open in open.removeAll { $0 == work } }
                permits.yield()
            }
            do {
                return try await work.value
            } catch {
                cancel()
                throw error
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        reader.cancel()
        permits.finish()
        for work in open.withLock({ $0 }) { work.cancel() }
    }
}
