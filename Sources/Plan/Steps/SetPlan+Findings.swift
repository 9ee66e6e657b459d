import SluiceColumns
import SluiceRecords

// What is worth reporting, as lines of JSON.
extension SetPlan {
    /// All findings: the kind, where they are in the order of the run, whether others are better examples, and the
    /// line.
    func addFindings() {
        var queries = [partFindings]
        for entity in entities {
            queries.append(entity.entity.duplicates.areRejected ? rejectedDuplicates(entity) : duplicates(entity))
            if entity.has(.lacking) { queries.append(lacking(entity)) }
            queries += entity.relations.map(unresolved)
        }
        writer.add(.findings, PlanTable.findings, .union(queries))
        let finding = writer.rows(PlanTable.findings)
        writer.add(
            .findings, PlanTable.found,
            Rows(finding).grouped(by: finding.columns([.kind]), [PlanExpression.count().named(.findings)]))
        let order = [PlanColumnName.isMinor, .source, .file, .offset, .line].map { finding[$0] }
        let number = PlanExpression.rowNumber(PlanWindow(partition: [finding[.kind]], order: order))
        let example = Row(Rows(finding).select(finding.columns([.kind, .line]) + [number.named(.n)]))
        writer.add(
            .findings, PlanTable.examples,
            Rows(example).filter(example[.n] <= .integer(ShownFindings.examples)).select(example.columns))
        addLacking()
    }

    /// The targets that most references of a relationship lack.
    private func addLacking() {
        let queries = entities.flatMap { entity in
            entity.relations.map { relation in
                let waiting = relation.rows(.waiting)
                return Rows(waiting).filter(waiting[.isDescribed]).select([
                    PlanExpression.text(entity.name).named(.entity),
                    PlanExpression.text(relation.name).named(.relationship),
                    PlanExpression.integer(entity.index).named(.entityNumber),
                    PlanExpression.integer(relation.index).named(.relationshipNumber),
                    relation.json(waiting).named(.value),
                ])
            }
        }
        guard !queries.isEmpty else { return }
        let all = Row(.union(queries))
        let counted = Row(Rows(all).grouped(by: all.columns, [PlanExpression.count().named(.missing)]))
        // The one that most lack comes first.
        let window = PlanWindow(
            partition: [counted[.entityNumber], counted[.relationshipNumber]],
            order: [-counted[.missing], counted[.value]])
        let ranked = Row(Rows(counted).select(counted.columns + [PlanExpression.rowNumber(window).named(.n)]))
        writer.add(
            .findings, PlanTable.lacking,
            Rows(ranked).filter(ranked[.n] <= .integer(ShownFindings.missingTargets)).select(ranked.columns))
    }

    // MARK: Each kind

    /// Where those records are of which something is reported.
    func addShownPositions(_ entity: PlannedEntity) {
        func orders(_ row: Row, _ name: PlanColumnName, where condition: PlanExpression? = nil) -> Relation {
            Rows(row).filter(condition).select([row[name].named(.order)])
        }
        var shown = entity.relations.map { orders($0.rows(.waiting), .order) }
        if entity.entity.duplicates.areRejected {
            let copy = entity.rows(.ranked)
            shown.append(orders(copy, .order, where: copy[.rank] > .integer(1)))
        } else {
            shown += [.order, .firstOrder].map { orders(entity.rows(.duplicates), $0) }
        }
        if entity.has(.lacking) { shown.append(orders(entity.rows(.lacking), .order)) }
        let position = entity.rows(.positions)
        let record = Row(.union(shown))
        let isShown = Rows(record).filter(record[.order] == position[.order]).exist
        entity.add(.findings, .shownPositions, Rows(position).filter(isShown).select(position.columns))
    }

    /// Where a record is, and what its file is called.
    private struct Place {
        let position: Row
        let file: Row
        let order: PlanExpression

        /// - Parameter order: of the record.
        init(_ plan: SetPlan, _ entity: PlannedEntity, _ order: PlanExpression) {
            position = entity.rows(.shownPositions)
            file = plan.writer.rows(PlanTable.files)
            self.order = order
        }

