import Foundation
import LeapGGUF
import LeapTokenizer
import Testing

@testable import LeapModel

/// A fixture with something changed that a loader has to refuse by its name.
struct HostileVariant: Sendable, CustomTestStringConvertible {
    enum Change: Sendable {
        /// A key with another value, or without one.
        case key(String, GGUFValue?)
        /// A tensor of another shape, or none.
        case tensor(String, [Int]?)
    }

    let fixture: String
    let change: Change
    /// The key or tensor that the error has to name.
    let named: String
    /// The text that the message has to hold.
    let shown: String

    init(
        _ fixture: String, _ key: String, _ value: GGUFValue?, names named: String? = nil, shows shown: String? = nil
    ) {
        self.init(fixture, .key(key, value), names: named ?? key, shows: shown)
    }

    init(_ fixture: String, tensor: String, _ shape: [Int]?) {
        self.init(fixture, .tensor(tensor, shape), names: tensor)
    }

    private init(_ fixture: String, _ change: Change, names named: String, shows shown: String? = nil) {
        self.fixture = fixture
        self.change = change
        self.named = named
        self.shown = shown ?? named
    }

    var testDescription: String { "\(fixture) \(change)" }

    /// Loads the changed file.
    func load() throws -> Model {
        try ChangedFixture.load(
            fixture,
            changeMetadata: { metadata in
                if case .key(let key, let value) = change { metadata[key] = value }
            },
            changeTensor: { tensor in
                guard case .tensor(tensor.name, let shape) = change else { return .keep }
                guard let shape else { return .drop }
                return .zeros(shape)
            })
    }
}

/// The refusal of a file: one of the three typed errors of loading.
struct Refusal {
    let field: String?
    let message: String

    /// Nil where the error is of another type.
    init?(_ error: any Error) {
        switch error {
        case let error as EngineError: (field, message) = (error.field, error.message)
        case let error as GGUFError: (field, message) = (error.field, error.message)
        case let error as TokenizerError: (field, message) = (error.field, error.message)
        default: return nil
        }
    }

    /// The refusal of what is loaded; nil where it loads.
    static func of(_ body: () throws -> Model) throws -> Refusal? {
        do {
            _ = try body()
            return nil
        } catch {
            guard let refusal = Refusal(error) else { throw error }
            return refusal
        }
    }
}
