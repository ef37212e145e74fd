/// The way from one spelling of a member to the other, for types of apps that have only one of the two.
package enum OtherSpelling {
    /// The object whose other spelling is being called: coming here again for it means that it has neither.
    @TaskLocal private static var object: ObjectIdentifier?

    /// Calls the other spelling.
    ///
    /// - Parameters:
    ///   - name: the member, for the log.
    ///   - otherwise: the value where the object has neither.
    package static func of<Value>(_ name: String, _ object: AnyObject, otherwise: Value, call: () -> Value) -> Value {
        let id = ObjectIdentifier(object)
        guard Self.object != id else {
            LeapLog.logger.error("\(type(of: object)) has no \(name)")
            return otherwise
        }
        return $object.withValue(id, operation: call)
    }
}
