// The columns of wide.jsonc: sixty, half of them texts. generate-wide writes them in this order, wide loads them.
#pragma once

#define WIDE_COLUMNS(X)                                                                                              \
    X(sku, Text) X(ean, Text) X(name, Text) X(brand, Text) X(manufacturer, Text) X(category, Text)                   \
    X(stock, Integer) X(reserved, Integer) X(price, Decimal) X(cost, Decimal) X(available, Boolean)                  \
    X(subcategory, Text) X(description, Text) X(short_description, Text) X(color, Text) X(material, Text)            \
    X(weight_grams, Integer) X(width_mm, Integer) X(height_mm, Integer) X(depth_mm, Integer) X(volume, Real)         \
    X(size_label, Text) X(country_of_origin, Text) X(supplier, Text) X(supplier_sku, Text) X(warehouse, Text)        \
    X(latitude, Real) X(longitude, Real) X(rating, Real) X(margin, Real) X(discount, Real) X(popularity, Real)       \
    X(shelf, Text) X(currency, Text) X(tax_class, Text) X(url, Text) X(image_url, Text) X(keywords, Text)            \
    X(released, Date) X(discontinued, Date) X(last_counted, Date) X(featured, Boolean) X(fragile, Boolean)           \
    X(minimum_order, Integer) X(pack_size, Integer) X(views, Integer) X(revision, Integer) X(returnable, Boolean)    \
    X(condition, Text) X(season, Text) X(target_group, Text) X(care_instructions, Text) X(warranty, Text)            \
    X(language, Text) X(status, Text) X(note, Text) X(temperature_max, Real) X(created_at, Datetime)                 \
    X(updated_at, Datetime) X(checked_at, Datetime)

enum wideType { wideText, wideInteger, wideReal, wideDecimal, wideBoolean, wideDate, wideDatetime };

#define WIDE_ENUMERATOR(name, type) column_##name,
enum wideColumn { WIDE_COLUMNS(WIDE_ENUMERATOR) wideColumnCount };
#undef WIDE_ENUMERATOR

static const struct {
    const char *name;
    enum wideType type;
} wideColumns[wideColumnCount] = {
#define WIDE_ENTRY(name, type) {#name, wide##type},
    WIDE_COLUMNS(WIDE_ENTRY)
#undef WIDE_ENTRY
};
