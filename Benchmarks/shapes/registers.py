"""Feeds of offices, registers and shops, in the shapes of their interfaces: accounts, sales, health, papers, goods and events.

Members, nesting and the forms of values are those of the services; names and values are invented. Each has two nights: in
the second one a few records are gone, as many are new, and some have changed.
"""

import json
from datetime import timedelta

from shapes.open_data import PLACES, WORDS, title
from shapes.services import day, digits, fine, later, people, task
from shapes.values import FAMILY, GIVEN, START, drawn, epoch, hexes, maybe, moment, some, uid, zulu

COUNTRIES = {"DE": "Germany", "FR": "France", "NL": "Netherlands", "SE": "Sweden"}


def shown(records, night, gone=4):
    """What a night has of all records: the second has others at the end, and lacks some of the first ones."""
    return records[: len(records) - gone] if night == 1 else records[gone:]


def changed(night, first, second):
    return first if night == 1 else second


def money(random, most=900):
    return round(random.uniform(1, most), 2)


def millis(time):
    return epoch(time) * 1000


def firm(random):
    return f"{random.choice(FAMILY)} {random.choice(WORDS).capitalize()} {random.choice(['GmbH', 'Ltd', 'BV', 'AB'])}"


# Accounts and sales


def quickbooks_invoices(random, night=1):
    customers = [{"value": str(number), "name": firm(random)} for number in range(58, 72)]
    goods = [{"value": str(number), "name": f"{random.choice(WORDS).capitalize()} {number}"} for number in range(1, 12)]
    invoices = [quickbooks_invoice(random, number, random.choice(customers), goods, night) for number in range(60)]
    found = shown(invoices, night)
    return {"QueryResponse": {"Invoice": found, "startPosition": 1, "maxResults": len(found), "totalCount": len(found)},
        "time": zulu(START + timedelta(days=60 + night), ".412-07:00")}


def quickbooks_invoice(random, number, customer, goods, night):
    created = moment(random)
    lines = [{"Id": str(place + 1), "LineNum": place + 1, "Description": maybe(random, task(random)), "Amount": money(random),
        "DetailType": "SalesItemLineDetail", "SalesItemLineDetail": {"ItemRef": item, "UnitPrice": money(random, 90),
            "Qty": random.randint(1, 9), "TaxCodeRef": {"value": random.choice(["TAX", "NON"])}}}
        for place, item in enumerate(some(random, goods, 1, 4))]
    total = round(sum(line["Amount"] for line in lines), 2)
    lines.append({"Amount": total, "DetailType": "SubTotalLineDetail", "SubTotalLineDetail": {}})
    return {"domain": "QBO", "sparse": False, "Id": str(130 + number), "SyncToken": str(changed(night, number % 3, number % 4)),
        "MetaData": {"CreateTime": zulu(created, "-07:00"), "LastUpdatedTime": zulu(later(random, created), "-07:00")},
        "CustomField": [], "DocNumber": str(1001 + number), "TxnDate": day(created), "DueDate": day(created + timedelta(days=30)),
        "CurrencyRef": {"value": "USD", "name": "United States Dollar"}, "LinkedTxn": [], "Line": lines, "TotalAmt": total,
        "CustomerRef": customer, "PrintStatus": "NeedToPrint", "EmailStatus": random.choice(["NotSet", "EmailSent"]),
        "Balance": maybe(random, total, 0.5, 0)}


def sap_orders(random, night=1):
    parties = [f"{number:010d}" for number in random.sample(range(100001, 100300), 15)]
    goods = [f"{number:018d}" for number in random.sample(range(4000, 9000), 20)]
    root = "https://sap.example.org/sap/opu/odata/sap/API_SALES_ORDER_SRV/"
    orders = [sap_order(random, f"{3000 + number:010d}", random.choice(parties), goods, root, night) for number in range(50)]
    return {"d": {"__count": "46", "results": shown(orders, night)}}


def sap_order(random, number, party, goods, root, night):
    created = moment(random).replace(hour=0, minute=0, second=0)
    items = [{"__metadata": {"id": f"{root}A_SalesOrderItem(SalesOrder='{number}',SalesOrderItem='{place}')",
            "type": "API_SALES_ORDER_SRV.A_SalesOrderItemType"}, "SalesOrder": number, "SalesOrderItem": str(place),
        "SalesOrderItemText": random.choice(WORDS), "Material": random.choice(goods), "RequestedQuantity": str(random.randint(1, 40)),
        "RequestedQuantityUnit": random.choice(["PC", "KG"]), "NetAmount": f"{money(random):.2f}", "TransactionCurrency": "EUR",
        "Plant": random.choice(["1010", "1710"])} for place in range(10, 10 * random.randint(2, 5), 10)]
    return {"__metadata": {"id": f"{root}A_SalesOrder('{number}')", "type": "API_SALES_ORDER_SRV.A_SalesOrderType"},
        "SalesOrder": number, "SalesOrderType": random.choice(["OR", "TA"]), "SalesOrganization": "1010", "SoldToParty": party,
        "CreationDate": f"/Date({millis(created)})/", "CreatedByUser": f"CB99800000{random.randint(10, 19)}",
        "LastChangeDateTime": f"/Date({millis(later(random, created))}+0000)/", "PurchaseOrderByCustomer": f"PO {digits(random, 4)}",
        "TransactionCurrency": "EUR", "TotalNetAmount": f"{sum(float(item['NetAmount']) for item in items):.2f}",
        "OverallSDProcessStatus": changed(night, "A", random.choice("ABC")), "DeliveryBlockReason": "", "to_Item": {"results": items}}


