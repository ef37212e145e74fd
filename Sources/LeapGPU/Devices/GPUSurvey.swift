/// The GPUs of a machine, and what becomes of each where layers are to be computed by one.
package struct GPUSurvey {
    /// In the order of their numbers.
    package let devices: [GPUProperties]
    /// The reason why no device is taken; nil where one is.
    package let problem: GPUError?
    /// The device that is taken where the loading options name none.
    private let chosen: Int?
    private let choice: String?

    /// - Parameter find: asks the drivers; nothing is opened but them.
    package init(_ find: () throws(GPUError) -> [GPUProperties]) {
        do {
            self.init(try find(), choice: GPUDevices.environmentChoice)
        } catch {
            self.init(error)
        }
    }

    private init(_ problem: GPUError) {
        (devices, chosen, choice) = ([], nil, nil)
        self.problem = problem
    }

    /// - Parameter choice: what the environment names.
    package init(_ devices: [GPUProperties], choice: String?) {
        self.devices = devices
        self.choice = choice
        do {
            let index = try GPUDevices.index(of: choice, in: devices)
            let obstacle = devices[index].obstacle
            chosen = obstacle == nil ? index : nil
            problem = obstacle.map { .unusable(device: devices[index].name, reason: $0) }
        } catch {
            (chosen, problem) = (nil, error)
        }
    }

    /// The device that is taken where the loading options name none; nil where none can be.
    package var device: GPUProperties? { chosen.map { devices[$0] } }

    /// Says that a device is used, or why it is not.
    package func remark(_ index: Int) -> String {
        let device = devices[index]
        if let obstacle = device.obstacle { return "not used: \(obstacle)" }
        if index == chosen {
            return choice == nil
                ? "used if a GPU is to run layers" : "used, because \(GPUDevices.environmentName) names it"
        }
        return device.kind == .processor
            ? "used only if you name it: it runs on the processor" : "used if you name it"
    }
}
