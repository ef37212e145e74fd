package import Foundation
import LeapAudioDemoModel
import LeapDecisionDemoModel
import LeapDemoModel
import LeapVisionDemoModel

/// The models that the program carries.
package enum EmbeddedModels {
    static let names = [
        LeapDemoModel.name, LeapVisionDemoModel.name, LeapAudioDemoModel.name, LeapDecisionDemoModel.name,
        LeapDecisionDemoModel.masksName,
    ]

    /// Returns the address of an embedded model's file; nil for a name that none has.
    package static func url(named name: String) throws -> URL? {
        switch name {
        case LeapDemoModel.name: try LeapDemoModel.url
        case LeapVisionDemoModel.name: try LeapVisionDemoModel.url
        case LeapAudioDemoModel.name: try LeapAudioDemoModel.url
        case LeapDecisionDemoModel.name: try LeapDecisionDemoModel.labels
        case LeapDecisionDemoModel.masksName: try LeapDecisionDemoModel.masks
        default: nil
        }
    }
}