def salesforce_opportunities(random, night=1):
    accounts = [("001" + drawn(random, 15), firm(random)) for _ in range(12)]
    owners = [("005" + drawn(random, 15), name) for name, _ in people(random, 6)]
    path = "/services/data/v62.0/sobjects/"
    records = []
    for _ in range(70):
        id, (account, name), (owner, person) = "006" + drawn(random, 15), random.choice(accounts), random.choice(owners)
        created = moment(random)
        records.append({"attributes": {"type": "Opportunity", "url": f"{path}Opportunity/{id}"}, "Id": id,
            "Name": f"{name} {random.choice(WORDS)}", "StageName": changed(night, "Prospecting", random.choice(["Closed Won", "Prospecting"])),
            "Amount": maybe(random, round(random.uniform(900, 90000), 2), 0.9), "Probability": random.choice([10, 20, 60, 100]),
            "CloseDate": day(created + timedelta(days=50)), "IsClosed": False, "CreatedDate": zulu(created, ".000+0000"),
            "LastModifiedDate": zulu(later(random, created), ".000+0000"), "AccountId": account,
            "Account": {"attributes": {"type": "Account", "url": f"{path}Account/{account}"}, "Id": account, "Name": name,
                "Industry": type(random)(account).choice(["Energy", "Banking", "Retail"])},
            "Owner": {"attributes": {"type": "User", "url": f"{path}User/{owner}"}, "Id": owner, "Name": person}})
    found = shown(records, night)
    return {"totalSize": len(found), "done": True, "records": found}


def hubspot_contacts(random, night=1):
    companies = [digits(random, 10) for _ in range(9)]
    records = []
    for name, login in people(random, 60):
        id, created = digits(random, 11), moment(random)
        changed_at = later(random, created)
        records.append({"id": id, "properties": {"createdate": fine(random, created), "email": f"{login}@example.org",
                "firstname": name.split()[0], "hs_object_id": id, "lastmodifieddate": fine(random, changed_at), "lastname": name.split()[1],
                "lifecyclestage": changed(night, "lead", random.choice(["lead", "customer"])), "phone": maybe(random, "+46 8 " + digits(random, 6), 0.4)},
            "createdAt": fine(random, created), "updatedAt": fine(random, changed_at), "archived": False,
            **({"associations": {"companies": {"results": [{"id": company, "type": "contact_to_company"}
                for company in some(random, companies, 1, 2)]}}} if random.random() < 0.8 else {})})
    return {"results": shown(records, night), "paging": {"next": {"after": digits(random, 4),
        "link": "https://api.example.org/crm/v3/objects/contacts?after=" + digits(random, 4)}}}


def paypal_transactions(random, night=1):
    records = []
    payers = [(drawn(random, 13, "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"), name, login) for name, login in people(random, 20)]
    for number in range(60):
        payer, name, login = random.choice(payers)
        started = moment(random)
        records.append({"transaction_info": {"paypal_account_id": payer, "transaction_id": drawn(random, 17, "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"),
                "transaction_event_code": random.choice(["T0006", "T0003", "T1107"]), "transaction_initiation_date": zulu(started, "+0000"),
                "transaction_updated_date": zulu(later(random, started), "+0000"),
                "transaction_amount": {"currency_code": "EUR", "value": f"{money(random):.2f}"},
                "fee_amount": {"currency_code": "EUR", "value": f"-{money(random, 9):.2f}"},
                "transaction_status": changed(night, "P", random.choice("SSP")), "invoice_id": maybe(random, f"INV-{number:05d}", 0.6)},
            "payer_info": {"account_id": payer, "email_address": f"{login}@example.org", "address_status": "Y", "payer_status": "N",
                "payer_name": {"given_name": name.split()[0], "surname": name.split()[1], "alternate_full_name": name},
                "country_code": type(random)(payer).choice(list(COUNTRIES))},
            "cart_info": {"item_details": [{"item_code": f"SKU-{random.randint(1, 30):03d}", "item_name": random.choice(WORDS),
                "item_quantity": str(random.randint(1, 4)), "item_unit_price": {"currency_code": "EUR", "value": f"{money(random, 80):.2f}"}}
                for _ in range(random.randint(1, 3))]}})
    found = shown(records, night)
    return {"transaction_details": found, "account_number": "XZXSPECPDZHZU", "start_date": zulu(START, "+0000"),
        "end_date": zulu(START + timedelta(days=60), "+0000"), "last_refreshed_datetime": zulu(START + timedelta(days=61), "+0000"),
        "page": 1, "total_items": len(found), "total_pages": 1}


