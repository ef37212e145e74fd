// Tiles where one instruction multiplies and adds four bytes a lane, and in builds without optimisation. Part of
// tiles.h.
//
// An unpacked panel pair, by block (every vector stands twice, for the first and the second panel):
//   blocks of 32:  8 groups of four elements | scale | minimum, where the type has one
//   blocks of 256: for each two sub-blocks their groups and the pair of scales | pairs of minimums, where the type has
//                  them | d | dmin, likewise

/// Bytes of scratch for inputs in another form.
#define TILE_INPUT_BYTES ((size_t)0)

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

/// The float sums of a tile: in registers where there are enough.
typedef struct {
    float *at;
#if SUMS_IN_REGISTERS
    vf held[TILE_TOKENS][2];
#endif
} tile_sums;

INLINE vf sum_of(const tile_sums *sums, int t, int side) {
#if SUMS_IN_REGISTERS
    return sums->held[t][side];
#else
    return vf_load(sums->at + (2 * t + side) * LANES);
#endif
}

INLINE void set_sum(tile_sums *sums, int t, int side, vf x) {
#if SUMS_IN_REGISTERS
    sums->held[t][side] = x;
    TILE_NOW(sums->held[t][side]);
#else
    vf_store(sums->at + (2 * t + side) * LANES, x);
#endif
}

INLINE tile_sums begin_sums(const tile_args *args, int tokens) {
    tile_sums sums = {.at = args->sums};
    UNROLL for (int t = 0; t < tokens; t++) {
        UNROLL for (int side = 0; side < 2; side++) {
            if (args->begins) vf_store(sums.at + (2 * t + side) * LANES, vf_zero());
#if SUMS_IN_REGISTERS
            sums.held[t][side] = vf_load(sums.at + (2 * t + side) * LANES);
#endif
        }
    }
    return sums;
}

INLINE void end_sums(const tile_sums *sums, int tokens) {
    (void)sums;
    (void)tokens;
#if SUMS_IN_REGISTERS
    UNROLL for (int t = 0; t < tokens; t++) {
        UNROLL for (int side = 0; side < 2; side++) vf_store(sums->at + (2 * t + side) * LANES, sums->held[t][side]);
    }
#endif
}

/// What the sums of a sub-block start from, for all tokens. at: of the offset within a record.
INLINE void tile_start(int32_t type, vi sum[][2], const int8_t *const *a, int64_t at, int tokens) {
#if defined(LANE_RUNS)
    const bool biased = is_biased(type);
    for (int t = 0; t < tokens; t++) sum[t][0] = sum[t][1] = biased ? start_sum(type, a[t] + at) : v_zero();
#else
    UNROLL for (int t = 0; t < tokens; t++) sum[t][0] = sum[t][1] = start_sum(type, a[t] + at);
#endif
    TILE_FENCE();
}

/// Blocks of 32.
INLINE void tile32(int32_t type, const tile_args *args, int tokens) {
    const ptrdiff_t d_at = args->d_at, offset_at = args->offset_at, sum_at = args->sum_at;
    const int8_t *a[TILE_TOKENS];
    tile_sums sums = begin_sums(args, tokens);
    UNROLL for (int t = 0; t < tokens; t++) a[t] = (const int8_t *)args->record[t];
    const uint8_t *panels = args->panels;
    const int64_t end = args->first_block + args->blocks;
    for (int64_t b = args->first_block; b < end; b++, panels += unpacked_bytes(type)) {
        vi total[TILE_TOKENS][2];
        tile_start(type, total, a, offset_at + b * 4, tokens);
        tile_dot(total, panels, a, b * 32, 8, tokens, group_span(type), is_full(type));
        TILE_FENCE();
        const uint8_t *tail = panels + 8 * PAIR;
        UNROLL for (int t = 0; t < tokens; t++) {
#if LEAP_SPECIALISED
            const vf d_x = vf_broadcast((const float *)(a[t] + d_at) + b);
            UNROLL for (int side = 0; side < 2; side++) {
                const vf d = vf_mul(vf_load(tail + (size_t)side * sizeof(vi)), d_x);
                set_sum(&sums, t, side, vf_fma(vf_from_int(total[t][side]), d, sum_of(&sums, t, side)));
            }
#else
            for (int side = 0; side < 2; side++) {
                const uint8_t *scale = tail + (size_t)side * sizeof(vi);
                const float *d_x = (const float *)(a[t] + d_at) + b;
#if defined(LANE_RUNS)
                sum_run(sums.at + (2 * t + side) * LANES, &total[t][side], scale, d_x);
#else
                set_sum(&sums, t, side, sum_run(sum_of(&sums, t, side), &total[t][side], scale, d_x));
#endif
            }
#endif
        }
        if (!has_min(type)) continue;
        UNROLL for (int t = 0; t < tokens; t++) {
            const vf s = vf_broadcast((const float *)(a[t] + sum_at) + b);
            UNROLL for (int side = 0; side < 2; side++) {
                set_sum(&sums, t, side, vf_fma(vf_load(tail + PAIR + (size_t)side * sizeof(vi)), s, sum_of(&sums, t, side)));
            }
        }
    }
    end_sums(&sums, tokens);
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
/// One register holds both sums: the second's in the upper half, the first's in the lower one with 2^15 added, so that
/// it is never negative and takes nothing from the upper half.
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

/// Whether the sums of the sub-blocks of a block fit 16 bits, for all tokens. at: of the number that bounds them,
/// within a record.
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
