extension Array {
    /// Removes the elements that satisfy a condition, and returns them in order.
    ///
    /// The condition is asked once for each: one that other threads change, such as a cancellation, must not remove an
    /// element that was not returned.
    mutating func extract(where isTaken: (Element) -> Bool) -> [Element] {
        var taken: [Element] = []
        removeAll { element in
            guard isTaken(element) else { return false }
            taken.append(element)
            return true
        }
        return taken
    }
}
