// Addresses of the LANES rows of a panel, kept in few registers: one pointer for every four rows, and one and three
// strides. Included by lanes512.h and lanes256.h.

typedef struct {
    const uint8_t *base[LANES / 4];
    size_t stride, stride3;
} row_set;

/// Makes the compiler forget how a value came about: otherwise it keeps, advances and spills a pointer for every row.
#define FORGET(x) __asm__("" : "+r"(x))

INLINE row_set rows_at(const uint8_t *data, size_t stride) {
    row_set rows = {.stride = stride, .stride3 = 3 * stride};
    FORGET(rows.stride3);
    UNROLL for (int i = 0; i < LANES / 4; i++) {
        rows.base[i] = data + (size_t)(4 * i) * stride;
        FORGET(rows.base[i]);
    }
    return rows;
}

INLINE void rows_advance(row_set *rows, size_t bytes) {
    UNROLL for (int i = 0; i < LANES / 4; i++) {
        rows->base[i] += bytes;
        FORGET(rows->base[i]);
    }
}

/// The numbers at two places of a table. Loads take less time than gathering instructions do.
INLINE __m128i two_places(const uint64_t *table, uint32_t first, uint32_t second) {
    const __m128i low = _mm_loadl_epi64((const __m128i *)(table + first));
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(table + second)));
}

/// Byte `at` of row r.
OPERATION const uint8_t *row_byte(const row_set *rows, int r, size_t at) {
    const uint8_t *base = rows->base[r / 4] + at;
    switch (r % 4) {
    case 0: return base;
    case 1: return base + rows->stride;
    case 2: return base + 2 * rows->stride;
    default: return base + rows->stride3;
    }
}
