// What identifies the records of files whose names do not tell these apart.
extension IdentifierSelection {
    /// Whether columns are nothing but files whose names do not tell them apart.
    static func areNone(_ columns: [DraftColumn]) -> Bool {
        !columns.isEmpty && columns.allSatisfy(\.isPathOfFile)
    }

    /// Takes the file out of an identifier where all files have one name, and says that the rest is not enough.
    static func settleFile(_ entity: DraftEntity) {
        guard let remark = entity.place.fileNames.remark, !entity.isDropped,
            entity.identifier?.columns.contains(where: \.isPathOfFile) == true
        else { return }
        if entity.place.fileNames == .same { entity.identifier?.columns.removeAll(where: \.isPathOfFile) }
        entity.identifier?.isNotQuiteUnique = true
        entity.remarks.append(remark)
    }
}
