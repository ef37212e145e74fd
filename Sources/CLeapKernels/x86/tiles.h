// Two panels of rows times many tokens: the panels are unpacked into scratch once, then multiplied tile by tile. Part of
// quantized.h.
//
// An unpacked panel pair, by block (every vector stands twice, for the first and the second panel):
//   blocks of 32:  8 groups of four elements | scale | minimum, where the type has one
//   blocks of 256: for each two sub-blocks their groups and the pair of scales | pairs of minimums, where the type has them
//                  | d | dmin, likewise
// Float sums of up to TOKENS_MAX tokens follow the panels: chunks of columns continue where the last one stopped.

INLINE void unpack_panels32(int32_t type, const panel *p, int64_t col, int64_t cols, uint8_t *out) {
    const size_t bytes = block_bytes(type);
    const int parts = parts32(type);
    for (int side = 0; side < 2; side++) {
        row_set rows = rows_at(p[side].data + (size_t)(col / (32 * parts)) * bytes, p->row_bytes);
        uint8_t *to = out + (size_t)side * sizeof(vi);
        for (int64_t b = 0; b < cols / (32 * parts); b++, rows_advance(&rows, bytes)) {
            UNROLL for (int part = 0; part < parts; part++, to += unpacked_bytes(type)) {
                block32 w;
                unpack32(type, &rows, part, &w);
                UNROLL for (int g = 0; g < 8; g++) v_store(to + (size_t)g * PAIR, w.w[g]);
                vf_store(to + 8 * PAIR, w.d);
                if (has_min(type)) vf_store(to + 9 * PAIR, w.m);
            }
        }
    }
}

INLINE void unpack_panels256(int32_t type, const panel *p, int64_t col, int64_t cols, uint8_t *out) {
    const size_t bytes = block_bytes(type);
    const int groups = 2 * sub_block(type) / 4, pairs = 128 / sub_block(type);  // of two sub-blocks
    const size_t step = (size_t)(groups + 1) * PAIR;
    for (int side = 0; side < 2; side++) {
        row_set rows = rows_at(p[side].data + (size_t)(col / 256) * bytes, p->row_bytes);
        uint8_t *to = out + (size_t)side * sizeof(vi);
        for (int64_t b = 0; b < cols / 256; b++, rows_advance(&rows, bytes), to += unpacked_bytes(type)) {
            block256 state;
            begin256(type, &rows, &state);
            UNROLL for (int q = 0; q < 4; q++) {
                vi w[16];
                unpack_quarter(type, &rows, q, &state, w);
                UNROLL for (int i = 0; i < 16; i++) {
                    // Groups of four are numbered through the block.
                    const int group = 8 * (i < 8 ? first_of_quarter(type, q) : second_of_quarter(type, q)) + i % 8;
                    v_store(to + (size_t)(group / groups) * step + (size_t)(group % groups) * PAIR, w[i]);
                }
            }
            UNROLL for (int i = 0; i < pairs; i++) {
                v_store(to + (size_t)i * step + (size_t)groups * PAIR, state.scale[i]);
            }
            uint8_t *tail = to + (size_t)pairs * step;
            if (has_min(type)) {
                UNROLL for (int i = 0; i < pairs; i++, tail += PAIR) v_store(tail, state.min[i]);
                vf_store(tail + PAIR, state.dmin);
            }
            vf_store(tail, state.d);
        }
    }
}

/// What a tile kernel works on.
typedef struct {
    const uint8_t *panels;
    const char *const *record;  ///< of the tile's tokens
    float *sums;                ///< [token][2][LANES]
    int64_t first_block, blocks;
    bool begins;                ///< sums start from zero
    ptrdiff_t d_at, offset_at, sum_at, most_at;  ///< sections of a record
} tile_args;

/// What the sums of a sub-block start from, for all tokens. at: of the offset within a record.
INLINE void tile_start(int32_t type, vi sum[][2], const int8_t *const *a, int64_t at, int tokens) {
    UNROLL for (int t = 0; t < tokens; t++) sum[t][0] = sum[t][1] = start_sum(type, a[t] + at);
    TILE_FENCE();
}