# Registers


def census_table(random, night=1):
    rows = [[f"{random.choice(PLACES)} County, State {state}", str(random.randint(900, 900000)), str(random.randint(20000, 90000)),
        f"{state:02d}", f"{county:03d}"] for state in range(1, 9) for county in range(1, 20, 2)]
    return [["NAME", "B01001_001E", "B19013_001E", "state", "county"]] + shown(rows, night)


def gleif_records(random, night=1):
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
    records = []
    for _ in range(45):
        lei, place, country = "5299" + drawn(random, 14, letters) + digits(random, 2), random.choice(PLACES), random.choice(list(COUNTRIES))
        address = {"language": "en", "addressLines": [f"{random.choice(WORDS).capitalize()} Street {random.randint(1, 90)}"], "addressNumber": None,
            "city": place, "region": f"{country}-{place[:2].upper()}", "country": country, "postalCode": digits(random, 5)}
        registered = moment(random)
        url = f"https://api.example.org/api/v1/lei-records/{lei}"
        records.append({"type": "lei-records", "id": lei, "attributes": {"lei": lei, "entity": {
                "legalName": {"name": firm(random), "language": "en"}, "otherNames": [], "legalAddress": address, "headquartersAddress": address,
                "registeredAt": {"id": f"RA{random.randint(1, 9):06d}", "other": None}, "registeredAs": f"HRB {digits(random, 5)}",
                "jurisdiction": country, "category": "GENERAL", "status": changed(night, "ACTIVE", random.choice(["ACTIVE", "ACTIVE", "INACTIVE"])),
                "creationDate": zulu(registered), "successorEntities": []},
            "registration": {"initialRegistrationDate": zulu(registered), "lastUpdateDate": zulu(later(random, registered)), "status": "ISSUED",
                "nextRenewalDate": zulu(registered + timedelta(days=365)), "managingLou": random.choice(["EVK05KS7XY1DEII3R011", "5299000J2N45DDNE4Y28"]),
                "corroborationLevel": "FULLY_CORROBORATED"}, "bic": None},
            "relationships": {"managing-lou": {"links": {"related": url + "/managing-lou"}},
                "direct-parent": {"links": {"relationship-record": url + "/direct-parent-relationship"}}},
            "links": {"self": url}})
    found = shown(records, night)
    return {"meta": {"goldenCopy": {"publishDate": zulu(START)}, "pagination": {"currentPage": 1, "perPage": 50, "from": 1, "to": len(found),
        "total": len(found), "lastPage": 1}}, "links": {"first": "https://api.example.org/api/v1/lei-records?page=1"}, "data": found}


def companies_house_officers(random, night=1):
    records = []
    for name, _ in people(random, 40):
        appointed, id = moment(random), drawn(random, 27)
        role = random.choice(["director", "director", "secretary", "corporate-director"])
        record = {"address": {"address_line_1": f"{random.choice(WORDS).capitalize()} Lane", "country": "United Kingdom",
                "locality": random.choice(PLACES), "postal_code": f"{drawn(random, 2, 'ABEGLNS')}{random.randint(1, 9)} {random.randint(1, 9)}XY",
                "premises": str(random.randint(1, 200))}, "appointed_on": day(appointed), "is_pre_1992_appointment": False,
            "links": {"self": f"/company/0{digits(random, 7)}/appointments/{id}", "officer": {"appointments": f"/officers/{drawn(random, 27)}/appointments"}},
            "name": f"{name.split()[1].upper()}, {name.split()[0]}", "officer_role": role, "person_number": digits(random, 8) + "0001"}
        if role == "director":
            record |= {"country_of_residence": "England", "nationality": "British", "occupation": "Engineer",
                "date_of_birth": {"month": random.randint(1, 12), "year": random.randint(1940, 2000)}}
        if random.random() < changed(night, 0.2, 0.3):
            record["resigned_on"] = day(later(random, appointed))
        records.append(record)
    found = shown(records, night)
    return {"etag": hexes(random, 40), "kind": "officer-list", "items_per_page": 100, "start_index": 0, "total_results": len(found),
        "active_count": 30, "resigned_count": 6, "inactive_count": 0, "links": {"self": "/company/01234567/officers"}, "items": found}


