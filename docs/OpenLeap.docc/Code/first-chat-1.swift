import LeapDemoModel
import LeapSDK

let runner = try await Leap.load(url: LeapDemoModel.url)
print(runner.modelId)
