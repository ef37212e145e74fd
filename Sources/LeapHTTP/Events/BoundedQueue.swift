import LeapBase

/// Hands elements from a thread to async code, with a bound on those in between.
///
/// Where the thread may wait, it sleeps while the queue is full: a thread of a transport reads nothing further from the
/// network meanwhile. Elsewhere the queue refuses what does not fit. One task at a time takes elements.
package final class BoundedQueue<Element: Sendable>: Sendable {
    fileprivate struct State {
        /// The elements in a row; those before ``start`` were taken.
        private var elements: [(element: Element, cost: Int)?] = []
        private var start = 0
        /// The costs of the elements together.
        var cost = 0
        /// The result with which the elements end; nil until they do.
        var end: Result<Void, any Error>?
        /// True if there was an element.
        var hasBegun = false
        /// True if nobody takes elements any more.
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?

        var takes: Bool { !isClosed && end == nil }
        var isEmpty: Bool { start == elements.count }

        mutating func append(_ element: Element, _ cost: Int) {
            elements.append((element, cost))
            self.cost += cost
        }

        mutating func takeFirst() -> Element? {
            guard start < elements.count, let (element, cost) = elements[start] else { return nil }
            elements[start] = nil
            self.cost -= cost
            start += 1
            // Moved up now and then, so that each is moved once on average.
            if start > 32, start > elements.count / 2 {
                elements.removeFirst(start)
                start = 0
            }
            return element
        }

        mutating func drop() { (elements, start, cost) = ([], 0, 0) }
    }

    /// The fate of an element.
    package enum Outcome: Sendable, Hashable {
        case taken
        /// There is no room, and the thread may not wait for it.
        case full
        /// Nobody takes elements any more, or they have ended.
        case ended
    }

    private let capacity: Int
    private let waits: Bool
    private let state = Monitor(State())

    /// - Parameters:
    ///   - capacity: what the elements that wait may cost together; one may cost more.
    ///   - waits: whether the thread that adds elements may sleep.
    package init(capacity: Int, waits: Bool) {
        self.capacity = capacity
        self.waits = waits
    }

    /// True if an element was added.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// True if the elements have come to their end, without an error.
    package var hasEnded: Bool {
        state.withLock { state in
            if case .success? = state.end { return true }
            return false
        }
    }

    /// Adds an element; sleeps while there is no room, if it may.
    package func put(_ element: Element, cost: Int = 1) -> Outcome {
        func isFull(_ state: State) -> Bool { !state.isEmpty && state.cost > capacity - cost }
        let (waiter, outcome) = state.wait(while: { waits && $0.takes && isFull($0) }) { state in
            guard state.takes else { return (nil as CheckedContinuation<Void, Never>?, Outcome.ended) }
            guard !isFull(state) else { return (nil, .full) }
            state.append(element, cost)
            state.hasBegun = true
            return (state.takeWaiter(), .taken)
        }
        waiter?.resume()
        return outcome
    }

    /// Ends the elements; what is in the queue is taken before.
    ///
    /// The first end counts.
    package func finish(_ end: Result<Void, any Error>) {
        let waiter = state.withLock { state in
            if state.end == nil { state.end = end }
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Drops what is in the queue and refuses what comes, as nobody takes elements any more.
    package func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            state.drop()
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// The next element; nil at the end, and as soon as the queue is closed.
    package func next() async throws -> Element? {
        while true {
            let found: Result<Element?, any Error>? = state.withLock { state in
                if state.isClosed { return .success(nil) }
                if let element = state.takeFirst() { return .success(element) }
                return state.end.map { end in end.map { nil } }
            }
            if let found { return try found.get() }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.isEmpty, state.end == nil, !state.isClosed else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}

extension BoundedQueue.State {
    /// The continuation that waits, which whoever takes it resumes.
    fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
    }
}