def npi_providers(random, night=1):
    taxonomies = {"207Q00000X": "Family Medicine", "363L00000X": "Nurse Practitioner", "1223G0001X": "Dentist"}
    records = []
    for name, _ in people(random, 40):
        created, state = moment(random), random.choice(["NY", "CA", "TX"])
        addresses = [{"country_code": "US", "country_name": "United States", "address_purpose": purpose, "address_type": "DOM",
            "address_1": f"{random.randint(1, 900)} {random.choice(WORDS).upper()} ST", "city": random.choice(PLACES).upper(), "state": state,
            "postal_code": digits(random, 9), "telephone_number": f"212-555-{digits(random, 4)}"} for purpose in ("MAILING", "LOCATION")]
        records.append({"created_epoch": str(millis(created)), "enumeration_type": "NPI-1", "last_updated_epoch": str(millis(later(random, created))),
            "number": "1" + digits(random, 9), "addresses": addresses, "practiceLocations": [],
            "basic": {"first_name": name.split()[0].upper(), "last_name": name.split()[1].upper(), "credential": random.choice(["MD", "NP", "D.D.S."]),
                "sole_proprietor": random.choice(["NO", "YES"]), "sex": random.choice("FM"), "enumeration_date": day(created),
                "last_updated": day(later(random, created)), "status": changed(night, "A", random.choice("AAD"))},
            "taxonomies": [{"code": code, "taxonomy_group": "", "desc": taxonomies[code], "state": state, "license": digits(random, 6),
                "primary": place == 0} for place, code in enumerate(some(random, taxonomies, 1, 2))],
            "identifiers": [{"code": "05", "desc": "MEDICAID", "issuer": None, "identifier": digits(random, 8), "state": state}] if random.random() < 0.4 else [],
            "endpoints": [], "other_names": []})
    found = shown(records, night)
    return {"result_count": len(found), "results": found}


# Health, papers and goods


def clinical_trials(random, night=1):
    records = []
    sponsors = [firm(random) for _ in range(9)]
    for _ in range(36):
        started = moment(random)
        records.append({"protocolSection": {
                "identificationModule": {"nctId": "NCT0" + digits(random, 7), "orgStudyIdInfo": {"id": f"{drawn(random, 3, 'ABC')}-{digits(random, 3)}"},
                    "organization": {"fullName": random.choice(sponsors), "class": "INDUSTRY"}, "briefTitle": title(random)},
                "statusModule": {"statusVerifiedDate": started.strftime("%Y-%m"), "overallStatus": changed(night, "RECRUITING", random.choice(["RECRUITING", "COMPLETED"])),
                    "startDateStruct": {"date": started.strftime("%Y-%m-%d"), "type": "ACTUAL"}, "lastUpdatePostDateStruct": {"date": day(later(random, started)), "type": "ACTUAL"}},
                "sponsorCollaboratorsModule": {"leadSponsor": {"name": random.choice(sponsors), "class": "INDUSTRY"}},
                "conditionsModule": {"conditions": some(random, ["Asthma", "Migraine", "Diabetes", "Obesity"], 1, 2)},
                "designModule": {"studyType": "INTERVENTIONAL", "phases": [random.choice(["PHASE1", "PHASE2", "PHASE3"])], "enrollmentInfo": {"count": random.randint(20, 900), "type": "ESTIMATED"}},
                "armsInterventionsModule": {"interventions": [{"type": "DRUG", "name": word.capitalize(), "description": maybe(random, task(random), 0.6)}
                    for word in some(random, WORDS, 1, 3)]},
                "contactsLocationsModule": {"locations": [{"facility": f"{place} Clinic", "city": place, "country": random.choice(list(COUNTRIES.values())),
                    "geoPoint": {"lat": round(48 + random.random(), 5), "lon": round(9 + random.random(), 5)}} for place in some(random, PLACES, 1, 4)]}},
            "hasResults": random.random() < 0.3})
    return {"totalCount": 4096, "studies": shown(records, night), "nextPageToken": drawn(random, 24)}


def openfda_events(random, night=1):
    drugs = [word.upper() for word in WORDS[:10]]
    records = []
    for _ in range(40):
        received = moment(random)
        records.append({"safetyreportid": digits(random, 8), "safetyreportversion": str(random.randint(1, 4)), "primarysourcecountry": random.choice(list(COUNTRIES)),
            "transmissiondate": later(random, received).strftime("%Y%m%d"), "reporttype": random.choice("12"), "serious": changed(night, "1", random.choice("12")),
            "receivedateformat": "102", "receivedate": received.strftime("%Y%m%d"), "companynumb": f"{random.choice(list(COUNTRIES))}-ACME-{digits(random, 9)}",
            "duplicate": maybe(random, "1", 0.5), "sender": {"sendertype": "2", "senderorganization": "FDA-Public Use"}, "receiver": None,
            "patient": {"patientonsetage": maybe(random, str(random.randint(18, 90)), 0.7), "patientonsetageunit": "801", "patientsex": random.choice("12"),
                "reaction": [{"reactionmeddraversionpt": "27.1", "reactionmeddrapt": effect, "reactionoutcome": random.choice("1236")}
                    for effect in some(random, ["Nausea", "Headache", "Rash", "Fatigue", "Fall"], 1, 3)],
                "drug": [{"drugcharacterization": random.choice("123"), "medicinalproduct": drug, "drugdosagetext": maybe(random, "10 mg daily", 0.5),
                    "activesubstance": {"activesubstancename": drug}} for drug in some(random, drugs, 1, 3)]}})
    return {"meta": {"disclaimer": "Do not rely on it.", "last_updated": "2025-10-28", "results": {"skip": 0, "limit": 36, "total": 20006989}},
        "results": shown(records, night)}


