/// The names that are taken already: each new one is another, with a number where it has to be.
package struct TakenNames: Sendable {
    private var names: Set<String>
    /// The number from which on those of a name's other forms are looked through: many of one name would otherwise look
    /// through all of them each time.
    private var numbers: [String: Int] = [:]

    package init(_ names: some Sequence<String> = []) { self.names = Set(names) }

    /// Returns whether a name is taken.
    package func contains(_ name: String) -> Bool { names.contains(name) }

    /// Takes a name, or where it is taken the first of its other forms that is not.
    ///
    /// - Parameter form: the name with a number, which is 2 and more; other numbers have to give other names.
    /// - Returns: the name that is taken now and was not.
    package mutating func take(_ name: String, form: (_ number: Int) -> String) -> String {
        if names.insert(name).inserted { return name }
        var number = numbers[name] ?? 2
        var other = form(number)
        while !names.insert(other).inserted {
            number += 1
            other = form(number)
        }
        numbers[name] = number + 1
        return other
    }
}
