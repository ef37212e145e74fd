public import Foundation
import LeapBase
package import LeapJSON

/// Temperatures that were fitted to labelled answers, by the way in which a model answers.
///
/// `leap decide MODEL --calibrate FILE` writes them beside the model, as its path with `.calibration.json` behind it.
/// A model that is loaded from there uses them.
public struct DecisionCalibration: Sendable, Hashable {
    /// The name of the model.
    public var modelId: String
    /// The temperatures by the way in which they were read.
    public var temperatures: [DecisionAnswer.Reading: DecisionTemperatures]

    /// The ending of a calibration's path, behind that of the model.
    package static let suffix = ".calibration.json"
    package static let maxBytes = 1 << 20
    private static let format = "leap-decision-calibration"
    private static let version = 1

    /// Creates a calibration.
    public init(modelId: String, temperatures: [DecisionAnswer.Reading: DecisionTemperatures] = [:]) {
        self.modelId = modelId
        self.temperatures = temperatures
    }

    /// Reads a calibration from a file.
    ///
    /// - Throws: ``LeapDecisionException`` that names the file and the field.
    public init(contentsOf url: URL) throws {
        guard let found = try Self(path: url.path) else {
            throw LeapDecisionException(field: "calibration", "there is no file \(ShownText.of(url.path, limit: 4096))")
        }
        self = found
    }

    /// Reads a calibration from a file; nil if there is none.
    package init?(path: String) throws {
        let shown = ShownText.of(path, limit: 4096)
        let bytes: [UInt8]?
        do {
            bytes = try FileSystem.read(path, limit: Self.maxBytes)
        } catch {
            throw LeapDecisionException(field: "calibration", "\(shown) cannot be read: \(error.reason)", cause: error)
        }
        guard let bytes else { return nil }
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw LeapDecisionException(field: "calibration", "\(shown) is not JSON: \(error)", cause: error)
        }
        do {
            try self.init(json: value)
        } catch let error as LeapDecisionException {
            throw LeapDecisionException(
                field: "calibration", "\(shown): \(error.message); fit it again, or remove the file", cause: error)
        }
    }

    package init(json value: JSONValue) throws {
        guard value["format"]?.string == Self.format, value["version"]?.integer == Self.version else {
            throw LeapDecisionException(
                field: "format", "expected \(Self.format) of version \(Self.version), as leap decide --calibrate writes"
            )
        }
        guard let readings = value["temperatures"]?.object else {
            throw LeapDecisionException(field: "temperatures", "expected an object")
        }
        var temperatures: [DecisionAnswer.Reading: DecisionTemperatures] = [:]
        for (name, members) in readings.members {
            guard let reading = DecisionAnswer.Reading(rawValue: name), let members = members.object else {
                throw LeapDecisionException(field: "temperatures.\(name)", "expected an object trained or readout")
            }
            var values: [String: Double] = [:]
            for (key, value) in members.members {
                guard let value = value.double, value > 0, value.isFinite else {
                    throw LeapDecisionException(
                        field: "temperatures.\(name).\(key)", "expected a number more than 0")
                }
                values[key] = value
            }
            temperatures[reading] = DecisionTemperatures(values)
        }
        self.init(modelId: value["model"]?.string ?? "", temperatures: temperatures)
    }

    /// The calibration as JSON.
    package var json: JSONValue {
        var readings = JSONObject()
        for (reading, found) in temperatures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            readings[reading.rawValue] = .object(
                JSONObject(found.values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.double($0.value)) }))
        }
        return .object([
            "format": .string(Self.format), "version": .integer(Int64(Self.version)), "model": .string(modelId),
            "temperatures": .object(readings),
        ])
    }
}
