// Every test of this target compares with it.
@_exported import FeedReference
