// One import is enough, as in the LEAP SDK: conversations, messages and figures for the widgets, and downloads.
@_exported import LeapSDK
