import Foundation
import LeapCore

/// The blocks of docs/Background.md.
enum BackgroundSnippets {
    struct CoolPolicy: PacePolicy {
        func pace(under conditions: DeviceConditions, threads: Int) -> Pace {
            conditions.thermalState == .nominal ? Pace(threads: threads) : Pace(threads: 1, dutyCycle: 0.25)
        }
    }
}
