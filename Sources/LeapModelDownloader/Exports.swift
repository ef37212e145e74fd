// One import is enough for an app, and importing LeapSDK as well does no harm.
@_exported import LeapSDK

@_exported import struct LeapTransfers.DownloadError
@_exported import struct LeapTransfers.ModelFit
