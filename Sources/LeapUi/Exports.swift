// One import is enough for what the widget is given: conversations, messages and figures.
@_exported import LeapCore
