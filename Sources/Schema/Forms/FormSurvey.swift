import SluiceRecords

/// The attributes of an entity whose values take another form, or why they cannot.
struct FormSurvey {
    private(set) var changes: [FormChange] = []
    private(set) var contradictions: [SchemaContradiction] = []

    /// Looks at all values that are to change.
    init(
        _ index: Int, _ comparison: DescriptionComparison, _ image: StoreImage, _ renaming: Renaming,
        _ catalog: any StoreCatalog
    ) throws(Failure) {
        let entity = comparison.entity
        guard !comparison.conversions.isEmpty, let table = try image.table(entity.table) else { return }
        let conversions = comparison.conversions.sorted { $0.key < $1.key }
        // Columns that differ from the rows of `sluice_model` are skipped: that is a contradiction of its own.
        for (attribute, conversion) in conversions
        where table.column(entity.attributes[attribute].name)?.type != catalog.dialect.type(conversion.from) { return }
        let columns = conversions.map { attribute, conversion in
            let name = renaming.nameBefore(column: entity.attributes[attribute].name, of: entity.table)
            return FormColumn(name: name, conversion: conversion)
        }
        let found = try catalog.scan(renaming.nameBefore(table: entity.table), columns)
        if let misfit = found.misfit {
            let (attribute, conversion) = conversions[misfit.column]
            contradictions = [
                SchemaContradiction(
                    message: comparison.contradiction(attribute, conversion, misfit),
                    keys: ["entities", entity.name, "attributes", entity.attributes[attribute].name, "type"])
            ]
        }
        for (place, (attribute, conversion)) in conversions.enumerated() {
            changes.append(
                FormChange(entity: index, attribute: attribute, conversion: conversion, count: found.counts[place]))
        }
    }
}
