import Foundation

/// A shop, a help desk, health records and a calendar.
extension GalleryReading {
    static func shop() throws -> GalleryTables {
        let products = try GalleryNode(sample: "shop/products.json")["products"].list
        let orders = try GalleryNode(sample: "shop/orders.json")["orders"].list
        let variants = products.flatMap { product in product["variants"].list.map { (product, $0) } }
        let known = variants.map { $0.1["id"].text }
        let lines = orders.flatMap { order in order["line_items"].list.map { (order, $0) } }
        func money(_ node: GalleryNode) -> String? {
            node.text.flatMap { Decimal(string: $0) }.map {
                String(format: "%.2f", NSDecimalNumber(decimal: $0).doubleValue)
            }
        }
        func time(_ node: GalleryNode) -> String? { node.text?.utc() }
        return [
            "Customer": unique(
                orders.map { $0["customer"] }.map {
                    [
                        "id": $0["id"].text, "email": $0["email"].text, "first": $0["first_name"].text,
                        "last": $0["last_name"].text,
                    ]
                }),
            "Product": products.map { product in
                let tags = (product["tags"].text ?? "").split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                return [
                    "id": product["id"].text, "title": product["title"].text?.trimmingCharacters(in: .whitespaces),
                    "vendor": product["vendor"].text, "kind": product["product_type"].text?.unless(""),
                    "tags": "[\(tags.filter { $0 != "" }.map { "\"\($0)\"" }.joined(separator: ","))]",
                    "status": product["status"].text,
                ]
            },
            "Variant": variants.map { product, variant in
                [
                    "id": variant["id"].text, "title": variant["title"].text?.unless("Default Title"),
                    "sku": variant["sku"].text?.unless(""), "price": money(variant["price"]),
                    "stock": variant["inventory_quantity"].text, "product": product["id"].text,
                ]
            },
            "Order": orders.map { order in
                [
                    "id": order["id"].text, "name": order["name"].text, "created": time(order["created_at"]),
                    "updated": time(order["updated_at"]), "cancelled": time(order["cancelled_at"]),
                    "currency": order["currency"].text, "total": money(order["total_price"]),
                    "payment": order["financial_status"].text, "customer": order["customer"]["id"].text,
                ]
            },
            "Line": lines.map { order, line in
                [
                    "id": line["id"].text, "title": line["title"].text, "quantity": line["quantity"].text,
                    "price": money(line["price"]), "discount": money(line["total_discount"]), "order": order["id"].text,
                    "variant": known.contains(line["variant_id"].text) ? line["variant_id"].text : nil,
                ]
            },
            "Refund": orders.flatMap { $0["refunds"].list }.flatMap { refund in
                refund["refund_line_items"].list.map {
                    [
                        "id": $0["id"].text, "quantity": $0["quantity"].text, "amount": money($0["subtotal"]),
                        "made": time(refund["created_at"]), "line": $0["line_item_id"].text,
                    ]
                }
            },
        ]
    }

    static func helpdesk() throws -> GalleryTables {
        let people = try GalleryNode(sample: "helpdesk/users.json")
        let tickets = try GalleryNode(sample: "helpdesk/tickets.json")["tickets"].list.filter {
            $0["status"].text != "deleted"
        }
        let organizations = people["organizations"].list.map { $0["id"].text }
        func organization(_ node: GalleryNode) -> String? {
            organizations.contains(node["organization_id"].text) ? node["organization_id"].text : nil
        }
        let stubs = tickets.flatMap { [$0["requester_id"], $0["assignee_id"]] }.map { ["id": $0.text] }
        let users = people["users"].list.map { user in
            [
                "id": user["id"].text, "name": user["name"].text, "email": user["email"].text,
                "suspended": user["suspended"].flag, "role": user["role"].text, "organization": organization(user),
            ]
        }
        return [
            "Organization": people["organizations"].list.map {
                ["id": $0["id"].text, "name": $0["name"].text, "domains": $0["domain_names"].json]
            },
            "User": unique(stubs + users),
            "Tag": unique(tickets.flatMap { $0["tags"].list }.map { ["name": $0.text] }, by: "name"),
            "Ticket": tickets.map { ticket in
                func own(_ number: String) -> String? {
                    ticket["custom_fields"].list.first { $0["id"].text == number }?["value"].text
                }
                return [
                    "id": ticket["id"].text, "subject": ticket["subject"].text?.unless(""),
                    "status": ticket["status"].text, "priority": ticket["priority"].text,
                    "channel": ticket["via"]["channel"].text, "topic": own("360001"), "stars": own("360002"),
                    "created": ticket["created_at"].text?.utc(), "updated": ticket["updated_at"].text?.utc(),
                    "exported": ticket["generated_timestamp"].text?.sinceEpoch(digits: 0),
                    "requester": ticket["requester_id"].text, "assignee": ticket["assignee_id"].text,
                    "organization": organization(ticket),
                ]
            },
            "Ticket_tags": tickets.flatMap { links($0["id"].text, $0["tags"].list.map(\.text)) },
        ]
    }

    static func fhir() throws -> GalleryTables {
        let resources = try GalleryNode(sample: "fhir.json")["entry"].list.map { $0["resource"] }
        func these(_ type: String) -> [GalleryNode] { resources.filter { $0["resourceType"].text == type } }
        let observations = these("Observation").filter { $0["status"].text != "entered-in-error" }
        return [
            "Patient": these("Patient").map { patient in
                let names = patient["name"].list
                let name = names.first { $0["use"].text == "official" }
                return [
                    "id": patient["id"].text, "family": name?["family"].text ?? names.first?["family"].text,
                    "given": name?["given"][0].text ?? names.first?["given"][0].text, "gender": patient["gender"].text,
                    "born": patient["birthDate"].text, "year": patient["birthDate"].text.map { String($0.prefix(4)) },
                ]
            },
            "Practitioner": these("Practitioner").map {
                ["id": $0["id"].text, "family": $0["name"][0]["family"].text]
            },
            "Observation": observations.map { seen in
                let code = seen["code"]["coding"].list.first { $0["system"].text == "http://loinc.org" }
                let at = seen["effectiveDateTime"].text ?? ""
                return [
                    "id": seen["id"].text, "status": seen["status"].text, "loinc": code?["code"].text,
                    "label": code?["display"].text ?? seen["code"]["text"].text,
                    "value": seen["valueQuantity"]["value"].text, "unit": seen["valueQuantity"]["unit"].text,
                    "day": String(at.prefix(10)), "time": at.utc(),
                    "patient": seen["subject"]["reference"].text?.first("[^/]+$"),
                ]
            },
            "Observation_performers": observations.flatMap {
                links($0["id"].text, $0["performer"].list.map { $0["reference"].text?.first("[^/]+$") })
            },
        ]
    }

    static func calendar() throws -> GalleryTables {
        let items = try GalleryNode(sample: "calendar.json")["items"].list.filter { $0["status"].text != "cancelled" }
        let known = items.map { $0["id"].text }
        func time(_ node: GalleryNode) -> String? {
            // In November and December, Berlin is an hour ahead of UTC.
            node["dateTime"].text.flatMap { $0.count == 19 ? ($0 + "+01:00").utc() : $0.utc() }
        }
        let stubs = items.map { ["email": $0["organizer"]["email"].text] }
        let guests = items.flatMap { $0["attendees"].list }.map {
            ["email": $0["email"].text, "name": $0["displayName"].text]
        }
        // Of a guest who comes again, what is absent there stays.
        let people = Dictionary(
            (stubs + guests).compactMap { row in (row["email"] ?? nil).map { ($0, row) } },
            uniquingKeysWith: { old, new in old.merging(new) { $1 ?? $0 } })
        return [
            "Person": Array(people.values),
            "Event": items.map { event in
                [
                    "id": event["id"].text, "title": event["summary"].text, "location": event["location"].text,
                    "tentative": event["status"].text == "tentative" ? "1" : "0", "starts": time(event["start"]),
                    "ends": time(event["end"]), "day": event["start"]["date"].text, "until": event["end"]["date"].text,
                    "repeats": event["recurrence"].json, "updated": event["updated"].text?.utc(digits: 3),
                    "of": known.contains(event["recurringEventId"].text) ? event["recurringEventId"].text : nil,
                    "organizer": event["organizer"]["email"].text,
                ]
            },
            "Event_guests": items.flatMap { event in
                let guests = event["attendees"].list
                return links(event["id"].text, guests.map { $0["email"].text }) {
                    ["answer": guests[$0]["responseStatus"].text, "optional": guests[$0]["optional"].flag ?? "0"]
                }
            },
        ]
    }
}