def pubmed_summaries(random, night=1):
    uids = shown([digits(random, 8) for _ in range(36)], night)
    result = {"uids": uids}
    for uid in uids:
        own = type(random)(uid)
        published = moment(own)
        result[uid] = {"uid": uid, "pubdate": published.strftime("%Y %b %d"), "epubdate": "", "source": own.choice(["Nature", "Lancet", "BMJ"]),
            "authors": [{"name": f"{name.split()[1]} {name[0]}", "authtype": "Author", "clusterid": ""} for name, _ in people(own, own.randint(1, 5))],
            "lastauthor": "", "title": title(own), "volume": str(own.randint(1, 400)), "issue": str(own.randint(1, 12)), "pages": f"{own.randint(1, 400)}-{own.randint(401, 900)}",
            "lang": ["eng"], "nlmuniqueid": digits(own, 7), "issn": f"{digits(own, 4)}-{digits(own, 4)}", "pubtype": ["Journal Article"],
            "articleids": [{"idtype": "pubmed", "idtypen": 1, "value": uid}, {"idtype": "doi", "idtypen": 3, "value": f"10.1000/{hexes(own, 8)}"}],
            "pmcrefcount": changed(night, 3, own.randint(3, 9)), "sortpubdate": published.strftime("%Y/%m/%d 00:00"), "doctype": "citation"}
    return {"header": {"type": "esummary", "version": "0.3"}, "result": result}


def open_library_works(random, night=1):
    writers = [(f"OL{digits(random, 6)}A", name) for name, _ in people(random, 12)]
    records = []
    for _ in range(40):
        found = some(random, writers, 1, 2)
        editions = [f"OL{digits(random, 7)}M" for _ in range(random.randint(1, 4))]
        records.append({"author_key": [key for key, _ in found], "author_name": [name for _, name in found], "cover_i": maybe(random, int(digits(random, 7)), 0.7),
            "ebook_access": random.choice(["borrowable", "no_ebook"]), "edition_count": len(editions) + changed(night, 0, 1), "first_publish_year": random.randint(1880, 2020),
            "has_fulltext": random.random() < 0.5, "key": f"/works/OL{digits(random, 7)}W", "language": some(random, ["eng", "ger", "fre"], 1, 2),
            "public_scan_b": False, "title": title(random), "cover_edition_key": editions[0], "edition_key": editions})
    found = shown(records, night)
    return {"numFound": 1210, "start": 0, "numFoundExact": True, "num_found": 1210, "documentation_url": "https://example.org/dev/docs/api/search",
        "q": "glacier", "offset": None, "docs": found}


def open_food_products(random, night=1):
    records = []
    for _ in range(36):
        code, created = "40" + digits(random, 11), moment(random)
        name = f"{random.choice(WORDS).capitalize()} {random.choice(['bread', 'jam', 'tea'])}"
        fat, sugar = round(random.uniform(0, 40), 1), round(random.uniform(0, 60), 2)
        records.append({"_id": code, "code": code, "product_name": name, "brands": random.choice(["Nordhof", "Lindow", "Kestrel"]), "quantity": f"{random.randint(1, 9) * 100} g",
            "categories_tags": some(random, ["en:breads", "en:teas", "en:spreads"], 1, 2), "created_t": epoch(created), "last_modified_t": epoch(later(random, created)),
            "creator": random.choice(["kiliweb", "tacinte"]), "nutriscore_grade": changed(night, "c", random.choice("abcde")),
            "nutriments": {"energy-kcal_100g": random.randint(20, 600), "fat_100g": fat, "sugars_100g": sugar, "salt_100g": round(random.uniform(0, 2), 3), "fat_unit": "g"},
            "ingredients": [{"id": f"en:{word}", "text": word, "percent_estimate": round(random.uniform(1, 99), 3), "vegan": random.choice(["yes", "no", "maybe"])}
                for word in some(random, WORDS, 1, 4)],
            "image_url": f"https://images.example.org/{code}.jpg"})
    return {"count": 36, "page": 1, "page_count": 32, "page_size": 32, "products": shown(records, night), "skip": 0}


# Events, sounds and machines


def pagerduty_incidents(random, night=1):
    def told(kind, id, name):
        return {"id": id, "type": f"{kind}_reference", "summary": name, "self": f"https://api.example.org/{kind}s/{id}", "html_url": f"https://acme.example.org/{kind}s/{id}"}

    services = [told("service", "P" + drawn(random, 6, "ABCDEFGHJK0123456789"), f"{word} service") for word in WORDS[:6]]
    users = [told("user", "P" + drawn(random, 6, "ABCDEFGHJK0123456789"), name) for name, _ in people(random, 7)]
    teams = [told("team", "P" + drawn(random, 6, "ABCDEFGHJK0123456789"), f"Team {word}") for word in WORDS[6:9]]
    records = []
    for number in range(44):
        created, id = moment(random), "Q" + drawn(random, 13, "ABCDEFGHJK0123456789")
        records.append({"incident_number": 1200 + number, "title": task(random), "description": task(random), "created_at": zulu(created), "updated_at": zulu(later(random, created)),
            "status": changed(night, "triggered", random.choice(["triggered", "resolved"])), "incident_key": hexes(random, 32), "service": random.choice(services),
            "assignments": [{"at": zulu(created), "assignee": user} for user in some(random, users, 0, 2)], "assigned_via": "escalation_policy", "urgency": random.choice(["high", "low"]),
            "teams": some(random, teams, 0, 2), "acknowledgements": [], "priority": None, "alert_counts": {"all": 2, "triggered": 1, "resolved": 1},
            "id": id, "type": "incident", "summary": f"[#{1200 + number}]", "self": f"https://api.example.org/incidents/{id}"})
    return {"incidents": shown(records, night), "limit": 100, "offset": 0, "total": None, "more": False}


