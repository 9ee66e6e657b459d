// What columns are made of: types that `sluice swift` writes name it.
@_exported import enum SluiceRecords.AttributeType
@_exported import struct SluiceRecords.StoredForm
