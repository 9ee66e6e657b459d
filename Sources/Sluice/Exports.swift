@_exported import SluiceDefinition
@_exported import SluiceReport
@_exported import SluiceServerStore
@_exported import SluiceStore

// The types of runs, reports and findings: a program that imports Sluice needs no other import. The modules are not
// exported as a whole: code that the hot path of several modules shares must be public there, as the compiler inlines
// nothing else across modules.
@_exported import struct SluiceRecords.EntityCounts
@_exported import struct SluiceRecords.Failure
@_exported import struct SluiceRecords.FeedPosition
@_exported import struct SluiceRecords.Finding
@_exported import struct SluiceRecords.FirstPosition
@_exported import enum SluiceRecords.RecordText
@_exported import struct SluiceRecords.RelationshipCounts
