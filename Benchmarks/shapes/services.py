"""Feeds of services on the web, in the shapes of their interfaces and exports: payments, messages, trackers, boards and content.

Members, nesting and the forms of values are those of the services; names and values are invented.
"""

import json
import string
from datetime import timedelta

from shapes.values import FAMILY, GIVEN, START, drawn, epoch, hexes, kept, maybe, moment, some, uid, zulu

WORDS = "anchor basket candle drawer engine funnel garden hammer island jacket kettle ladder mirror needle orchard pencil".split()
VERBS = "Add Check Describe Fix Move Remove Rename Replace Sort Split Test Translate".split()
CITIES = {"Lindow": "DE", "Havenby": "SE", "Corran": "IE", "Oakham": "GB", "Fallow": "US"}


def digits(random, length):
    return random.choice("123456789") + drawn(random, length - 1, string.digits)


def later(random, time, days=9):
    return time + timedelta(seconds=random.randrange(60, days * 86400))


def fine(random, time, end="Z", places=3):
    """A time with a fraction of a second."""
    return zulu(time, "." + drawn(random, places, string.digits) + end)


def day(time):
    return time.strftime("%Y-%m-%d")


def task(random):
    return f"{random.choice(VERBS)} the {' '.join(some(random, WORDS, 1, 3))}"


def prose(random):
    return ". ".join(task(random) for _ in range(random.randint(1, 4))) + "."


def people(random, count=8):
    """Names, and what accounts are called."""
    names = random.sample([(given, family) for given in GIVEN for family in FAMILY], count)
    return [(f"{given} {family}", f"{given}.{family}".lower().replace("ü", "ue")) for given, family in names]


# Payments


def address(random):
    city = random.choice(list(CITIES))
    return {"city": city, "country": CITIES[city], "line1": f"{random.choice(WORDS).capitalize()} Road {random.randint(1, 90)}",
        "line2": maybe(random, "2nd floor", 0.2), "postal_code": digits(random, 5), "state": maybe(random, city[:2].upper(), 0.4)}


def stripe_charges(random):
    customers = [("cus_" + drawn(random, 14), name, login, "card_" + drawn(random, 24), address(random))
        for name, login in people(random, 12)]
    charges = [stripe_charge(random, *random.choice(customers)) for _ in range(50)]
    return {"object": "list", "data": charges, "has_more": True, "url": "/v1/charges"}