        func join(_ rows: Rows, _ plan: SetPlan) -> Rows {
            rows.join(position, on: position[.order] == order).join(file, on: plan.isPlace(file, of: position))
        }

        func number(_ name: PlanColumnName) -> PlanExpression { position[name].cast(.text) }
        /// As JSON.
        var text: PlanExpression {
            .jsonObject(
                after: file[.shown],
                FindingLayout.place(
                    record: number(.record), line: number(.line), column: number(.column), offset: number(.offset),
                    path: position[.path].quoted))
        }
        /// As JSON, of a first copy.
        var first: PlanExpression {
            .jsonObject(after: file[.shown], FindingLayout.first(record: number(.record), offset: number(.offset)))
        }
    }

    /// Rows of the table of findings.
    private func findings(
        _ kind: Finding.Kind, _ entity: PlannedEntity, of rows: Rows, at order: PlanExpression, identifier row: Row,
        isMinor: PlanExpression? = nil, _ detail: [(String, PlanExpression)], first: Place? = nil
    ) -> Relation {
        let place = Place(self, entity, order)
        let members = FindingLayout.finding(
            kind: PlanExpression.text(JSONText.quoted(kind.rawValue)),
            entity: PlanExpression.text(JSONText.quoted(entity.name)), identifier: entity.json(ofIdentifier: row),
            detail: detail, at: place.text, first: first?.first)
        let all = place.join(rows, self)
        let minor = PlanExpression.when(isMinor ?? .truth(false), .integer(1), else: .integer(0)).cast(.integer)
        let line = PlanExpression.jsonObject(members)
        return (first?.join(all, self) ?? all).select(
            [PlanExpression.text(kind.rawValue).named(.kind)] + place.position.columns([.source, .file, .offset])
                + [minor.named(.isMinor), line.named(.line)])
    }

    private func duplicates(_ entity: PlannedEntity) -> Relation {
        let copy = entity.rows(.duplicates)
        let attributes = entity.others.sorted().map {
            (PlanColumnName.attribute($0), entity.entity.attributes[$0].name)
        }
        let members = attributes + entity.relations.map { (PlanColumnName.reference($0.index), $0.name) }
        // Each with a comma behind it; the last one goes.
        let names = members.map { column, name in
            PlanExpression.when(copy[.differs(column)], .text(JSONText.quoted(name) + ", "), else: .text(""))
        }
        let all: PlanExpression = names.isEmpty ? .text("") : .concat(names)
        let inner = PlanExpression.when(
            all.length == .integer(0), .text(""), else: all.part(from: .integer(1), count: all.length - .integer(2)))
        let isConflicting = copy[.isConflicting]
        return findings(
            .duplicate, entity, of: Rows(copy).filter(entity.entity.repeats ? isConflicting : nil), at: copy[.order],
            identifier: copy, isMinor: !isConflicting,
            FindingLayout.duplicate(
                conflicting: .when(isConflicting, .text("true"), else: .text("false")),
                differs: .concat([.text("["), inner, .text("]")])),
            first: Place(self, entity, copy[.firstOrder]))
    }

    private func rejectedDuplicates(_ entity: PlannedEntity) -> Relation {
        let copy = entity.rows(.ranked)
        let attribute = entity.entity.attributes[entity.entity.identifier[0]].name
        let fault = FindingLayout.fault(
            attribute: JSONText.quoted(attribute), reason: JSONText.quoted(FindingLayout.isRepeated))
        return findings(
            .reject, entity, of: Rows(copy).filter(copy[.rank] > .integer(1)), at: copy[.order], identifier: copy,
            FindingLayout.reject(faults: .text(JSONText.array([JSONText.object(fault)]))))
    }