def sentry_issues(random, night=1):
    projects = [{"id": digits(random, 16), "name": word.capitalize(), "slug": word, "platform": "python"} for word in WORDS[:5]]
    users = [{"id": digits(random, 6), "name": name, "email": f"{login}@example.org", "type": "user"} for name, login in people(random, 6)]
    records = []
    for _ in range(40):
        project, first = random.choice(projects), moment(random)
        records.append({"id": digits(random, 10), "shareId": None, "shortId": f"{project['slug'].upper()}-{drawn(random, 3, 'ABCDEFGH12345')}", "title": f"ValueError: {task(random)}",
            "culprit": f"app.{random.choice(WORDS)} in run", "permalink": f"https://acme.example.org/issues/{digits(random, 10)}/", "logger": maybe(random, "root", 0.3), "level": random.choice(["error", "warning"]),
            "status": changed(night, "unresolved", random.choice(["unresolved", "resolved"])), "statusDetails": {}, "isPublic": False, "platform": "python", "project": project, "type": "error",
            "metadata": {"value": task(random), "type": "ValueError", "filename": "app.py"}, "numComments": random.randint(0, 4), "assignedTo": maybe(random, random.choice(users), 0.5),
            "isBookmarked": False, "hasSeen": True, "count": str(random.randint(1, 9000)), "userCount": random.randint(0, 90), "firstSeen": fine(random, first, places=6), "lastSeen": fine(random, later(random, first), places=6),
            "stats": {"24h": [[epoch(START) + hour * 3600, random.randint(0, 9)] for hour in range(4)]}})
    return shown(records, night)


def twilio_messages(random, night=1):
    records = []
    account = "AC" + hexes(random, 32)
    numbers = ["+4930" + digits(random, 7) for _ in range(5)]
    for _ in range(50):
        sid, sent = "SM" + hexes(random, 32), moment(random)
        written = sent.strftime("%a, %d %b %Y %H:%M:%S +0000")
        records.append({"body": task(random), "num_segments": str(random.randint(1, 3)), "direction": random.choice(["outbound-api", "inbound"]), "from": random.choice(numbers),
            "to": "+49171" + digits(random, 7), "date_updated": written, "price": maybe(random, f"-0.0{random.randint(100, 900)}", 0.8), "error_message": None,
            "uri": f"/2010-04-01/Accounts/{account}/Messages/{sid}.json", "account_sid": account, "num_media": "0", "status": changed(night, "sent", random.choice(["sent", "delivered"])),
            "messaging_service_sid": maybe(random, "MG" + "4f" * 16, 0.5), "sid": sid, "date_sent": written, "date_created": written, "error_code": maybe(random, 30003, 0.1), "price_unit": "USD",
            "api_version": "2010-04-01", "subresource_uris": {"media": f"/2010-04-01/Accounts/{account}/Messages/{sid}/Media.json"}})
    found = shown(records, night)
    return {"first_page_uri": f"/2010-04-01/Accounts/{account}/Messages.json?Page=0&PageSize=50", "end": len(found) - 1, "previous_page_uri": None, "messages": found,
        "uri": f"/2010-04-01/Accounts/{account}/Messages.json", "page_size": 50, "start": 0, "next_page_uri": None, "page": 0}


def open_sky_states(random, night=1):
    at = epoch(START) + 86400 * night
    states = [[hexes(random, 6), f"DLH{random.randint(10, 99)}X ", random.choice(list(COUNTRIES.values())), at - random.randint(0, 9), at - random.randint(0, 3),
        round(random.uniform(5, 15), 4), round(random.uniform(47, 55), 4), maybe(random, round(random.uniform(300, 12000), 2)), random.random() < 0.1,
        round(random.uniform(0, 260), 2), round(random.uniform(0, 360), 2), maybe(random, round(random.uniform(-9, 9), 2)), None,
        maybe(random, round(random.uniform(300, 12000), 2)), maybe(random, drawn(random, 4, "01234567")), False, 0] for _ in range(60)]
    return {"time": at, "states": shown(states, night)}


