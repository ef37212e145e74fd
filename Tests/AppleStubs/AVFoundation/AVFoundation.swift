// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import AVFAudio
import Foundation

public struct AVMediaType: Hashable, Sendable {
    let name: String
    public static let audio = AVMediaType(name: "soun")
}

public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

open class AVCaptureDevice: NSObject {
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        StubMicrophone.shared.state.withLock { AVAuthorizationStatus(rawValue: $0.permission) ?? .denied }
    }
    open class func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        let isGranted = StubMicrophone.shared.state.withLock { state -> Bool in
            state.requests += 1
            return state.permission == AVAuthorizationStatus.authorized.rawValue
        }
        handler(isGranted)
    }
}
