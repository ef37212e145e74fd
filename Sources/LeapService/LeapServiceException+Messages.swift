package import LeapCore

extension LeapServiceException {
    package static var connectionLost: LeapServiceException {
        LeapServiceException(
            .connectionLost,
            message: "the connection to the model service was lost: load the model again to continue this history")
    }

    package static func sessionLimit(_ count: Int) -> LeapServiceException {
        LeapServiceException(
            .sessionLimit,
            message:
                "this app has \(count) conversations in the model service, which is the limit: release one of them, or load the model with forceLocal"
        )
    }

    package static func violation(_ what: String) -> LeapServiceException {
        LeapServiceException(.protocolViolation, message: "the model service and this app do not agree: \(what)")
    }
}