def coin_markets(random, night=1):
    records = []
    for rank, word in enumerate(random.sample(WORDS, 16), 1):
        price = random.uniform(0.001, 90000)
        records.append({"id": f"{word}-coin", "symbol": word[:3], "name": word.capitalize(), "image": f"https://coins.example.org/{word}.png", "current_price": round(price * changed(night, 1, 1.01), 4),
            "market_cap": random.randint(10**6, 10**12), "market_cap_rank": rank, "fully_diluted_valuation": maybe(random, random.randint(10**6, 10**12)), "total_volume": random.randint(10**5, 10**10),
            "high_24h": round(price * 1.1, 4), "low_24h": round(price * 0.9, 4), "price_change_24h": round(random.uniform(-90, 90), 8), "price_change_percentage_24h": round(random.uniform(-9, 9), 5),
            "circulating_supply": round(random.uniform(10**6, 10**9), 3), "max_supply": maybe(random, 21000000.0, 0.5), "ath": round(price * 2, 2), "ath_date": fine(random, moment(random)), "roi": None,
            "last_updated": fine(random, moment(random))})
    return shown(records, night, 1)


def spotify_tracks(random, night=1):
    def linked(kind, **more):
        id = drawn(random, 22)
        return {"external_urls": {"spotify": f"https://open.example.org/{kind}/{id}"}, "href": f"https://api.example.org/v1/{kind}s/{id}", "id": id, "type": kind, "uri": f"spotify:{kind}:{id}", **more}

    artists = [linked("artist", name=name) for name, _ in people(random, 14)]
    albums = [linked("album", album_type=random.choice(["album", "single"]), artists=some(random, artists, 1, 2), name=title(random), release_date=day(moment(random)), release_date_precision="day",
        total_tracks=random.randint(1, 20), images=[{"height": size, "url": f"https://i.example.org/{hexes(random, 16)}", "width": size} for size in (640, 300)]) for _ in range(12)]
    users = [linked("user") for _ in range(3)]
    items = []
    for number in range(50):
        album = random.choice(albums)
        items.append({"added_at": zulu(moment(random)), "added_by": random.choice(users), "is_local": False, "primary_color": None,
            "track": linked("track", album=album, artists=some(random, artists, 1, 2), disc_number=1, duration_ms=random.randint(90000, 400000), explicit=random.random() < 0.2, is_local=False,
                external_ids={"isrc": f"DEA{digits(random, 9)}"}, name=task(random), popularity=changed(night, 40, random.randint(0, 99)), preview_url=None, track_number=number % 12 + 1)})
    found = shown(items, night)
    return {"href": "https://api.example.org/v1/playlists/37i9/tracks?offset=0&limit=100", "items": found, "limit": 100, "next": None, "offset": 0, "previous": None, "total": len(found)}


def calendar_events(random, night=1):
    guests = people(random, 9)
    records = []
    for _ in range(40):
        id, begins, (name, login) = drawn(random, 26, "abcdefghijkmnopqrstuv0123456789"), moment(random).replace(second=0), random.choice(guests)
        isDay = random.random() < 0.2
        place = {"date": day(begins)} if isDay else {"dateTime": zulu(begins, "+02:00"), "timeZone": "Europe/Berlin"}
        until = {"date": day(begins + timedelta(days=1))} if isDay else {"dateTime": zulu(begins + timedelta(hours=1), "+02:00"), "timeZone": "Europe/Berlin"}
        records.append({"kind": "calendar#event", "etag": f'"{digits(random, 16)}"', "id": id, "status": changed(night, "confirmed", random.choice(["confirmed", "cancelled"])),
            "htmlLink": f"https://www.example.org/calendar/event?eid={id}", "created": zulu(begins - timedelta(days=9), ".000Z"),
            "updated": fine(random, begins - timedelta(days=8)), "summary": task(random), **({"location": random.choice(PLACES)} if random.random() < 0.5 else {}),
            "creator": {"email": f"{login}@example.org"}, "organizer": {"email": "team@example.org", "displayName": "Team", "self": True}, "start": place, "end": until,
            "iCalUID": f"{id}@example.org", "sequence": random.randint(0, 3),
            "attendees": [{"email": f"{other}@example.org", "displayName": who, "responseStatus": random.choice(["accepted", "needsAction"])} for who, other in some(random, guests, 0, 4)],
            "reminders": {"useDefault": True}, "eventType": "default"})
    return {"kind": "calendar#events", "etag": '"p33g9"', "summary": "Team", "updated": zulu(START), "timeZone": "Europe/Berlin", "accessRole": "reader", "defaultReminders": [],
        "nextSyncToken": drawn(random, 24), "items": shown(records, night)}


