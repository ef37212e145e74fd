/// `namespace()`: the one thing a template can change.
final class NamespaceObject: Object {
    private(set) var entries: [(name: Text, value: Value)] = []
    private var tags: [UInt64] = []

    /// Set while the namespace is being printed, so that one that holds itself ends.
    var isPrinting = false

    override var typeName: String { "Namespace" }
    override var describedType: String { "transformers.utils.chat_template_utils.Namespace object" }

    func value(_ name: Text, tag: UInt64) -> Value? {
        for i in tags.indices where tags[i] == tag && entries[i].name == name { return entries[i].value }
        return nil
    }

    func set(_ name: Text, tag: UInt64, to value: Value, _ renderer: Renderer) throws(TemplateError) {
        try touch(name, renderer)
        if name.bytes.first == 0x5F {
            throw TemplateError(
                .security,
                "Chat templates cannot store underscore-prefixed attributes on a namespace, but got "
                    + "\(Repr.string(name)). Please rename the attribute.")
        }
        for i in tags.indices where tags[i] == tag && entries[i].name == name {
            entries[i].value = value
            return
        }
        tags.append(tag)
        entries.append((name, value))
    }

    /// Lets go of everything; called when the rendering ends, since namespaces can form chains and cycles.
    func clear() {
        entries = []
        tags = []
    }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) throws(TemplateError) -> Value? {
        try touch(key.name, renderer)
        return value(key.name, tag: key.tag)
    }

    /// Accounts for looking through the names.
    @inline(__always)
    private func touch(_ name: Text, _ renderer: Renderer) throws(TemplateError) {
        try renderer.touch(bytes: (tags.count &* 8) &+ name.bytes.count)
    }
}
