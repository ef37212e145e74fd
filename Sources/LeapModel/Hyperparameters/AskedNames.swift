/// The names of keys or tensors that were looked for in a file while a model was described: the others are not known.
///
/// Used by one thread.
final class AskedNames {
    private(set) var names: Set<String> = []

    func insert(_ name: String) { names.insert(name) }

    func contains(_ name: String) -> Bool { names.contains(name) }
}