def ticket_events(random, night=1):
    venues = [{"name": f"{place} Hall", "type": "venue", "id": "KovZ" + drawn(random, 9), "test": False, "url": f"https://tickets.example.org/{place}", "locale": "en-us", "postalCode": digits(random, 5),
        "timezone": "Europe/Berlin", "city": {"name": place}, "country": {"name": "Germany", "countryCode": "DE"}, "address": {"line1": f"{random.choice(WORDS).capitalize()} 1"},
        "location": {"longitude": f"{random.uniform(5, 15):.6f}", "latitude": f"{random.uniform(47, 55):.6f}"}} for place in PLACES[:8]]
    acts = [{"name": f"The {word.capitalize()}s", "type": "attraction", "id": "K8vZ" + drawn(random, 9), "test": False, "url": f"https://tickets.example.org/{word}", "locale": "en-us"} for word in WORDS[:10]]
    records = []
    for _ in range(40):
        at = moment(random)
        records.append({"name": title(random), "type": "event", "id": "vvG1" + drawn(random, 10), "test": False, "url": "https://tickets.example.org/e/" + drawn(random, 8), "locale": "en-us",
            "images": [{"ratio": ratio, "url": f"https://i.example.org/{hexes(random, 12)}.jpg", "width": 1024, "height": 576, "fallback": False} for ratio in ("16_9", "4_3")],
            "sales": {"public": {"startDateTime": zulu(at - timedelta(days=90)), "startTBD": False, "endDateTime": zulu(at)}},
            "dates": {"start": {"localDate": day(at), "localTime": at.strftime("%H:%M:%S"), "dateTime": zulu(at)}, "timezone": "Europe/Berlin", "status": {"code": changed(night, "onsale", random.choice(["onsale", "cancelled"]))}},
            "priceRanges": [{"type": "standard", "currency": "EUR", "min": money(random, 50), "max": money(random, 200)}],
            "_links": {"self": {"href": "/discovery/v2/events/" + drawn(random, 10)}}, "_embedded": {"venues": [random.choice(venues)], "attractions": some(random, acts, 1, 2)}})
    found = shown(records, night)
    return {"_embedded": {"events": found}, "_links": {"self": {"href": "/discovery/v2/events.json"}}, "page": {"size": 40, "totalElements": len(found), "totalPages": 1, "number": 0}}


def docker_tags(random, night=1):
    records = []
    for number in range(30):
        pushed = moment(random)
        images = [{"architecture": architecture, "features": "", "variant": maybe(random, "v8", 0.4), "digest": "sha256:" + hexes(random, 64), "os": "linux", "os_features": "", "os_version": None,
            "size": random.randint(10**6, 10**8), "status": "active", "last_pulled": fine(random, later(random, pushed), places=6), "last_pushed": fine(random, pushed, places=6)}
            for architecture in some(random, ["amd64", "arm64", "arm", "s390x"], 1, 3)]
        records.append({"creator": 2215, "id": int(digits(random, 9)), "images": images, "last_updated": fine(random, pushed, places=6), "last_updater": 2215, "last_updater_username": "doijanky",
            "name": f"1.{number}" if number % 3 else f"1.{number}-alpine", "repository": 21171, "full_size": images[0]["size"], "v2": True, "tag_status": changed(night, "active", random.choice(["active", "inactive"])),
            "tag_last_pulled": fine(random, later(random, pushed), places=6), "tag_last_pushed": fine(random, pushed, places=6), "media_type": "application/vnd.oci.image.index.v1+json",
            "content_type": "image", "digest": "sha256:" + hexes(random, 64)})
    found = shown(records, night)
    return {"count": len(found), "next": None, "previous": None, "results": found}


def search_hits(random, night=1):
    records = []
    for _ in range(45):
        at = moment(random)
        records.append({"_index": f"articles-{at:%Y.%m}", "_id": drawn(random, 20), "_score": None, "_source": {"title": title(random), "author": {"id": random.randint(1, 8), "name": ""},
            "published": fine(random, at), "section": random.choice(["news", "sports"]), "tags": some(random, WORDS, 0, 3), "words": random.randint(90, 2000), "version": changed(night, 1, random.randint(1, 3))},
            "sort": [millis(at)]})
    names = [name for name, _ in people(random, 8)]
    for record in records:
        record["_source"]["author"]["name"] = names[record["_source"]["author"]["id"] - 1]
    return {"took": 12, "timed_out": False, "_shards": {"total": 5, "successful": 5, "skipped": 0, "failed": 0},
        "hits": {"total": {"value": 10000, "relation": "gte"}, "max_score": None, "hits": shown(records, night)}}


SHAPES = {
    "quickbooks-invoices.json": quickbooks_invoices, "sap-orders.json": sap_orders, "salesforce-opportunities.json": salesforce_opportunities,
    "hubspot-contacts.json": hubspot_contacts, "paypal-transactions.json": paypal_transactions, "census-table.json": census_table,
    "gleif-records.json": gleif_records, "companies-house-officers.json": companies_house_officers, "npi-providers.json": npi_providers,
    "clinical-trials.json": clinical_trials, "openfda-events.json": openfda_events, "pubmed-summaries.json": pubmed_summaries,
    "open-library-works.json": open_library_works, "open-food-products.json": open_food_products, "pagerduty-incidents.json": pagerduty_incidents,
    "sentry-issues.json": sentry_issues, "twilio-messages.json": twilio_messages, "open-sky-states.json": open_sky_states,
    "coin-markets.json": coin_markets, "spotify-tracks.json": spotify_tracks, "calendar-events.json": calendar_events,
    "ticket-events.json": ticket_events, "docker-tags.json": docker_tags, "search-hits.json": search_hits,
}
