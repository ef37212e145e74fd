// Apps import LeapCore, and have messages, functions and options by it.

@_exported import LeapChat