/// Blocks of 32.
INLINE void tile32(int32_t type, const tile_args *args, int tokens) {
    const ptrdiff_t d_at = args->d_at, offset_at = args->offset_at, sum_at = args->sum_at;
    const int8_t *a[TILE_TOKENS];
    vf acc[TILE_TOKENS][2];
    UNROLL for (int t = 0; t < tokens; t++) {
        a[t] = (const int8_t *)args->record[t];
        UNROLL for (int side = 0; side < 2; side++) {
            acc[t][side] = args->begins ? vf_zero() : vf_load(args->sums + (2 * t + side) * LANES);
        }
    }
    const uint8_t *panels = args->panels;
    const int64_t end = args->first_block + args->blocks;
    for (int64_t b = args->first_block; b < end; b++, panels += unpacked_bytes(type)) {
        vi total[TILE_TOKENS][2];
        tile_start(type, total, a, offset_at + b * 4, tokens);
        tile_dot(total, panels, a, b * 32, 8, tokens, group_span(type), is_full(type));
        TILE_FENCE();
        const vf d0 = vf_load(panels + 8 * PAIR), d1 = vf_load(panels + 8 * PAIR + sizeof(vi));
        UNROLL for (int t = 0; t < tokens; t++) {
            const vf d_x = vf_broadcast((const float *)(a[t] + d_at) + b);
            acc[t][0] = vf_fma(vf_from_int(total[t][0]), vf_mul(d0, d_x), acc[t][0]);
            acc[t][1] = vf_fma(vf_from_int(total[t][1]), vf_mul(d1, d_x), acc[t][1]);
            TILE_NOW(acc[t][0]);
            TILE_NOW(acc[t][1]);
        }
        if (!has_min(type)) continue;
        const vf m0 = vf_load(panels + 9 * PAIR), m1 = vf_load(panels + 9 * PAIR + sizeof(vi));
        UNROLL for (int t = 0; t < tokens; t++) {
            const vf s = vf_broadcast((const float *)(a[t] + sum_at) + b);
            acc[t][0] = vf_fma(m0, s, acc[t][0]);
            acc[t][1] = vf_fma(m1, s, acc[t][1]);
            TILE_NOW(acc[t][0]);
            TILE_NOW(acc[t][1]);
        }
    }
    UNROLL for (int t = 0; t < tokens; t++) {
        vf_store(args->sums + 2 * t * LANES, acc[t][0]);
        vf_store(args->sums + (2 * t + 1) * LANES, acc[t][1]);
    }
}

/// total + scale * dot.
INLINE void tile_scale(vi total[][2], vi dot[][2], vi scale0, vi scale1, int tokens) {
    UNROLL for (int t = 0; t < tokens; t++) {
        total[t][0] = v_add32(total[t][0], v_mul32(dot[t][0], scale0));
        total[t][1] = v_add32(total[t][1], v_mul32(dot[t][1], scale1));
        TILE_NOW(total[t][0]);
        TILE_NOW(total[t][1]);
    }
}

/// total += the products of a pair of sub-blocks whose sums fit 16 bits. at: of its offsets. element: its first.
///
/// One register holds both sums: the second's in the upper half, the first's in the lower one with 2^15 added, so that it is
/// never negative and takes nothing from the upper half.
INLINE void tile_pair_packed(int32_t type, const uint8_t *panels, const uint8_t *scales, const int8_t *const *a, int64_t at,
                             int64_t element, int tokens, vi total[][2]) {
    const int size = sub_block(type), groups = size / 4;
    const vi middle = v_set32(0x8000);
    vi sum[TILE_TOKENS][2];
    tile_start(type, sum, a, at + 4, tokens);
    tile_dot(sum, panels + (size_t)groups * PAIR, a, element + size, groups, tokens, group_span(type), is_full(type));
    UNROLL for (int t = 0; t < tokens; t++) {
        const vi start = v_add32(start_sum(type, a[t] + at), middle);
        UNROLL for (int side = 0; side < 2; side++) {
            sum[t][side] = v_add32(v_shl32(sum[t][side], 16), start);
            TILE_NOW(sum[t][side]);
        }
    }
    TILE_FENCE();
    tile_dot(sum, panels, a, element, groups, tokens, group_span(type), is_full(type));
    TILE_FENCE();
    const vi scale0 = v_load(scales), scale1 = v_load(scales + sizeof(vi));
    UNROLL for (int t = 0; t < tokens; t++) {
        total[t][0] = v_dot16(total[t][0], v_xor(sum[t][0], middle), scale0);
        total[t][1] = v_dot16(total[t][1], v_xor(sum[t][1], middle), scale1);
        TILE_NOW(total[t][0]);
        TILE_NOW(total[t][1]);
    }
}