def stripe_charge(random, customer, name, login, method, place):
    id, amount, created, paid = "ch_" + drawn(random, 24), random.randint(500, 90000), moment(random), random.random() < 0.85
    intent = "pi_" + drawn(random, 24)
    refunds = [stripe_refund(random, id, intent, amount // 4, created) for _ in range(random.choice([0, 0, 0, 1, 2]) if paid else 0)]
    return {
        "id": id, "object": "charge", "amount": amount, "amount_captured": amount if paid else 0,
        "amount_refunded": sum(refund["amount"] for refund in refunds), "application": None, "application_fee": None,
        "application_fee_amount": None, "balance_transaction": "txn_" + drawn(random, 24) if paid else None,
        "billing_details": {"address": place, "email": f"{login}@example.org", "name": name,
            "phone": maybe(random, "+49 30 " + digits(random, 7), 0.4)},
        "calculated_statement_descriptor": "EXAMPLE SHOP", "captured": paid, "created": epoch(created),
        "currency": random.choice(["eur", "eur", "usd", "sek"]), "customer": maybe(random, customer, 0.9),
        "description": maybe(random, f"Order {digits(random, 5)}", 0.8), "disputed": random.random() < 0.05,
        **stripe_outcome(random, paid), "fraud_details": {}, "invoice": maybe(random, "in_" + drawn(random, 24), 0.3), "livemode": False,
        "metadata": maybe(random, {"order_id": digits(random, 5)}, 0.6, {}), "paid": paid, "payment_intent": intent,
        "payment_method": method, "payment_method_details": stripe_card(random, amount, place),
        "receipt_email": maybe(random, f"{login}@example.org", 0.5), "receipt_number": maybe(random, f"1{digits(random, 3)}-4821", 0.3),
        "receipt_url": f"https://pay.example.org/receipts/{id}" if paid else None, "refunded": False,
        "refunds": {"object": "list", "data": refunds, "has_more": False, "url": f"/v1/charges/{id}/refunds"},
        "review": None, "shipping": None, "source_transfer": None, "statement_descriptor": None, "statement_descriptor_suffix": None,
        "status": "succeeded" if paid else "failed", "transfer_data": None, "transfer_group": None,
    }


def stripe_outcome(random, paid):
    score = random.randint(1, 80)
    return {"failure_balance_transaction": None, "failure_code": None if paid else "card_declined",
        "failure_message": None if paid else "Your card was declined.",
        "outcome": {"network_status": "approved_by_network" if paid else "declined_by_network",
            "reason": None if paid else "generic_decline", "risk_level": "elevated" if score > 65 else "normal", "risk_score": score,
            "seller_message": "Payment complete." if paid else "The bank did not return any further details.",
            "type": "authorized" if paid else "issuer_declined"}}


def stripe_card(random, amount, place):
    brand = random.choice(["visa", "mastercard", "amex"])
    checks = {"address_line1_check": maybe(random, "pass", 0.4), "address_postal_code_check": maybe(random, "pass", 0.6),
        "cvc_check": random.choice(["pass", "pass", "unchecked"])}
    return {"card": {"amount_authorized": amount, "brand": brand, "checks": checks, "country": place["country"],
        "exp_month": random.randint(1, 12), "exp_year": random.randint(2026, 2030), "fingerprint": drawn(random, 16),
        "funding": random.choice(["credit", "debit", "prepaid"]), "installments": None, "last4": digits(random, 4), "mandate": None,
        "network": brand, "three_d_secure": None, "wallet": None}, "type": "card"}


def stripe_refund(random, charge, intent, amount, created):
    return {"id": "re_" + drawn(random, 24), "object": "refund", "amount": amount, "balance_transaction": "txn_" + drawn(random, 24),
        "charge": charge, "created": epoch(later(random, created)), "currency": "eur", "destination_details": None, "metadata": {},
        "payment_intent": intent, "reason": maybe(random, "requested_by_customer", 0.6), "receipt_number": None,
        "source_transfer_reversal": None, "status": random.choice(["succeeded", "succeeded", "pending"]), "transfer_reversal": None}


def stripe_invoices(random):
    customers = [("cus_" + drawn(random, 14), "sub_" + drawn(random, 24), name, login, address(random)) for name, login in people(random)]
    prices = [stripe_price(random, amount) for amount in (900, 1900, 4900, 9900, 12000)]
    rates = ["txr_" + drawn(random, 24) for _ in range(2)]
    invoices = [stripe_invoice(random, f"9F3C-{number:04}", random.choice(customers), prices, rates) for number in range(1, 41)]
    return {"object": "list", "data": invoices, "has_more": False, "url": "/v1/invoices"}


def stripe_price(random, amount):
    return {"id": "price_" + drawn(random, 24), "object": "price", "active": True, "billing_scheme": "per_unit",
        "created": epoch(moment(random)), "currency": "eur", "custom_unit_amount": None, "livemode": False, "lookup_key": None,
        "metadata": {}, "nickname": maybe(random, random.choice(WORDS).capitalize(), 0.5), "product": "prod_" + drawn(random, 14),
        "recurring": {"interval": random.choice(["month", "year"]), "interval_count": 1, "trial_period_days": None,
            "usage_type": "licensed"},
        "tax_behavior": "exclusive", "tiers_mode": None, "transform_quantity": None, "type": "recurring", "unit_amount": amount,
        "unit_amount_decimal": str(amount)}


def stripe_invoice(random, number, customer, prices, rates):
    id, created = "in_" + drawn(random, 24), moment(random)
    status = random.choice(["paid", "paid", "paid", "open", "draft", "void", "uncollectible"])
    lines = [stripe_line(random, price, customer[1], created, rates) for price in some(random, prices, 1, 4)]
    subtotal = sum(line["amount"] for line in lines)
    tax = sum(part["amount"] for line in lines for part in line["tax_amounts"])
    done, draft, paid = epoch(later(random, created, 2)), status == "draft", (subtotal + tax) * (status == "paid")
    return {
        "id": id, "object": "invoice", "account_country": "DE", "account_name": "Example Shop", "amount_due": subtotal + tax,
        "amount_paid": paid, "amount_remaining": subtotal + tax - paid, "application": None, "attempt_count": random.randint(0, 3),
        "attempted": not draft, "auto_advance": draft, "billing_reason": random.choice(["subscription_cycle", "manual"]),
        "collection_method": random.choice(["charge_automatically", "send_invoice"]), "created": epoch(created), "currency": "eur",
        "custom_fields": None, "customer": customer[0], "customer_address": customer[4], "customer_email": customer[3] + "@example.org",
        "customer_name": customer[2], "customer_phone": None, "default_payment_method": None,
        "description": maybe(random, prose(random), 0.2), "discounts": [],
        "due_date": maybe(random, epoch(created + timedelta(days=30)), 0.4), "ending_balance": None if draft else 0, "footer": None,
        "hosted_invoice_url": None if draft else f"https://pay.example.org/i/{id}",
        "lines": {"object": "list", "data": lines, "has_more": False, "total_count": len(lines), "url": f"/v1/invoices/{id}/lines"},
        "livemode": False, "metadata": {}, "number": None if draft else number, "paid": status == "paid", "period_end": epoch(created),
        "period_start": epoch(created - timedelta(days=30)), "starting_balance": 0, "status": status,
        "status_transitions": {"finalized_at": None if draft else done, "paid_at": done + 60 if paid else None,
            "marked_uncollectible_at": done if status == "uncollectible" else None, "voided_at": done if status == "void" else None},
        "subscription": maybe(random, customer[1], 0.8), "subtotal": subtotal, "tax": tax or None, "total": subtotal + tax,
    }


def stripe_line(random, price, subscription, created, rates):
    quantity = random.choice([1, 1, 2, 5])
    amount = price["unit_amount"] * quantity
    taxes = [{"amount": amount * 19 // 100, "inclusive": False, "tax_rate": rate, "taxability_reason": "standard_rated",
        "taxable_amount": amount} for rate in some(random, rates, 0, 2)]
    return {"id": "il_" + drawn(random, 24), "object": "line_item", "amount": amount, "amount_excluding_tax": amount, "currency": "eur",
        "description": maybe(random, f"{quantity} × {price['nickname'] or 'Plan'}", 0.9), "discount_amounts": [], "discountable": True,
        "discounts": [], "livemode": False, "metadata": {},
        "period": {"end": epoch(created + timedelta(days=30)), "start": epoch(created)}, "price": price,
        "proration": random.random() < 0.2, "proration_details": {"credited_items": None}, "quantity": quantity,
        "subscription": subscription, "subscription_item": "si_" + drawn(random, 14), "tax_amounts": taxes, "tax_rates": [],
        "type": "subscription"}


# Messages


def slack_messages(random):
    users = [slack_user(random, name, login) for name, login in people(random)]
    times, ids, messages = sorted(epoch(moment(random, 9)) for _ in range(50)), [user["id"] for user in users], []
    for time in times:
        messages.append(slack_message(random, f"{time}.{digits(random, 6)}", ids, users[0]["team_id"]))
    for root in random.sample(messages[:40], 8):
        slack_thread(random, root, [message for message in messages if message["ts"] > root["ts"] and "thread_ts" not in message])
    channel = {"id": "C" + drawn(random, 10, string.ascii_uppercase), "name": "workshop", "created": times[0], "creator": ids[0],
        "is_archived": False, "is_general": False, "members": ids, "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "All about the workshop", "creator": ids[1], "last_set": times[1]}}
    return {"ok": True, "channel": channel, "messages": messages[::-1], "users": users, "has_more": False, "pin_count": 0,
        "response_metadata": {"next_cursor": ""}}


def slack_user(random, name, login):
    id = "U" + drawn(random, 10, string.ascii_uppercase + string.digits)
    profile = {"title": maybe(random, "Carpenter", 0.4, ""), "phone": "", "real_name": name, "real_name_normalized": name,
        "display_name": login, "status_text": maybe(random, "On holiday", 0.2, ""), "status_emoji": "", "avatar_hash": hexes(random, 12),
        "email": f"{login}@example.org", "image_48": f"https://avatars.example.org/{id}_48.png", "team": "T04EXAMPLE"}
    return {"id": id, "team_id": "T04EXAMPLE", "name": login, "deleted": random.random() < 0.1, "color": hexes(random, 6),
        "real_name": name, "tz": "Europe/Berlin", "tz_label": "Central European Time", "tz_offset": 3600, "profile": profile,
        "is_admin": random.random() < 0.2, "is_owner": False, "is_bot": random.random() < 0.1, "is_app_user": False,
        "updated": epoch(moment(random)),
        "who_can_share_contact_card": "EVERYONE"}


def slack_message(random, ts, users, team):
    text = prose(random)
    message = {"client_msg_id": uid(random), "type": "message", "subtype": random.choice(["channel_join", "me_message", "file_share"]),
        "text": text, "user": random.choice(users), "ts": ts, "team": team,
        "blocks": [{"type": "rich_text", "block_id": drawn(random, 5), "elements": [{"type": "rich_text_section",
            "elements": [{"type": "text", "text": text}]}]}],
        "edited": {"user": random.choice(users), "ts": f"{int(ts[:10]) + 120}.000000"},
        "reactions": [{"name": name, "users": who, "count": len(who)} for name in some(random, ["+1", "eyes", "tada", "heart"], 1, 3)
            for who in [some(random, users, 1, 4)]],
        "files": [slack_file(random, ts, random.choice(users))]}
    return kept(random, message, client_msg_id=0.9, subtype=0.1, blocks=0.9, edited=0.2, reactions=0.4, files=0.15)


def slack_file(random, ts, user):
    id, kind = "F" + drawn(random, 10, string.ascii_uppercase + string.digits), random.choice(["png", "pdf", "csv"])
    name = f"{random.choice(WORDS)}.{kind}"
    return kept(random, {"id": id, "created": int(ts[:10]), "timestamp": int(ts[:10]), "name": name, "title": name,
        "mimetype": {"png": "image/png", "pdf": "application/pdf", "csv": "text/csv"}[kind], "filetype": kind, "pretty_type": kind.upper(),
        "user": user, "user_team": "T04EXAMPLE", "editable": False, "size": random.randint(900, 4000000), "mode": "hosted",
        "is_external": False, "is_public": True, "url_private": f"https://files.example.org/{id}/{name}", "original_w": 800,
        "original_h": 600, "permalink": f"https://example.slack.test/files/{user}/{id}/{name}"},
        original_w=0.9 if kind == "png" else 0, original_h=0.9 if kind == "png" else 0)


def slack_thread(random, root, rest):
    replies = sorted(some(random, rest, 1, 3), key=lambda message: message["ts"])
    if "thread_ts" in root or not replies:
        return
    for reply in replies:
        reply.update(thread_ts=root["ts"], parent_user_id=root["user"])
    users = sorted({reply["user"] for reply in replies})
    root.update(thread_ts=root["ts"], reply_count=len(replies), reply_users_count=len(users), reply_users=users,
        latest_reply=replies[-1]["ts"], is_locked=False, subscribed=False)


def discord_messages(random):
    users = [kept(random, {"id": digits(random, 18), "username": login, "avatar": maybe(random, hexes(random, 32)), "discriminator": "0",
        "public_flags": random.choice([0, 0, 64]), "flags": 0, "bot": True, "banner": None, "accent_color": maybe(random, 3447003, 0.2),
        "global_name": maybe(random, name, 0.8), "avatar_decoration_data": None, "banner_color": None, "clan": None}, bot=0.1)
        for name, login in people(random, 9)]
    channel, guild, messages, older = digits(random, 19), digits(random, 18), [], []
    for number in range(52):
        message = discord_message(random, str(1290000000000000000 + number * 5000000000000), channel, users, number)
        if messages and random.random() < 0.3:
            whole = random.choice(messages)
            first = {key: value for key, value in whole.items() if key != "referenced_message"}
            message.update(type=19, message_reference={"type": 0, "channel_id": channel, "message_id": first["id"], "guild_id": guild},
                referenced_message=first)
        messages.append(message)
    return messages[:6:-1]


def discord_message(random, id, channel, users, number):
    time = START + timedelta(minutes=number * 20)
    return kept(random, {
        "type": 0, "content": maybe(random, prose(random), 0.9, ""), "mentions": maybe(random, some(random, users, 1, 2), 0.3, []),
        "mention_roles": maybe(random, [digits(random, 18)], 0.1, []), "attachments": [discord_attachment(random, channel)
            for _ in range(random.choice([0, 0, 0, 1, 2]))],
        "embeds": [{"type": "article", "url": f"https://example.org/{word}", "title": word.capitalize(), "description": task(random),
            "provider": {"name": "Example"}} for word in some(random, WORDS, 0, 1) if random.random() < 0.3],
        "timestamp": fine(random, time, "000+00:00"), "edited_timestamp": maybe(random, fine(random, time, "000+00:00"), 0.2), "flags": 0,
        "components": [], "id": id, "channel_id": channel, "author": random.choice(users), "pinned": random.random() < 0.1,
        "mention_everyone": False, "tts": False,
        "reactions": [{"emoji": {"id": None if emoji != "blob" else "396521773115113473", "name": emoji}, "count": random.randint(1, 7),
            "count_details": {"burst": 0, "normal": 1}, "burst_colors": [], "me_burst": False, "me": random.random() < 0.2,
            "burst_count": 0}
            for emoji in some(random, ["👍", "🎉", "👀", "blob"], 1, 3)],
    }, reactions=0.3)


def discord_attachment(random, channel):
    id, image = digits(random, 19), random.random() < 0.7
    name = random.choice(WORDS) + (".png" if image else ".zip")
    size = {"width": random.randint(200, 1920), "height": random.randint(200, 1080)} if image else {}
    url = f"attachments/{channel}/{id}/{name}"
    return {"id": id, "filename": name, "size": random.randint(900, 9000000), "url": "https://cdn.example.org/" + url,
        "proxy_url": "https://media.example.org/" + url, **size, "content_type": "image/png" if image else "application/zip",
        "content_scan_version": 0}


# Trackers


def jira_issues(random):
    api, world = "https://example.atlassian.test/rest/api/2/", jira_world(random, "https://example.atlassian.test/rest/api/2/")
    issues = [jira_issue(random, api, number, world) for number in range(1, 46)]
    for issue in issues[10:]:
        if random.random() < 0.3:
            parent = random.choice(issues[:10])
            issue["fields"]["parent"] = jira_short(parent)
            parent["fields"]["subtasks"].append(jira_short(issue))
        if random.random() < 0.25:
            issue["fields"]["issuelinks"].append({"id": str(20000 + int(issue["id"])), "self": api + f"issueLink/2{issue['id'][1:]}",
                "type": {"id": "10000", "name": "Blocks", "inward": "is blocked by", "outward": "blocks",
                    "self": api + "issueLinkType/10000"},
                "outwardIssue": jira_short(random.choice(issues[:10]))})
    return {"expand": "schema,names", "startAt": 0, "maxResults": 50, "total": len(issues), "issues": issues}


def jira_short(issue):
    fields = {key: issue["fields"][key] for key in ("summary", "status", "priority", "issuetype")}
    return {"id": issue["id"], "key": issue["key"], "self": issue["self"], "fields": fields}


def jira_world(random, api):
    def made(kind, names, start=10000, **more):
        return [{"self": f"{api}{kind}/{start + at}", "id": str(start + at), "name": name, **more} for at, name in enumerate(names)]
    categories = [{"self": api + f"statuscategory/{id}", "id": id, "key": key, "colorName": color, "name": name}
        for id, key, color, name in ((2, "new", "blue-gray", "To Do"), (4, "indeterminate", "yellow", "In Progress"),
            (3, "done", "green", "Done"))]
    states = made("status", ["Open", "In Review", "Closed"], 1, description="", iconUrl="https://example.atlassian.test/icon.png")
    versions = [kept(random, {**one, "description": task(random), "archived": False, "released": at < 2,
        "releaseDate": f"2025-0{at + 5}-15"}, description=0.5, releaseDate=0.6) for at, one in enumerate(made("version",
        ["1.0", "1.1", "2.0", "2.1"]))]
    avatar = "https://avatars.example.org/"
    return {"status": [{**state, "statusCategory": category} for state, category in zip(states, categories)], "versions": versions,
        "issuetype": [{**kind, "subtask": kind["name"] == "Sub-task", "avatarId": 10300 + at, "hierarchyLevel": 0} for at, kind in
            enumerate(made("issuetype", ["Bug", "Story", "Task", "Sub-task"], description="", iconUrl=avatar + "type.svg"))],
        "priority": made("priority", ["High", "Medium", "Low"], 2, iconUrl=avatar + "priority.svg"),
        "resolution": made("resolution", ["Done", "Won't Do"], description="What became of it."),
        "components": [kept(random, {**one, "description": task(random)}, description=0.6) for one in made("component", WORDS[:6])],
        "project": [{"self": api + f"project/{id}", "id": id, "key": key, "name": name, "projectTypeKey": "software", "simplified": False,
            "avatarUrls": {"48x48": avatar + key}} for id, key, name in (("10000", "SHED", "Shed"), ("10001", "LOFT", "Loft"))],
        "users": [{"self": f"{api}user?accountId={id}", "accountId": id, "emailAddress": f"{login}@example.org", "avatarUrls":
            {"48x48": avatar + id, "24x24": avatar + id}, "displayName": name, "active": random.random() < 0.9, "timeZone": "Europe/Berlin",
            "accountType": "atlassian"} for name, login in people(random) for id in [hexes(random, 24)]]}


def jira_issue(random, api, number, world):
    id, project, created = str(10000 + number * 3), random.choice(world["project"]), moment(random)
    status, change = random.choice(world["status"]), later(random, created)
    closed, users = status["name"] == "Closed", world["users"]
    fields = {
        "summary": task(random), "description": maybe(random, prose(random)), "status": status, "project": project,
        "issuetype": random.choice(world["issuetype"]), "priority": random.choice(world["priority"]),
        "labels": some(random, WORDS[8:], 0, 3), "assignee": maybe(random, random.choice(users)), "reporter": random.choice(users),
        "creator": random.choice(users), "components": some(random, world["components"], 0, 2),
        "fixVersions": some(random, world["versions"], 0, 1), "versions": some(random, world["versions"], 0, 2),
        "created": zulu(created, ".000+0200"), "updated": zulu(change, ".000+0200"), "duedate": maybe(random, day(change), 0.3),
        "resolution": random.choice(world["resolution"]) if closed else None,
        "resolutiondate": zulu(change, ".000+0200") if closed else None, "timeoriginalestimate": maybe(random, 14400, 0.3),
        "timeestimate": maybe(random, 3600, 0.3), "timespent": maybe(random, 7200, 0.3), "workratio": -1, "environment": None,
        "customfield_10016": maybe(random, random.choice([1.0, 2.0, 3.5, 5.0]), 0.5), "customfield_10019": "0|i000" + drawn(random,
            2) + ":",
        "votes": {"self": api + f"issue/{id}/votes", "votes": random.randint(0, 4), "hasVoted": False},
        "watches": {"self": api + f"issue/{id}/watchers", "watchCount": random.randint(0, 9), "isWatching": False}, "issuelinks": [],
        "subtasks": [], "comment": jira_comments(random, api, id, users, created),
    }
    return {"expand": "operations,changelog", "id": id, "self": api + f"issue/{id}", "key": f"{project['key']}-{number}", "fields": fields}


def jira_comments(random, api, issue, users, created):
    comments = [{"self": f"{api}issue/{issue}/comment/{id}", "id": id, "author": random.choice(users), "body": prose(random),
        "updateAuthor": random.choice(users), "created": zulu(later(random, created), ".123+0200"),
        "updated": zulu(later(random, created), ".456+0200"), "jsdPublic": True}
        for at in range(random.choice([0, 0, 1, 2, 3])) for id in [str(int(issue) * 10 + at)]]
    return {"comments": comments, "self": f"{api}issue/{issue}/comment", "maxResults": len(comments), "total": len(comments), "startAt": 0}


def gitlab_users(random, count=8):
    return [{"id": random.randint(1000, 99999), "username": login, "public_email": maybe(random, f"{login}@example.org", 0.4, ""),
        "name": name, "state": random.choice(["active", "active", "active", "blocked"]), "locked": False,
        "avatar_url": maybe(random, f"https://gitlab.example.org/avatar/{hexes(random, 8)}.png", 0.8),
        "web_url": f"https://gitlab.example.org/{login}"} for name, login in people(random, count)]


def gitlab_merge_requests(random):
    users, site = gitlab_users(random), "https://gitlab.example.org/workshop/shed"
    milestones = [{"id": 300 + number, "iid": number, "project_id": 4210, "title": f"v{number}.0",
        "description": maybe(random, task(random), 0.5, ""), "state": "closed" if number < 3 else "active",
        "created_at": fine(random, moment(random)), "updated_at": fine(random, moment(random)),
        "due_date": maybe(random, day(moment(random)), 0.6), "start_date": maybe(random, day(moment(random)), 0.5),
        "expired": number < 3,
        "web_url": f"{site}/-/milestones/{number}"} for number in range(1, 6)]
    return [gitlab_merge_request(random, number, users, milestones, site) for number in range(48, 4, -1)]


def gitlab_merge_request(random, number, users, milestones, site):
    state, created = random.choice(["opened", "merged", "merged", "closed"]), moment(random)
    end, assignees, draft = later(random, created), some(random, users, 0, 2), state == "opened" and random.random() < 0.3
    merger = random.choice(users) if state == "merged" else None
    return {
        "id": 88000 + number * 7, "iid": number, "project_id": 4210, "title": ("Draft: " if draft else "") + task(random),
        "description": maybe(random, prose(random), 0.8), "state": state, "created_at": fine(random, created),
        "updated_at": fine(random, end), "merged_by": merger, "merge_user": merger, "merged_at": fine(random, end) if merger else None,
        "closed_by": random.choice(users) if state == "closed" else None, "closed_at": fine(random, end) if state == "closed" else None,
        "target_branch": "main", "source_branch": "-".join(some(random, WORDS, 2, 3)), "user_notes_count": random.randint(0, 20),
        "upvotes": random.randint(0, 3), "downvotes": 0, "author": random.choice(users), "assignees": assignees,
        "assignee": assignees[0] if assignees else None, "reviewers": some(random, users, 0, 2), "source_project_id": 4210,
        "target_project_id": 4210, "labels": some(random, ["bug", "feature", "docs", "backend"], 0, 2), "draft": draft,
        "imported": False, "imported_from": "none", "work_in_progress": draft,
        "milestone": maybe(random, random.choice(milestones), 0.6), **gitlab_merge(random, state, number, site),
        "discussion_locked": maybe(random, True, 0.1), "prepared_at": fine(random, created),
    }


def gitlab_merge(random, state, number, site):
    estimate = random.choice([0, 0, 3600])
    return {"merge_when_pipeline_succeeds": False, "merge_status": random.choice(["can_be_merged", "cannot_be_merged", "unchecked"]),
        "detailed_merge_status": "not_open" if state != "opened" else random.choice(["mergeable", "draft_status", "not_approved"]),
        "sha": hexes(random, 40), "merge_commit_sha": hexes(random, 40) if state == "merged" else None,
        "squash_commit_sha": hexes(random, 40) if state == "merged" and random.random() < 0.5 else None,
        "should_remove_source_branch": maybe(random, True, 0.5), "force_remove_source_branch": maybe(random, True, 0.6),
        "reference": f"!{number}", "references": {"short": f"!{number}", "relative": f"!{number}", "full": f"workshop/shed!{number}"},
        "web_url": f"{site}/-/merge_requests/{number}", "time_stats": {"time_estimate": estimate, "total_time_spent": 0,
            "human_time_estimate": "1h" if estimate else None, "human_total_time_spent": None}, "squash": random.random() < 0.4,
        "squash_on_merge": False, "task_completion_status": {"count": 2, "completed_count": random.randint(0, 2)},
        "has_conflicts": random.random() < 0.1, "blocking_discussions_resolved": random.random() < 0.9}


def gitlab_pipelines(random):
    users, site = [{key: value for key, value in user.items() if key != "public_email"}
        for user in gitlab_users(random)], "https://gitlab.example.org"
    return [gitlab_pipeline(random, 60990 - number, 60990 - number * 3, users, site) for number in range(50)]


def gitlab_pipeline(random, iid, id, users, site):
    status, ref = random.choice(["success", "success", "failed", "canceled", "running", "skipped"]), "-".join(some(random, WORDS, 1, 2))
    created, path, live = moment(random), f"/workshop/shed/-/pipelines/{id}", status == "running"
    started, seconds = later(random, created, 1), random.randint(20, 3000)
    return {
        "id": id, "iid": iid, "project_id": 4210, "sha": hexes(random, 40), "ref": random.choice(["main", ref]), "status": status,
        "source": random.choice(["push", "merge_request_event", "schedule", "web"]), "created_at": fine(random, created),
        "updated_at": fine(random, started), "web_url": site + path, "before_sha": maybe(random, hexes(random, 40), 0.8, "0" * 40),
        "tag": random.random() < 0.1, "name": maybe(random, "Nightly", 0.2), "yaml_errors": maybe(random,
            "jobs config should contain a job", 0.05),
        "user": random.choice(users), "started_at": None if status == "skipped" else fine(random, started),
        "finished_at": None if live or status == "skipped" else fine(random, started + timedelta(seconds=seconds)), "committed_at": None,
        "duration": None if live or status == "skipped" else seconds, "queued_duration": maybe(random, random.randint(1, 90)),
        "coverage": maybe(random, f"{random.uniform(60, 99):.2f}", 0.5),
        "detailed_status": {"icon": f"status_{status}", "text": status.capitalize(), "label": status, "group": status, "tooltip": status,
            "has_details": True, "details_path": path, "illustration": None, "favicon": f"/assets/favicon_status_{status}.png"},
    }


def bitbucket_pullrequests(random):
    api = "https://api.bitbucket.test/2.0/"
    users = [{"display_name": name, "links": {"self": {"href": f"{api}users/%7B{id}%7D"},
        "avatar": {"href": f"https://avatars.example.org/{id}"},
        "html": {"href": f"https://bitbucket.test/%7B{id}%7D/"}}, "type": "user", "uuid": f"{{{id}}}",
            "account_id": "712020:" + uid(random),
        "nickname": maybe(random, login, 0.8, name)} for name, login in people(random) for id in [uid(random)]]
    repositories = [{"type": "repository", "full_name": f"{owner}/shed", "links": {"self": {"href": f"{api}repositories/{owner}/shed"},
        "html": {"href": f"https://bitbucket.test/{owner}/shed"}, "avatar": {"href": "https://avatars.example.org/r"}}, "name": "shed",
        "uuid": f"{{{uid(random)}}}"} for owner in ["workshop", "mina", "jon"]]
    values = [bitbucket_pullrequest(random, number, users, repositories, api) for number in range(42, 2, -1)]
    return {"values": values, "pagelen": 50, "size": 82, "page": 1, "next": api + "repositories/workshop/shed/pullrequests?page=2"}


def bitbucket_end(random, branch, repository, api):
    hash = hexes(random, 12)
    return {"branch": {"name": branch, "links": {}}, "commit": {"hash": hash, "links": {"self": {"href":
        f"{api}repositories/{repository['full_name']}/commit/{hash}"}}, "type": "commit"}, "repository": repository}


def bitbucket_pullrequest(random, number, users, repositories, api):
    state, created, text = random.choice(["OPEN", "MERGED", "MERGED", "DECLINED"]), moment(random), maybe(random, prose(random), 0.7, "")
    change, reviewers, url = later(random, created), some(random, users, 0, 3), f"{api}repositories/workshop/shed/pullrequests/{number}"
    participants = [{"type": "participant", "user": user, "role": "REVIEWER", "approved": state == "approved", "state": state,
        "participated_on": maybe(random, fine(random, change, "+00:00", 6), 0.7)} for user in reviewers
        for state in [random.choice([None, "approved", "changes_requested"])]]
    return {
        "comment_count": random.randint(0, 12), "task_count": random.choice([0, 0, 1]), "type": "pullrequest", "id": number,
        "title": task(random), "description": text, "summary": {"type": "rendered", "raw": text, "markup": "markdown",
            "html": f"<p>{text}</p>"},
        "state": state, "draft": random.random() < 0.1,
        "merge_commit": {"type": "commit", "hash": hexes(random, 12), "links": {}} if state == "MERGED" else None,
        "close_source_branch": random.random() < 0.6, "closed_by": None if state == "OPEN" else random.choice(users),
        "author": random.choice(users), "reason": "Outdated" if state == "DECLINED" else "",
        "created_on": fine(random, created, "+00:00", 6), "updated_on": fine(random, change, "+00:00", 6),
        "destination": bitbucket_end(random, "main", repositories[0], api),
        "source": bitbucket_end(random, "/".join(some(random, WORDS, 2, 2)), random.choice(repositories), api),
        "reviewers": reviewers, "participants": participants, "links": {"self": {"href": url}, "html": {"href": url.replace("api.", "")},
            "commits": {"href": url + "/commits"}, "diff": {"href": url + "/diff"}},
    }


def zendesk_tickets(random):
    site, groups = "https://example.zendesk.test/api/v2/", [{"url": "", "id": int(digits(random, 12)), "is_public": True, "name": name,
        "description": "", "default": name == "Support", "deleted": False, "created_at": zulu(moment(random)),
        "updated_at": zulu(moment(random))} for name in ("Support", "Repairs")]
    organizations = [{"url": f"{site}organizations/{id}.json", "id": id, "name": f"{word.capitalize()} Ltd", "shared_tickets": False,
        "shared_comments": False, "external_id": maybe(random, digits(random, 5), 0.4), "created_at": zulu(moment(random)),
        "updated_at": zulu(moment(random)), "domain_names": maybe(random, [f"{word}.example.org"], 0.7, []),
        "details": maybe(random, task(random), 0.3, ""), "notes": None, "group_id": maybe(random, groups[0]["id"], 0.3),
        "tags": some(random, ["gold", "trial"], 0, 1),
        "organization_fields": {}}
        for word in WORDS[:6] for id in [int(digits(random, 12))]]
    users = [zendesk_user(random, site, name, login, at < 4, random.choice(organizations), groups) for at,
        (name, login) in enumerate(people(random, 20))]
    tickets = [zendesk_ticket(random, site, number, users, groups) for number in range(101, 151)]
    for ticket in tickets:
        if ticket["type"] == "incident":
            ticket["problem_id"] = maybe(random, random.choice([one["id"] for one in tickets if one["type"] == "problem"] or [None]), 0.8)
    return {"tickets": tickets, "users": users, "organizations": organizations, "groups": groups, "next_page": None, "previous_page": None,
        "count": len(tickets)}


def zendesk_user(random, site, name, login, agent, organization, groups):
    id, created = int(digits(random, 12)), moment(random)
    return {"id": id, "url": f"{site}users/{id}.json", "name": name, "email": maybe(random, f"{login}@example.org", 0.9),
        "created_at": zulu(created), "updated_at": zulu(later(random, created)), "time_zone": "Berlin", "iana_time_zone": "Europe/Berlin",
        "phone": maybe(random, "+49 30 " + digits(random, 7), 0.3), "shared_phone_number": None, "photo": None, "locale_id": 1,
        "locale": "en-US", "organization_id": None if agent else maybe(random, organization["id"], 0.8),
        "role": "agent" if agent else "end-user", "verified": random.random() < 0.8, "external_id": None, "tags": [],
        "alias": maybe(random, name.split()[0], 0.2, ""), "active": True, "shared": False, "shared_agent": False,
        "last_login_at": maybe(random, zulu(later(random, created)), 0.7), "two_factor_auth_enabled": None, "signature": None,
        "details": "", "notes": "", "role_type": 0 if agent else None, "moderator": agent, "restricted_agent": not agent,
        "ticket_restriction": None if agent else "requested", "only_private_comments": False, "suspended": random.random() < 0.05,
        "default_group_id": random.choice(groups)["id"] if agent else None, "report_csv": False, "user_fields": {}}


def zendesk_ticket(random, site, number, users, groups):
    requester, agents, created, subject = random.choice(users[4:]), users[:4], moment(random), task(random)
    ids, kind = [user["id"] for user in users], random.choice(["problem", "incident", "question", "task", None])
    return {
        "url": f"{site}tickets/{number}.json", "id": number, "external_id": maybe(random, digits(random, 6), 0.2),
        "via": {"channel": random.choice(["email", "web", "api"]), "source": {"from": {}, "to": {}, "rel": None}},
        "created_at": zulu(created), "updated_at": zulu(later(random, created)), "generated_timestamp": epoch(later(random, created)),
        "type": kind, "subject": subject, "raw_subject": subject, "description": prose(random),
        "priority": random.choice([None, "low", "normal", "high", "urgent"]),
        "status": random.choice(["new", "open", "pending", "solved", "closed"]), "recipient": maybe(random, "help@example.org", 0.4),
        "requester_id": requester["id"], "submitter_id": random.choice([requester, agents[0]])["id"],
        "assignee_id": maybe(random, random.choice(agents)["id"], 0.8), "organization_id": requester["organization_id"],
        "group_id": random.choice(groups)["id"], "collaborator_ids": some(random, ids, 0, 2),
        "follower_ids": some(random, ids[:4], 0, 1), "email_cc_ids": some(random, ids, 0, 1), "forum_topic_id": None, "problem_id": None,
        "has_incidents": kind == "problem", "is_public": True, "due_at": zulu(later(random, created)) if kind == "task" else None,
        "tags": some(random, WORDS, 0, 3),
        "custom_fields": [{"id": 360001, "value": maybe(random, random.choice(WORDS), 0.6)},
            {"id": 360002, "value": maybe(random, "3", 0.5)}],
        "satisfaction_rating": random.choice([None, {"score": "unoffered"}, {"score": "good", "id": int(digits(random, 9)),
            "comment": "Thanks"}]),
        "sharing_agreement_ids": [], "custom_status_id": random.randint(1, 5), "followup_ids": [], "ticket_form_id": 360000417,
        "brand_id": 360000032, "allow_channelback": False, "allow_attachments": True, "from_messaging_channel": False,
    }


# Boards and tables


def trello_board(random):
    board, ids = hexes(random, 24), [hexes(random, 24) for _ in range(6)]
    members = [{"id": id, "fullName": name, "initials": "".join(part[0] for part in name.split()), "username": login.replace(".", ""),
        "avatarHash": hash, "avatarUrl": hash and f"https://avatars.example.org/{hash}", "bio": maybe(random, "Carpenter", 0.3, ""),
        "confirmed": True,
        "memberType": "normal", "status": "disconnected", "url": f"https://trello.test/{login}"}
        for id, (name, login) in zip(ids, people(random, 6)) for hash in [maybe(random, hexes(random, 32))]]
    lists = [{"id": hexes(random, 24), "name": name, "closed": name == "Old", "color": None, "idBoard": board, "pos": at * 65535.5,
        "softLimit": None,
        "subscribed": False, "type": None} for at, name in enumerate(["Ideas", "Next", "Doing", "Done", "Old"], 1)]
    labels = [{"id": hexes(random, 24), "idBoard": board, "name": maybe(random, name, 0.8, ""), "color": color,
        "uses": random.randint(0, 9)}
        for name, color in (("bug", "red"), ("wish", "green"), ("soon", "yellow"), ("later", "blue"), ("paint", None))]
    cards = [trello_card(random, board, number, lists, labels, ids) for number in range(1, 46)]
    checklists = [trello_checklist(random, board, card, ids) for card in random.sample(cards, 16)]
    return {"id": board, "nodeId": "ari:cloud:trello::board/" + board, "name": "Workshop", "desc": "", "descData": None, "closed": False,
        "idOrganization": hexes(random, 24), "shortLink": drawn(random, 8), "url": "https://trello.test/b/workshop",
        "dateLastActivity": fine(random, moment(random)), "dateLastView": None, "idMemberCreator": ids[0], "pinned": False,
        "starred": True,
        "prefs": {"permissionLevel": "private", "voting": "disabled",
            "comments": "members", "background": "blue", "selfJoin": True}, "labelNames": {"green": "wish", "red": "bug", "blue": ""},
        "actions": [trello_action(random, board, random.choice(cards), random.choice(members)) for _ in range(40)], "cards": cards,
        "labels": labels,
        "lists": lists, "members": members, "checklists": checklists, "customFields": [], "memberships": [{"id": hexes(random, 24),
            "idMember": id,
            "memberType": "admin" if id == ids[0] else "normal", "unconfirmed": False, "deactivated": random.random() < 0.1} for id in ids]}


def trello_card(random, board, number, lists, labels, members):
    mine, short, due = some(random, labels, 0, 2), drawn(random, 8), maybe(random, fine(random, moment(random)), 0.4)
    return {
        "id": hexes(random, 24), "address": None, "badges": {"attachments": 0, "votes": 0, "comments": random.randint(0, 5),
            "description": True},
        "closed": random.random() < 0.1, "coordinates": None, "creationMethod": None, "dateLastActivity": fine(random, moment(random)),
        "desc": maybe(random, prose(random), 0.6, ""), "due": due, "dueComplete": bool(due) and random.random() < 0.5,
        "dueReminder": -1 if due else None, "email": None, "idAttachmentCover": None, "idBoard": board, "idChecklists": [],
        "idLabels": [label["id"] for label in mine], "labels": mine, "idList": random.choice(lists)["id"],
        "idMembers": some(random, members, 0, 2), "idMembersVoted": [], "idShort": number, "isTemplate": False,
        "manualCoverAttachment": False, "name": task(random), "pos": number * 16384.25, "shortLink": short,
        "shortUrl": "https://trello.test/c/" + short, "start": maybe(random, fine(random, moment(random)), 0.2),
        "subscribed": random.random() < 0.2, "url": f"https://trello.test/c/{short}/{number}",
        "cover": {"color": None, "size": "normal"},
        "attachments": [{"id": hexes(random, 24), "bytes": maybe(random, random.randint(900, 900000), 0.7),
            "date": fine(random, moment(random)), "edgeColor": None, "idMember": random.choice(members), "isUpload": True,
            "mimeType": maybe(random, "image/png", 0.7, ""), "name": word + ".png",
            "pos": 16384, "previews": [], "url": f"https://trello.test/a/{word}.png", "fileName": word + ".png"}
                for word in some(random, WORDS, 0, 1)],
    }


def trello_checklist(random, board, card, members):
    id = hexes(random, 24)
    card["idChecklists"].append(id)
    return {"id": id, "idBoard": board, "idCard": card["id"], "name": "To do", "pos": 16384, "creationMethod": None,
        "checkItems": [{"id": hexes(random, 24), "idChecklist": id, "name": task(random), "nameData": None, "pos": at * 16800.75,
            "state": random.choice(["complete", "incomplete"]), "due": maybe(random, fine(random, moment(random)), 0.2),
            "dueReminder": None,
            "idMember": maybe(random, random.choice(members), 0.4)} for at in range(1, random.randint(2, 5))]}


def trello_action(random, board, card, member):
    kind = random.choice(["commentCard", "createCard", "updateCard"])
    data = {"idCard": card["id"], "text": task(random), "textData": {"emoji": {}}, "card": {key: card[key]
        for key in ("id", "name", "idShort", "shortLink")},
        "board": {"id": board, "name": "Workshop"}}
    return {"id": hexes(random, 24), "idMemberCreator": member["id"], "type": kind, "date": fine(random, moment(random)),
        "appCreator": None, "data": data if kind == "commentCard" else {key: data[key] for key in ("card", "board")}, "limits": {},
        "memberCreator": {key: member[key] for key in ("id", "avatarHash", "fullName", "initials", "username")}}


def asana_tasks(random):
    def made(kind, names, **more):
        return [{"gid": digits(random, 16), "resource_type": kind, "name": name, **more} for name in names]
    users, workspace, tags = made("user", [name for name, _ in people(random)]), made("workspace", ["Workshop"])[0], made("tag", WORDS[:6])
    projects = [(project, made("section", ["To do", "Doing", "Done"])) for project in made("project", ["Shed", "Loft", "Cellar"])]
    options = [{**option, "color": color, "enabled": True} for option, color in zip(made("enum_option", ["High", "Low"]), ["red", "blue"])]
    fields = (made("custom_field", ["Priority"], resource_subtype="enum", type="enum", enabled=True, enum_options=options)
        + made("custom_field", ["Cost"], resource_subtype="number", type="number", enabled=True, precision=2)
        + made("custom_field", ["Room"], resource_subtype="text", type="text", enabled=True))
    tasks = []
    for _ in range(45):
        parent = maybe(random, random.choice(tasks), 0.2) if tasks else None
        tasks.append(asana_task(random, workspace, users, tags, some(random, projects, 1, 2), fields, parent))
    return {"data": tasks, "next_page": {"offset": drawn(random, 40), "path": "/tasks?limit=45",
        "uri": "https://app.asana.test/api/1.0/tasks?limit=45"}}


def asana_task(random, workspace, users, tags, projects, fields, parent):
    gid, created, done, hearts = digits(random, 16), moment(random), random.random() < 0.4, random.choice([0, 0, 1])
    end = fine(random, later(random, created))
    return {
        "gid": gid, "resource_type": "task", "actual_time_minutes": None, "assignee": maybe(random, random.choice(users)),
        "assignee_status": "inbox", "completed": done, "completed_at": end if done else None,
        "completed_by": random.choice(users) if done else None, "created_at": fine(random, created),
        "custom_fields": [asana_field(random, field) for field in fields], "due_at": None,
        "due_on": maybe(random, day(later(random, created)), 0.6), "followers": some(random, users, 0, 3), "hearted": False,
        "hearts": [], "liked": False, "likes": [], "memberships": [{"project": project, "section": random.choice(sections)} for project,
            sections in projects],
        "modified_at": end, "name": task(random), "notes": maybe(random, prose(random), 0.5, ""), "num_hearts": hearts,
        "num_likes": hearts, "num_subtasks": random.choice([0, 0, 0, 2]),
        "parent": parent and {**{key: parent[key] for key in ("gid", "resource_type", "name")}, "resource_subtype": "default_task"},
        "permalink_url": f"https://app.asana.test/0/{projects[0][0]['gid']}/{gid}", "projects": [project for project, _ in projects],
        "resource_subtype": random.choice(["default_task", "default_task", "milestone"]), "start_on": maybe(random, day(created), 0.2),
        "tags": some(random, tags, 0, 2), "workspace": workspace,
    }


def asana_field(random, field):
    kind, value = field["type"], None
    if random.random() < 0.7:
        value = {"enum": random.choice(field.get("enum_options", [None])), "number": random.randint(1, 900) / 4,
            "text": random.choice(WORDS)}[kind]
    shown = value["name"] if kind == "enum" and value else value
    return {**field, kind + "_value": value, "display_value": None if shown is None else str(shown)}


def notion_database(random):
    users = [{"object": "user", "id": uid(random), "name": name, "avatar_url": maybe(random, f"https://avatars.example.org/{login}.png",
        0.6),
        "type": "person", "person": {"email": f"{login}@example.org"}} for name, login in people(random, 6)]
    options = {kind: [{"id": uid(random), "name": name, "color": color} for name, color in zip(names,
        ["red", "yellow", "green", "blue", "default"])]
        for kind, names in (("status", ["Not started", "In progress", "Done"]), ("select", ["High", "Medium", "Low"]),
            ("multi", WORDS[:5]))}
    ids, database = [uid(random) for _ in range(40)], uid(random)
    results = [notion_page(random, id, database, users, options, ids) for id in ids]
    return {"object": "list", "results": results, "next_cursor": maybe(random, uid(random), 0.5), "has_more": False,
        "type": "page_or_database",
        "page_or_database": {}, "request_id": uid(random)}


def notion_text(text):
    return [{"type": "text", "text": {"content": text, "link": None}, "annotations": {"bold": False, "italic": False,
        "strikethrough": False,
        "underline": False, "code": False, "color": "default"}, "plain_text": text, "href": None}] if text else []


def notion_page(random, id, database, users, options, ids):
    created, name = moment(random), task(random)
    who = [{"object": "user", "id": random.choice(users)["id"]} for _ in range(2)]
    return {"object": "page", "id": id, "created_time": zulu(created, ".000Z"), "last_edited_time": zulu(later(random, created), ".000Z"),
        "created_by": who[0], "last_edited_by": who[1], "cover": None, "icon": maybe(random, {"type": "emoji", "emoji": "🔨"}, 0.3),
        "parent": {"type": "database_id", "database_id": database}, "archived": False, "in_trash": False,
        "properties": notion_properties(random, name, created, users, options, ids),
        "url": f"https://www.notion.test/{name.replace(' ', '-')}-{id.replace('-', '')}", "public_url": maybe(random,
            f"https://n.test/{id[:8]}", 0.1)}


def notion_properties(random, name, created, users, options, ids):
    estimate, due = random.choice([None, 1, 2, 3.5, 8]), {"start": day(later(random, created)),
        "end": maybe(random, day(later(random, created, 40)), 0.2),
        "time_zone": None}
    return {
        "Name": {"id": "title", "type": "title", "title": notion_text(name)},
        "Status": {"id": "%3BzX%5B", "type": "status", "status": random.choice(options["status"])},
        "Priority": {"id": "kP%3Ae", "type": "select", "select": maybe(random, random.choice(options["select"]), 0.8)},
        "Tags": {"id": "flsb", "type": "multi_select", "multi_select": some(random, options["multi"], 0, 3)},
        "Due date": {"id": "M%3BBw", "type": "date", "date": maybe(random, due, 0.7)},
        "Assignee": {"id": "notion%3A%2F%2Ft", "type": "people", "people": some(random, users, 0, 2)},
        "Estimate": {"id": "Q%5Dp", "type": "number", "number": estimate}, "Done": {"id": "Z%5Ca", "type": "checkbox",
            "checkbox": random.random() < 0.4},
        "Link": {"id": "n%3Cq", "type": "url", "url": maybe(random, "https://example.org/" + random.choice(WORDS), 0.4)},
        "Notes": {"id": "vR%40x", "type": "rich_text", "rich_text": notion_text(maybe(random, prose(random), 0.6))},
        "Blocked by": {"id": "oZWP", "type": "relation", "relation": [{"id": id} for id in some(random, ids, 0, 2)], "has_more": False},
        "Cost": {"id": "s%3Eu", "type": "formula", "formula": {"type": "number", "number": (estimate or 0) * 40}},
    }


def airtable_records(random):
    people_ = [{"id": "usr" + drawn(random, 14), "email": f"{login}@example.org", "name": name} for name, login in people(random, 5)]
    ids, projects = ["rec" + drawn(random, 14) for _ in range(45)], ["rec" + drawn(random, 14) for _ in range(4)]
    records = [{"id": id, "createdTime": zulu(moment(random), ".000Z"), "fields": airtable_fields(random, number, id, people_, ids,
        projects)}
        for number, id in enumerate(ids, 1)]
    return {"records": records, "offset": f"itr{drawn(random, 14)}/{ids[-1]}"}


def airtable_fields(random, number, id, users, ids, projects):
    others = [other for other in ids if other != id]
    return kept(random, {
        "Name": task(random), "Number": number, "Status": random.choice(["Todo", "In progress", "Done"]), "Due Date": day(moment(random)),
        "Budget": random.randint(100, 90000) / 100, "Share": round(random.random(), 3), "Done": True, "Tags": some(random, WORDS, 1, 3),
        "Notes": prose(random), "Owner": random.choice(users),
        "Attachments": [airtable_attachment(random) for _ in range(random.randint(1, 2))], "Project": [random.choice(projects)],
        "Parent": [random.choice(others)], "Depends on": some(random, others, 1, 3), "Last Modified": zulu(moment(random), ".000Z"),
        "Link": f"https://example.org/{random.choice(WORDS)}", "Days left": random.randint(-9, 60),
    }, **{"Due Date": 0.7, "Budget": 0.7, "Share": 0.5, "Done": 0.4, "Tags": 0.6, "Notes": 0.6, "Owner": 0.8, "Attachments": 0.3,
    "Parent": 0.3,
    "Depends on": 0.4, "Link": 0.3, "Project": 0.9})


def airtable_attachment(random):
    id, name, size = "att" + drawn(random, 14), random.choice(WORDS) + ".jpg", (random.randint(600, 4000), random.randint(400, 3000))
    url = "https://dl.airtable.test/.attachments/" + hexes(random, 16)
    return {"id": id, "width": size[0], "height": size[1], "url": f"{url}/{name}", "filename": name, "size": random.randint(20000, 4000000),
        "type": "image/jpeg", "thumbnails": {"small": {"url": url + "/small", "width": 54, "height": 36},
            "large": {"url": url + "/large", "width": 512, "height": 340}}}


# Content


def contentful_sys(random, kind, content=None):
    def link(type, id):
        return {"sys": {"type": "Link", "linkType": type, "id": id}}
    created = moment(random)
    more = {"contentType": link("ContentType", content)} if content else {}
    return {"metadata": {"tags": [link("Tag", tag) for tag in some(random, ["spring", "archive", "press"], 0, 2)], "concepts": []},
        "sys": {"space": link("Space", "cfexampleapi"), "id": drawn(random, 22), "type": kind, "createdAt": fine(random, created),
            "updatedAt": fine(random, later(random, created)), "environment": link("Environment", "master"),
            "publishedVersion": random.randint(3, 40), "revision": random.randint(1, 9), **more, "locale": "en-US"}}


def contentful_link(record, type="Entry"):
    return {"sys": {"type": "Link", "linkType": type, "id": record["sys"]["id"]}}


def contentful_entries(random):
    assets = [contentful_asset(random) for _ in range(12)]
    authors = [{**contentful_sys(random, "Entry", "author"), "fields": kept(random, {"name": name, "slug": login.replace(".", "-"),
        "bio": prose(random),
        "twitter": "@" + login.split(".")[0], "portrait": contentful_link(random.choice(assets), "Asset")}, bio=0.7, twitter=0.5,
            portrait=0.8)}
        for name, login in people(random, 6)]
    categories = [{**contentful_sys(random, "Entry", "category"), "fields": {"title": word.capitalize(), "slug": word,
        "color": "#" + hexes(random, 6)}}
        for word in WORDS[:5]]
    items = []
    for _ in range(40):
        items.append(contentful_post(random, authors, categories, assets, items))
    return {"sys": {"type": "Array"}, "total": 40, "skip": 0, "limit": 100, "items": items,
        "includes": {"Entry": authors + categories, "Asset": assets}}


def contentful_post(random, authors, categories, assets, others):
    title = task(random)
    fields = {"title": title, "slug": title.lower().replace(" ", "-"), "excerpt": task(random), "body": prose(random),
        "publishDate": day(moment(random)),
        "featured": random.random() < 0.2, "readingTime": random.randint(1, 15), "heroImage": contentful_link(random.choice(assets),
            "Asset"),
        "author": contentful_link(random.choice(authors)), "categories": [contentful_link(one) for one in some(random, categories, 1, 3)],
        "related": [contentful_link(one) for one in some(random, others, 0, 2)], "keywords": some(random, WORDS, 1, 4)}
    return {**contentful_sys(random, "Entry", "blogPost"), "fields": kept(random, fields, excerpt=0.7, heroImage=0.8, categories=0.9,
        related=0.5,
        keywords=0.6, readingTime=0.8)}


def contentful_asset(random):
    name = random.choice(WORDS)
    return {**contentful_sys(random, "Asset"), "fields": kept(random, {"title": name.capitalize(), "description": task(random),
        "file": {"url": f"//images.ctfassets.test/{hexes(random, 12)}/{name}.jpg", "details": {"size": random.randint(9000, 900000),
            "image": {"width": random.randint(600, 3000), "height": random.randint(400, 2000)}}, "fileName": name + ".jpg",
                "contentType": "image/jpeg"}},
        description=0.5)}


def wordpress_posts(random):
    site = "https://blog.example.org/"
    authors = [{"id": id, "name": name, "url": maybe(random, f"https://{login}.example.org", 0.3, ""),
        "description": maybe(random, task(random), 0.5, ""), "link": f"{site}author/{login}/", "slug": login.replace(".", "-"),
        "avatar_urls": {size: f"https://avatars.example.org/{id}?s={size}"
            for size in ("24", "48", "96")}, "_links": {"self": [{"href": f"{site}wp-json/wp/v2/users/{id}"}]}}
        for id, (name, login) in enumerate(people(random, 5), 2)]
    terms = [{"id": 10 + at, "link": f"{site}{'category' if at < 5 else 'tag'}/{word}/", "name": word.capitalize(), "slug": word,
        "taxonomy": "category" if at < 5 else "post_tag", "_links": {"self": [{"href": f"{site}wp-json/wp/v2/terms/{10 + at}"}]}} for at,
            word in enumerate(WORDS)]
    media = [{"id": 500 + at, "date": zulu(moment(random), ""), "slug": word, "type": "attachment", "link": f"{site}{word}/",
        "title": {"rendered": word},
        "author": random.choice(authors)["id"], "featured_media": 0, "caption": {"rendered": maybe(random, f"<p>{task(random)}</p>", 0.4,
            "")},
        "alt_text": maybe(random, task(random), 0.5, ""), "media_type": "image", "mime_type": "image/jpeg",
        "media_details": {"width": 1200, "height":
            random.choice([800, 900]), "file": f"2025/09/{word}.jpg", "filesize": random.randint(20000, 900000), "sizes": {}},
        "source_url": f"{site}wp-content/uploads/2025/09/{word}.jpg"} for at, word in enumerate(WORDS[:10])]
    return [wordpress_post(random, 1200 - number * 7, site, random.choice(authors), terms, maybe(random, random.choice(media), 0.7))
        for number in range(40)]


def wordpress_post(random, id, site, author, terms, media):
    time, title = moment(random), task(random)
    change, slug = later(random, time), title.lower().replace(" ", "-")
    categories, tags = some(random, terms[:5], 1, 2), some(random, terms[5:], 0, 4)
    embedded = {"author": [author], **({"wp:featuredmedia": [media]} if media else {}), "wp:term": [categories, tags]}
    return {
        "id": id, "date": zulu(time + timedelta(hours=2), ""), "date_gmt": zulu(time, ""), "guid": {"rendered": f"{site}?p={id}"},
        "modified": zulu(change + timedelta(hours=2), ""), "modified_gmt": zulu(change, ""), "slug": slug, "status": "publish",
        "type": "post", "link": f"{site}2025/{slug}/", "title": {"rendered": title},
        "content": {"rendered": f"<p>{prose(random)}</p>", "protected": False},
        "excerpt": {"rendered": maybe(random, f"<p>{task(random)}</p>", 0.8, ""), "protected": False}, "author": author["id"],
        "featured_media": media["id"] if media else 0, "comment_status": random.choice(["open", "closed"]), "ping_status": "open",
        "sticky": random.random() < 0.05, "template": "", "format": random.choice(["standard", "standard", "gallery"]),
        "meta": {"footnotes": ""}, "categories": [one["id"] for one in categories], "tags": [one["id"] for one in tags],
        "class_list": [f"post-{id}", "type-post"],
        "_links": {"self": [{"href": f"{site}wp-json/wp/v2/posts/{id}"}], "author": [{"embeddable": True,
            "href": f"{site}wp-json/wp/v2/users/{author['id']}"}]},
        "_embedded": embedded,
    }


def mastodon_statuses(random):
    site, accounts, statuses = "https://social.example.org/", [], []
    for name, login in people(random, 10):
        accounts.append(mastodon_account(random, site, name, login.replace(".", "_")))
    for number in range(48):
        status = mastodon_status(random, site, str(113000000000000000 + number * 1310720000), random.choice(accounts), accounts, number)
        if statuses and random.random() < 0.3:
            first = random.choice(statuses)
            status.update(in_reply_to_id=first["id"], in_reply_to_account_id=first["account"]["id"])
        elif number % 5 == 4:
            boosted = mastodon_status(random, site, str(112000000000000000 + number * 1310720000), random.choice(accounts), accounts,
                number - 40)
            status.update(reblog=boosted, content="", media_attachments=[], tags=[], mentions=[], poll=None, card=None)
        statuses.append(status)
    return statuses[::-1]


def mastodon_account(random, site, name, login):
    return {"id": digits(random, 18), "username": login, "acct": maybe(random, login, 0.5, login + "@other.example.org"),
        "display_name": maybe(random, name, 0.8, ""), "locked": random.random() < 0.2, "bot": random.random() < 0.1,
        "discoverable": maybe(random, True, 0.8), "indexable": True, "group": False, "created_at": zulu(moment(random), ".000Z"),
        "note": maybe(random, f"<p>{task(random)}</p>", 0.8, ""), "url": f"{site}@{login}", "uri": f"{site}users/{login}",
        "avatar": f"{site}avatars/{login}.png", "avatar_static": f"{site}avatars/{login}.png", "header": f"{site}headers/missing.png",
        "header_static": f"{site}headers/missing.png", "followers_count": random.randint(0, 9000),
        "following_count": random.randint(0, 900), "statuses_count": random.randint(1, 20000), "last_status_at": day(moment(random)),
        "hide_collections": maybe(random, False, 0.5), "emojis": [], "fields": [{"name": key, "value": f"https://{login}.example.org",
            "verified_at": maybe(random, zulu(moment(random), ".000+00:00"), 0.4)} for key in some(random, ["Web", "Pronouns", "City"], 0,
            2)]}


def mastodon_status(random, site, id, account, accounts, number):
    time, url = START + timedelta(hours=number), f"{account['url']}/{id}"
    return {
        "id": id, "created_at": fine(random, time), "in_reply_to_id": None, "in_reply_to_account_id": None,
        "sensitive": random.random() < 0.1, "spoiler_text": maybe(random, "Tools", 0.1, ""),
        "visibility": random.choice(["public", "public", "unlisted"]), "language": random.choice(["en", "de", None]),
        "uri": f"{account['uri']}/statuses/{id}", "url": url, "replies_count": random.randint(0, 5),
        "reblogs_count": random.randint(0, 40), "favourites_count": random.randint(0, 90),
        "edited_at": maybe(random, fine(random, later(random, time)), 0.15), "content": f"<p>{prose(random)}</p>", "reblog": None,
        "application": {"name": "Web", "website": None}, "account": account,
        "media_attachments": [mastodon_media(random, site) for _ in range(random.choice([0, 0, 0, 1, 2]))],
        "mentions": [{key: one[key] for key in ("id", "username", "url", "acct")} for one in some(random, accounts, 0, 2)
            if random.random() < 0.4],
        "tags": [{"name": word, "url": f"{site}tags/{word}"} for word in some(random, WORDS, 0, 3)], "emojis": [],
        "card": maybe(random, {"url": "https://example.org/" + hexes(random, 6), "title": task(random), "description": "",
            "language": "en", "type": "link", "author_name": "", "author_url": "", "provider_name": "Example", "provider_url": "",
            "html": "", "width": 400, "height": 210,
            "image": None, "image_description": "", "embed_url": "", "blurhash": None, "published_at": None}, 0.2),
        "poll": maybe(random, {"id": digits(random, 6), "expires_at": fine(random, later(random, time)), "expired": False,
            "multiple": False, "votes_count": 7,
            "voters_count": maybe(random, 7), "options": [{"title": word, "votes_count": random.randint(0, 5)}
                for word in some(random, WORDS, 2, 4)],
            "emojis": []}, 0.15),
    }


def mastodon_media(random, site):
    id, name = digits(random, 18), hexes(random, 16)
    return {"id": id, "type": random.choice(["image", "image", "video"]), "url": f"{site}media/{name}.png",
        "preview_url": f"{site}media/small/{name}.png", "remote_url": maybe(random, f"https://other.example.org/{name}.png", 0.4),
        "preview_remote_url": None, "text_url": None,
        "meta": {"original": {"width": 1200, "height": random.choice([800, 900]), "size": "1200x800", "aspect": 1.5},
            "small": {"width": 600, "height": 400, "size": "600x400", "aspect": 1.5}}, "description": maybe(random, task(random), 0.6),
        "blurhash": "U" + drawn(random, 20)}


def reddit_listing(random):
    subreddits = [("t5_" + drawn(random, 5, string.ascii_lowercase), name, random.randint(900, 900000))
        for name in ("woodworking_", "shedlife", "oldtools")]
    authors = [("t2_" + drawn(random, 7, string.ascii_lowercase), login.replace(".", "_")) for _, login in people(random, 15)]
    posts = []
    for _ in range(50):
        posts.append(reddit_post(random, random.choice(subreddits), random.choice(authors), posts))
    return {"kind": "Listing", "data": {"after": posts[-1]["name"], "dist": 50, "modhash": "", "geo_filter": "",
        "children": [{"kind": "t3", "data": post} for post in posts], "before": None}}


def reddit_post(random, subreddit, author, others):
    id, time, title = "1" + drawn(random, 6, string.ascii_lowercase), epoch(moment(random)), task(random)
    own, ups = random.random() < 0.5, random.randint(0, 4000)
    gone, link = random.random() < 0.08, f"/r/{subreddit[1]}/comments/{id}/{title.lower().replace(' ', '_')}/"
    return kept(random, {
        "approved_at_utc": None, "subreddit": subreddit[1], "selftext": prose(random) if own else "", "author_fullname": author[0],
        "saved": False, "mod_reason_title": None, "gilded": 0, "clicked": False, "title": title, "link_flair_richtext": [],
        "subreddit_name_prefixed": "r/" + subreddit[1], "hidden": False, "pwls": 6, "link_flair_css_class": maybe(random, "tips", 0.3),
        "downs": 0, "hide_score": False, "name": "t3_" + id, "quarantine": False, "link_flair_text_color": "dark",
        "upvote_ratio": round(random.uniform(0.5, 1), 2), "subreddit_type": "public", "ups": ups, "total_awards_received": 0,
        "media_embed": {}, "is_original_content": False, "user_reports": [], "secure_media": None, "is_meta": False, "category": None,
        "link_flair_text": maybe(random, random.choice(["Tips", "Help"]), 0.4), "score": ups, "approved_by": None,
        "thumbnail": random.choice(["self", "default", ""]), "edited": float(time + 900) if random.random() < 0.2 else False,
        "author_flair_text": None, "content_categories": None, "is_self": own, "created": float(time),
        "domain": "self." + subreddit[1] if own else "example.org", "archived": False, "no_follow": ups < 5, "is_crosspostable": True,
        "pinned": False, "over_18": False, "all_awardings": [], "media_only": False, "spoiler": random.random() < 0.05,
        "locked": random.random() < 0.1, "subreddit_id": subreddit[0], "mod_reports": [], "id": id,
        "author": "[deleted]" if gone else author[1], "num_comments": random.randint(0, 300), "send_replies": True, "permalink": link,
        "stickied": random.random() < 0.04,
        "url": ("https://www.reddit.test" + link) if own else f"https://example.org/{hexes(random, 8)}",
        "url_overridden_by_dest": f"https://example.org/{hexes(random, 8)}", "subreddit_subscribers": subreddit[2],
        "created_utc": float(time), "num_crossposts": random.choice([0, 0, 1]), "media": None, "is_video": False, "post_hint": "link",
        "crosspost_parent": random.choice(others)["name"] if others else None,
    }, author_fullname=0 if gone else 1, crosspost_parent=0.12 if others else 0, post_hint=0.4, url_overridden_by_dest=0 if own else 1)


def stackexchange_questions(random):
    users = [kept(random, {"account_id": random.randint(10**5, 10**7), "reputation": random.choice([1, 11, 250, 4120, 88013]),
        "user_id": number * 31, "user_type": random.choice(["registered", "registered", "unregistered"]),
        "accept_rate": random.randint(30, 100), "profile_image": f"https://avatars.example.org/{number}", "display_name": name,
        "link": f"https://tools.stackexchange.test/users/{number * 31}/{login}"},
        accept_rate=0.4) for number, (name, login) in enumerate(people(random, 16), 40)]
    items = [stackexchange_question(random, 7000 + number * 13, users) for number in range(40)]
    return {"items": items, "has_more": True, "quota_max": 300, "quota_remaining": 287}


def stackexchange_question(random, id, users):
    time, title = epoch(moment(random)), task(random) + "?"
    answers = [stackexchange_answer(random, id * 10 + at, id, users, time) for at in range(random.choice([0, 0, 1, 2, 3]))]
    accepted = answers[0]["answer_id"] if answers and random.random() < 0.5 else None
    if accepted:
        answers[0]["is_accepted"] = True
    owner = maybe(random, random.choice(users), 0.93, {"user_type": "does_not_exist", "display_name": "user2914"})
    return kept(random, {"tags": some(random, WORDS, 1, 4), "answers": answers, "owner": owner, "is_answered": bool(answers),
        "view_count": random.randint(9, 9000), "accepted_answer_id": accepted, "bounty_amount": 50, "bounty_closes_date": time + 700000,
        "answer_count": len(answers), "score": random.randint(-3, 40), "last_activity_date": time + 86000, "creation_date": time,
        "last_edit_date": time + 5000, "closed_date": time + 9000, "question_id": id, "content_license": "CC BY-SA 4.0",
        "link": f"https://tools.stackexchange.test/questions/{id}/{title[:-1].lower().replace(' ', '-')}",
        "closed_reason": "Duplicate", "title": title, "body": f"<p>{prose(random)}</p>"}, answers=1 if answers else 0,
            accepted_answer_id=1 if accepted else 0,
        bounty_amount=0.1, bounty_closes_date=0.1, last_edit_date=0.4, closed_date=0.1, closed_reason=0.1, content_license=0.95)


def stackexchange_answer(random, id, question, users, time):
    made = time + random.randint(600, 80000)
    return kept(random, {"owner": random.choice(users), "is_accepted": False, "score": random.randint(-2, 60),
        "last_activity_date": made + 60, "last_edit_date": made + 50, "creation_date": made, "answer_id": id, "question_id": question,
        "content_license": "CC BY-SA 4.0",
        "body": f"<p>{prose(random)}</p>"}, last_edit_date=0.3)


def hackernews_items(random):
    logins, items, time = [login.split(".")[0] + digits(random, 2) for _, login in people(random, 14)], {}, epoch(START)
    for number in range(60):
        id, time = 41000000 + number * 7 + random.randrange(7), time + random.randint(30, 4000)
        kind = random.choice(["story", "story", "job"] if number < 6 else ["story", "job", "comment", "comment", "comment", "comment",
            "comment"])
        item = {"by": random.choice(logins), "descendants": 0, "id": id, "score": random.randint(1, 400), "time": time,
            "title": task(random), "type": kind}
        item.update(maybe(random, {"url": f"https://example.org/{hexes(random, 6)}"}, 0.8, {"text": prose(random)}))
        if kind == "job":
            del item["descendants"]
        if kind == "comment":
            parent = random.choice([one for one in items.values() if one["type"] != "job"] or [{"id": id - 1}])
            item = {"by": item["by"], "id": id, "parent": parent["id"], "text": prose(random).replace("the", "the &#x27;"), "time": time,
                "type": kind}
            parent.setdefault("kids", []).append(id)
            root = parent
            while "parent" in root:
                root = items[root["parent"]]
            root["descendants"] = root.get("descendants", 0) + 1
            if random.random() < 0.12:
                item = {"deleted": True, "id": id, "parent": parent["id"], "time": time, "type": kind}
        items[id] = {**item, "dead": True} if random.random() < 0.05 else item
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items.values())


SHAPES = {
    "stripe-charges.json": stripe_charges, "stripe-invoices.json": stripe_invoices, "slack-messages.json": slack_messages,
    "discord-messages.json": discord_messages, "jira-issues.json": jira_issues, "gitlab-merge-requests.json": gitlab_merge_requests,
    "gitlab-pipelines.json": gitlab_pipelines, "bitbucket-pullrequests.json": bitbucket_pullrequests, "trello-board.json": trello_board,
    "asana-tasks.json": asana_tasks, "notion-database.json": notion_database, "airtable-records.json": airtable_records,
    "contentful-entries.json": contentful_entries, "wordpress-posts.json": wordpress_posts, "mastodon-statuses.json": mastodon_statuses,
    "reddit-listing.json": reddit_listing, "stackexchange-questions.json": stackexchange_questions,
    "hackernews-items.ndjson": hackernews_items, "zendesk-tickets.json": zendesk_tickets,
}
