/// A place of a sequence from which it can go on though it is longer, and what it needs for that.
package struct StateCheckpoint {
    /// Tokens before it.
    package let count: Int
    package let tail: StateTail

    package init(count: Int, tail: StateTail) {
        self.count = count
        self.tail = tail
    }
}

/// State that sequences share: full pages, and one more where it ends within a page.
package struct SharedState {
    package var pages: [StatePage] = []
    /// Tokens whose state it is.
    package var count = 0
    /// The state beside the pages that a sequence needs where it ends within a page, or anywhere where the state is
    /// recurrent.
    package var tail: StateTail?
    /// Places before the end from which sequences can go on, in ascending order, where the state is recurrent.
    package var checkpoints: [StateCheckpoint] = []

    package init(
        pages: [StatePage] = [], count: Int = 0, tail: StateTail? = nil, checkpoints: [StateCheckpoint] = []
    ) {
        self.pages = pages
        self.count = count
        self.tail = tail
        self.checkpoints = checkpoints
    }

    /// The state without what it has of a page that is not used in full.
    package var fullPages: SharedState {
        let full = count / StatePage.length
        let kept = full * StatePage.length
        return SharedState(
            pages: Array(pages.prefix(full)), count: kept, tail: tail(at: kept),
            checkpoints: checkpoints.filter { $0.count < kept })
    }

    /// Returns the state that was kept at a place, where that is more than the pages.
    package func tail(at place: Int) -> StateTail? {
        // Without checkpoints there is nothing to keep at the end of a page.
        place == count ? tail : checkpoints.first { $0.count == place }?.tail
    }

    /// The state up to the last place that sequences can go on from.
    package func continuable(isRecurrent: Bool) -> SharedState {
        guard isRecurrent, tail == nil else { return self }
        guard let last = checkpoints.last else { return SharedState() }
        let pageCount = (last.count + StatePage.length - 1) / StatePage.length
        return SharedState(
            pages: Array(pages.prefix(pageCount)), count: last.count, tail: last.tail,
            checkpoints: checkpoints.dropLast())
    }
}
