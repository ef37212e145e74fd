import LeapCore
public import Observation

/// The state of a screen that lists models and loads the chosen one.
///
/// ```swift
/// let picker = ModelPickerStore(library: library)
/// picker.onLoad = { runner in store.use(runner) }
/// await picker.refresh()
/// picker.choose(picker.choices[0].id)
/// ```
/// `ModelPicker` shows it in SwiftUI.
@MainActor
@Observable
public final class ModelPickerStore {
    /// The models, as the library lists them.
    public private(set) var choices: [ModelChoice] = []
    /// True if the list is being read.
    public private(set) var isListing = false
    /// The id of the model that is loaded; nil for none.
    public private(set) var selection: String?
    /// The id of the model that is being loaded; nil for none.
    public private(set) var loading: String?
    /// The fraction of the model that is there while it is loaded, in 0...1; nil while that is not known.
    public private(set) var progress: Double?
    /// The problem with the list or with the latest model, in one sentence; nil if there is none.
    public private(set) var problem: String?
    /// Receives each model that was loaded.
    @ObservationIgnored public var onLoad: ((any ModelRunner) -> Void)?
    /// The model that is loaded; nil for none.
    @ObservationIgnored public private(set) var runner: (any ModelRunner)?

    @ObservationIgnored private let library: any ModelLibrary
    /// The task that loads a model, or the last one; its value is there when the model is.
    @ObservationIgnored public private(set) var work: Task<Void, Never>?
    @ObservationIgnored private var workID = 0

    /// Creates the state of a list of an app's models.
    public init(library: any ModelLibrary) { self.library = library }

    /// Reads the list again; what was chosen stays.
    public func refresh() async {
        guard !isListing else { return }
        isListing = true
        defer { isListing = false }
        do {
            choices = try await library.choices()
            problem = nil
        } catch {
            if !(error is CancellationError) { problem = error.sentence }
        }
    }

    /// Loads a model in place of the present one; does nothing for one that is loaded, or cannot be chosen.
    ///
    /// The present model is unloaded first: two models at a time need the memory of both. A model that is being loaded
    /// is given up.
    public func choose(_ id: String) {
        guard let choice = choices.first(where: { $0.id == id }), choice.obstacle == nil else { return }
        guard id != loading, id != selection || loading != nil else { return }
        let previous = work
        previous?.cancel()
        workID += 1
        let work = workID
        (loading, progress, problem) = (id, nil, nil)
        self.work = Task {
            await previous?.value
            await load(choice, work)
        }
    }

    /// Gives up the model that is being loaded.
    public func cancel() { work?.cancel() }

    private func load(_ choice: ModelChoice, _ work: Int) async {
        do {
            try Task.checkCancellation()
            if let runner {
                (self.runner, selection) = (nil, nil)
                await runner.unload()
            }
            let runner = try await library.load(choice) { [weak self] fraction in
                guard let self, work == workID, loading != nil else { return }
                progress = fraction.isFinite ? min(max(fraction, 0), 1) : nil
            }
            guard !Task.isCancelled else {
                await runner.unload()
                throw CancellationError()
            }
            (self.runner, selection) = (runner, choice.id)
            onLoad?(runner)
        } catch {
            // A model that was given up is no problem of the person's.
            if work == workID, !Task.isCancelled { problem = error.sentence }
        }
        if work == workID { (loading, progress) = (nil, nil) }
    }
}
