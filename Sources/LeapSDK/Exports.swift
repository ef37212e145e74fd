// `import LeapSDK` is all that an app writes: the API below it, the types that downloads return and throw, and
// Foundation, whose `Data` and `URL` the API takes and which the LEAP SDK brought along.
@_exported import Foundation
@_exported import LeapCore

@_exported import struct LeapTransfers.DownloadError
@_exported import struct LeapTransfers.ModelFit

#if ModelService
    @_exported import class LeapService.LeapServiceClient
    @_exported import struct LeapService.LeapServiceStatus
    @_exported import struct LeapService.LoadedModelConfiguration
#endif