/// The same for sums of any size.
INLINE void tile_pair(int32_t type, const uint8_t *panels, const uint8_t *scales, const int8_t *const *a, int64_t at,
                      int64_t element, int tokens, vi total[][2]) {
    const int size = sub_block(type), groups = size / 4;
    vi sum[TILE_TOKENS][2];
    tile_start(type, sum, a, at, tokens);
    tile_dot(sum, panels, a, element, groups, tokens, group_span(type), is_full(type));
    TILE_FENCE();
    tile_scale(total, sum, first_scale(v_load(scales)), first_scale(v_load(scales + sizeof(vi))), tokens);
    tile_start(type, sum, a, at + 4, tokens);
    tile_dot(sum, panels + (size_t)groups * PAIR, a, element + size, groups, tokens, group_span(type), is_full(type));
    TILE_FENCE();
    tile_scale(total, sum, second_scale(v_load(scales)), second_scale(v_load(scales + sizeof(vi))), tokens);
}

/// Whether the sums of the sub-blocks of a block fit 16 bits, for all tokens. at: of the number that bounds them, within a record.
INLINE bool tile_fits_16(int32_t type, const int8_t *const *a, int64_t at, int tokens) {
    bool fit = true;
    UNROLL for (int t = 0; t < tokens; t++) {
        int16_t most;
        memcpy(&most, a[t] + at, sizeof most);
        fit &= sums_fit_16(type, most);
    }
    return fit;
}

/// Blocks of 256.
INLINE void tile256(int32_t type, const tile_args *args, int tokens) {
    const bool min = has_min(type);
    const int size = sub_block(type), groups = size / 4, pairs = 128 / size;
    const size_t step = (size_t)(2 * groups + 1) * PAIR;
    const ptrdiff_t d_at = args->d_at, offset_at = args->offset_at, sum_at = args->sum_at, most_at = args->most_at;
    const int8_t *a[TILE_TOKENS];
    UNROLL for (int t = 0; t < tokens; t++) a[t] = (const int8_t *)args->record[t];
    const uint8_t *panels = args->panels;
    const int64_t end = args->first_block + args->blocks;
    float *const sums = args->sums;
    bool begins = args->begins;
    for (int64_t b = args->first_block; b < end; b++, begins = false) {
        vi total[TILE_TOKENS][2];
        UNROLL for (int t = 0; t < tokens; t++) total[t][0] = total[t][1] = v_zero();
        if (has_packed_sums(type) && tile_fits_16(type, a, most_at + b * 2, tokens)) {
            for (int64_t j = b * pairs; j < (b + 1) * pairs; j++, panels += step) {
                tile_pair_packed(type, panels, panels + step - PAIR, a, offset_at + j * 8, j * 2 * size, tokens, total);
            }
        } else {
            for (int64_t j = b * pairs; j < (b + 1) * pairs; j++, panels += step) {
                tile_pair(type, panels, panels + step - PAIR, a, offset_at + j * 8, j * 2 * size, tokens, total);
            }
        }
        const uint8_t *tail = panels + (size_t)(min ? pairs : 0) * PAIR;
        UNROLL for (int t = 0; t < tokens; t++) {
            const vf d_x = vf_broadcast((const float *)(a[t] + d_at) + b);
            UNROLL for (int side = 0; side < 2; side++) {
                vi minimums = v_zero();
                UNROLL for (int k = 0; k < (min ? pairs : 0); k++) {
                    minimums = v_dot16(minimums, v_load(panels + (size_t)k * PAIR + (size_t)side * sizeof(vi)),
                                       v_broadcast32(a[t] + sum_at + (b * pairs + k) * 4));
                }
                float *to = sums + (2 * t + side) * LANES;
                const vf acc = begins ? vf_zero() : vf_load(to);
                const vf d = vf_load(tail + (size_t)side * sizeof(vi));
                const vf dmin = min ? vf_load(tail + PAIR + (size_t)side * sizeof(vi)) : vf_zero();
                vf_store(to, finish_block256(min, total[t][side], minimums, d, dmin, d_x, acc));
            }
        }
        panels = tail + (size_t)(min ? 2 : 1) * PAIR;
    }
}

