// What a program reads: types, queries, values and errors are those of stores in files.
@_exported import SluiceStore