    /// Each record that lacks what it needs is one finding, with all that it lacks.
    private func lacking(_ entity: PlannedEntity) -> Relation {
        let lack = entity.rows(.lacking)
        let names = entity.relations.filter { $0.relationship.missing.rejectsRecords }.map { relation in
            (lack[.relation] == .integer(relation.index), PlanExpression.text(JSONText.quoted(relation.name)))
        }
        let reason = PlanExpression.concat(
            FindingLayout.lacksTarget(lack[.targets], lack[.value], text: PlanExpression.text))
        let fault = PlanExpression.jsonObject(FindingLayout.fault(attribute: .cases(names), reason: reason.quoted))
        let each = Row(
            Rows(lack).select(lack.columns([.order, .relation, .position]) + [fault.named(.fault)]))
        let once = Row(
            Rows(each).grouped(
                by: each.columns([.order, .relation, .fault]), [each[.position].min.named(.position)]))
        let faults = once[.fault].listed(by: [once[.relation], once[.position]])
        let together = Row(Rows(once).grouped(by: once.columns([.order]), [faults.named(.faults)]))
        let copy = entity.rows(.copies)
        return findings(
            .reject, entity, of: Rows(copy).join(together, on: together[.order] == copy[.order]), at: copy[.order],
            identifier: copy, FindingLayout.reject(faults: .concat([.text("["), together[.faults], .text("]")])))
    }

    private func unresolved(_ relation: PlannedRelation) -> Relation {
        let waiting = relation.rows(.waiting)
        let object = relation.owner.rows(.described)
        let targets: PlanExpression =
            relation.relationship.selector == nil
            ? .text(JSONText.array(relation.targets.map { JSONText.quoted($0.name) }))
            : .concat([.text("["), waiting[.keyEntity(relation.index)].quoted, .text("]")])
        return findings(
            .unresolved, relation.owner,
            of: Rows(waiting).join(object, on: object[.objectID] == waiting[.objectID]), at: waiting[.order],
            identifier: object,
            FindingLayout.unresolved(
                relationship: .text(JSONText.quoted(relation.name)), to: targets, value: relation.json(waiting)))
    }

    /// The rejects of the parts, with lines and numbers of records of the whole.
    private var partFindings: Relation {
        let finding = writer.rows(PlanTable.partFindings)
        // Between the place and what is in it, nothing of a feed can look like it: in JSON, its quotation marks are
        // escaped.
        let at = finding[.line].place(of: "\"at\": { \"source\": ")
        let split = Row(
            Rows(finding).select(
                finding.columns([.part]) + [
                    finding[.line].part(from: .integer(1), count: at - .integer(1)).named(.head),
                    finding[.line].part(from: at).named(.tail),
                ]))
        let cases = entities.map { entity in
            let head = "{ \"kind\": \"reject\", \"entity\": \(JSONText.quoted(entity.name)), "
            let begins =
                split[.head].part(from: .integer(1), count: .integer(head.unicodeScalars.count)) == .text(head)
            return (begins, PlanExpression.text(entity.name))
        }
        let reject = Row(Rows(split).select(split.columns + [PlanExpression.cases(cases).named(.entity)]))
        let lines = writer.rows(PlanTable.partStarts)
        let records = writer.rows(PlanTable.recordStarts)
        let file = writer.rows(PlanTable.files)
        func number(_ name: String) -> PlanExpression { reject[.tail].number(behind: "\"\(name)\": ") }
        let line = PlanExpression.concat([
            reject[.head], .text("\"at\": { "), file[.shown],
            .text(", \"record\": "), (number("record") + records[.earlierRecords]).cast(.text),
            .text(", \"line\": "), (number("line") + lines[.earlierLines]).cast(.text),
            reject[.tail].part(from: reject[.tail].place(of: ", \"column\": ")),
        ])
        return Rows(reject).join(lines, on: lines[.part] == reject[.part])
            .join(records, on: records[.part] == reject[.part] && records[.entity] == reject[.entity])
            .join(file, on: isPlace(file, of: lines))
            .select([
                PlanExpression.text(Finding.Kind.reject.rawValue).named(.kind), lines[.source].named(.source),
                lines[.file].named(.file), number("offset").named(.offset), PlanExpression.integer(0).named(.isMinor),
                line.named(.line),
            ])
    }
}