typedef void tile_function(const tile_args *args, int tokens);

/// A kernel of one type, as a function of its own; its parts have the number of tokens as a constant. most: of tokens.
///
/// More than DIRECT_TOKENS tokens are shared evenly by tiles of at most `most`: no tile has fewer than TILE_LEAST of them.
#define TILE_LEAST(most) ((most) > 3 ? (most) / 2 + 1 : ((most) + 1) / 2)
#if LEAP_SPECIALISED
#define TILE_CASE(n, NAME, block, most)                                                   \
    case n:                                                                               \
        if (n >= TILE_LEAST(most) && n <= (most)) tile##block(LEAP_##NAME, args, n);      \
        break;
#define TILE_FUNCTION(NAME, name, block, most)                                                            \
    __attribute__((noinline, unused)) static void tile_##name(const tile_args *args, int tokens) {        \
        switch (tokens) {                                                                                 \
            TILE_CASE(1, NAME, block, most)                                                               \
            TILE_CASE(2, NAME, block, most)                                                               \
            TILE_CASE(3, NAME, block, most)                                                               \
            TILE_CASE(4, NAME, block, most)                                                               \
            TILE_CASE(5, NAME, block, most)                                                               \
            TILE_CASE(6, NAME, block, most)                                                               \
        }                                                                                                 \
    }
#else
#define TILE_FUNCTION(NAME, name, block, most)                                                        \
    __attribute__((unused)) static void tile_##name(const tile_args *args, int tokens) {              \
        tile##block(LEAP_##NAME, args, tokens);                                                       \
    }
#endif
_Static_assert(TILE_TOKENS <= 6 && TILE_TOKENS_256 <= TILE_TOKENS, "a case for every number of tokens");
_Static_assert(DIRECT_TOKENS == 8, "what TILE_LEAST has been counted for: 9 tokens are 4 + 5, 3 + 3 + 3, 3 * 3 or 1 + 4 * 2");

#define TILE_32(NAME, name, ...) TILE_FUNCTION(NAME, name, 32, TILE_TOKENS)
#define TILE_256(NAME, name, ...) TILE_FUNCTION(NAME, name, 256, TILE_TOKENS_256)
LEAP_TYPES_32(TILE_32)
LEAP_TYPES_256(TILE_256)

/// The sections of a record that tiles of a type read.
static void place_sections(int32_t type, int64_t cols, tile_args *args) {
    const bool small = sub_block(type) == 16;
    args->d_at = (ptrdiff_t)leap_act_d_at(cols);
    if (is_block32(type)) {
        args->offset_at = (ptrdiff_t)offset32_at(type, cols);
        args->sum_at = (ptrdiff_t)leap_act32_s_at(cols);
        return;
    }
    args->offset_at = (ptrdiff_t)(small ? leap_act256_offset16_at(cols) : leap_act256_offset32_at(cols));
    args->sum_at = (ptrdiff_t)(small ? leap_act256_sum16_at(cols) : leap_act256_sum32_at(cols));
    args->most_at = (ptrdiff_t)(small ? leap_act256_most16_at(cols) : leap_act256_most32_at(cols));
}

/// Asks for share `part` of `parts` of a chunk of columns of two panels: `bytes` bytes of every row from byte `at` on. The tiles of
/// one chunk ask for the next one, which otherwise comes from memory while nothing is computed.
INLINE void prefetch_share(const panel panels[2], size_t at, size_t bytes, int64_t part, int64_t parts) {
    for (int64_t r = 2 * LANES * part / parts; r < 2 * LANES * (part + 1) / parts; r++) {
        const uint8_t *row = panels[r / LANES].data + (size_t)(r % LANES) * panels[0].row_bytes + at;
        for (size_t i = 0; i < bytes; i += 64) _mm_prefetch((const char *)row + i, _MM_HINT_T1);
    }
}

/// Rows row ..< row + 2 LANES with all tokens. `next`: the row that comes after them, or `row`.
static void tiles(const leap_matmul_job *job, int64_t row, int64_t next, void *scratch, unpack_function *unpack,
                  tile_function *tile) {
    const int32_t type = job->w.type;
    const int64_t cols = job->w.cols;
    const size_t record_bytes = is_block32(type) ? leap_act32_bytes(cols) : leap_act256_bytes(cols);
    const panel panels[2] = {panel_at(job, row), panel_at(job, row + LANES)};
    const panel next_panels[2] = {panel_at(job, next), panel_at(job, next + LANES)};
    float *sums = scratch;
    uint8_t *unpacked = (uint8_t *)(sums + TOKENS_MAX * 2 * LANES);
    tile_args args = {.panels = unpacked};
    place_sections(type, cols, &args);
    const int64_t stored = leap_type_block_elements(type);
    const int64_t block = is_block32(type) ? 32 : 256, most = is_block32(type) ? TILE_TOKENS : TILE_TOKENS_256;
    const int64_t shares = (job->tokens + TOKENS_MAX - 1) / TOKENS_MAX;
    for (int64_t share = 0; share < shares; share++) {
        const int64_t begin = job->tokens * share / shares, count = job->tokens * (share + 1) / shares - begin;
        const int64_t tile_count = (count + most - 1) / most, chunk = chunk_cols(count);
        for (int64_t col = 0; col < cols; col += chunk) {
            const int64_t width = leap_smaller(cols - col, chunk);
            unpack(panels, col, width, unpacked);
            args.first_block = col / block;
            args.blocks = width / block;
            args.begins = col == 0;
            const bool last = col + width == cols;
            const panel *ahead = last && share + 1 == shares ? next_panels : panels;
            const int64_t ahead_col = last ? 0 : col + width;
            const int64_t ahead_cols = leap_smaller(cols - ahead_col, chunk);
            for (int64_t i = 0; i < tile_count; i++) {
                const int64_t from = count * i / tile_count, to = count * (i + 1) / tile_count;
                const char *record[TILE_TOKENS];
                for (int64_t t = from; t < to; t++) record[t - from] = leap_job_record(job, record_bytes, begin + t);
                prefetch_share(ahead, (size_t)(ahead_col / stored) * block_bytes(type),
                               (size_t)(ahead_cols / stored) * block_bytes(type), i, tile_count);
                if (last) {
                    for (int64_t t = from; t < to; t++) {
                        float *out = job->out + (begin + t) * job->out_stride;
                        __builtin_prefetch(out + panels[0].row, 1);
                        __builtin_prefetch(out + panels[1].row, 1);
                    }
                }
                args.record = record;
                args.sums = sums + from * 2 * LANES;
                tile(&args, (int)(to - from));
                if (!last) continue;
                for (int64_t t = from; t < to; t++) {
                    float *out = job->out + (begin + t) * job->out_stride;
                    vf_store_from(out + panels[0].row, vf_load(sums + 2 * t * LANES), panels[0].skip);
                    vf_store_from(out + panels[1].row, vf_load(sums + (2 * t + 1) * LANES), panels[1].skip);
                }
            }
        }
    }
}
