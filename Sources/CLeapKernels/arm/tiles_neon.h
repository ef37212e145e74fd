// Panels of eight rows times many tokens: the panels are unpacked into scratch once, then multiplied tile by tile. Part
// of quantized_neon.h.
//
// A panel is two quads side by side. An unpacked pair of blocks:
//   blocks of 32:  two steps | scales | minimums, where the type has them
//   blocks of 256: for each sub-block its steps and scales | minimums, where the type has them: 16 bits, first quad,
//                  second quad, by sub-block | d | dmin, likewise
// A step is 16 elements of the eight rows, arranged by store_step. Scales of a quad that sums of steps are multiplied
// with come in PARTS vectors, arranged as the sums are (dot_i8mm.h: two tokens in two vectors). TILE_TOKENS is what the
// registers hold without spilling, found by counting instructions.

/// Tokens that share one unpacking of the panels.
#define TOKENS_MAX 512
/// Columns of an unpacked panel: UNIT_PANELS of them stay in the first cache level with the activations of a tile.
#define CHUNK_COLS 512
#define SCALE_BYTES (2 * PARTS * 16)
/// Tokens of the float sums: the last tile may be filled up.
#define SUMS_TOKENS (TOKENS_MAX + TILE_TOKENS)

/// Bytes of an unpacked pair of blocks.
INLINE size_t unpacked_bytes(int32_t type) {
    if (is_block32(type)) return 2 * STEP_BYTES + SCALE_BYTES * (has_min(type) ? 2 : 1);
    const size_t count = 256 / (size_t)sub_block(type);
    return 16 * STEP_BYTES + count * SCALE_BYTES + (has_min(type) ? count * 16 + 64 : 32);
}

/// Stores the scales of a quad, in PARTS.
INLINE void store_parts(uint8_t *out, int side, uint32x4_t x) {
    out += side * PARTS * 16;
#if PARTS == 1
    vst1q_u8(out, vreinterpretq_u8_u32(x));
#else
    const uint64x2_t pairs = vreinterpretq_u64_u32(x);
    vst1q_u8(out, vreinterpretq_u8_u64(vzip1q_u64(pairs, pairs)));
    vst1q_u8(out + 16, vreinterpretq_u8_u64(vzip2q_u64(pairs, pairs)));
#endif
}

INLINE uint32x4_t load_part(const uint8_t *scales, int side, int part) {
    return vreinterpretq_u32_u8(vld1q_u8(scales + (side * PARTS + part) * 16));
}

/// One step of a quad. w: of row r at w[r * stride].
INLINE void store_steps(uint8_t *out, int side, const int8x16_t *w, int stride, int steps) {
    UNROLL for (int i = 0; i < steps; i++) {
        const int8x16_t rows[QUAD] = {w[i], w[stride + i], w[2 * stride + i], w[3 * stride + i]};
        store_step(out + i * STEP_BYTES, side, rows);
    }
}

/// Unpacks `cols` columns of a panel. ahead: distance of the memory to fetch meanwhile.
typedef void unpack_function(const quad rows[2], int64_t col, int64_t cols, ptrdiff_t ahead, uint8_t *out);

INLINE void unpack_panel32(int32_t type, const quad rows[2], int64_t col, int64_t cols, ptrdiff_t ahead, uint8_t *out) {
    const size_t bytes = block_bytes(type);
    const int parts = parts32(type);
    const int8x16_t bias = vdupq_n_s8((int8_t)unpacked_bias(type));
    for (int side = 0; side < 2; side++) {
        quad_blocks blocks = blocks_at(&rows[side], (size_t)(col / (32 * parts)) * bytes);
        uint8_t *to = out;
        for (int64_t b = 0; b < cols / (32 * parts); b++, advance(&blocks, bytes)) {
            UNROLL for (int r = 0; r < QUAD; r++) prefetch_far(blocks.at[r] + ahead, bytes);
            UNROLL for (int part = 0; part < parts; part++, to += unpacked_bytes(type)) {
                int8x16_t w[QUAD * 2];
                UNROLL for (int r = 0; r < QUAD; r++) {
                    unpack32(type, blocks.at[r], part, w + 2 * r);
                    if (unpacked_bias(type) == 0) continue;
                    UNROLL for (int i = 0; i < 2; i++) w[2 * r + i] = vsubq_s8(w[2 * r + i], bias);
                }
                store_steps(to, side, w, 2, 2);
                float32x4_t d, m = vdupq_n_f32(0);
                factors32(type, &blocks, &d, &m);
                store_parts(to + 2 * STEP_BYTES, side, vreinterpretq_u32_f32(d));
                if (has_min(type)) store_parts(to + 2 * STEP_BYTES + SCALE_BYTES, side, vreinterpretq_u32_f32(m));
            }
        }
    }
}

INLINE void unpack_panel256(int32_t type, const quad rows[2], int64_t col, int64_t cols, ptrdiff_t ahead, uint8_t *out) {
    const size_t bytes = block_bytes(type);
    const int steps = sub_block(type) / 16, count = 16 / steps;
    const size_t sub_bytes = (size_t)steps * STEP_BYTES + SCALE_BYTES;
    for (int side = 0; side < 2; side++) {
        quad_blocks blocks = blocks_at(&rows[side], (size_t)(col / 256) * bytes);
        uint8_t *to = out;
        for (int64_t b = 0; b < cols / 256; b++, advance(&blocks, bytes), to += unpacked_bytes(type)) {
            UNROLL for (int r = 0; r < QUAD; r++) prefetch_far(blocks.at[r] + ahead, bytes);
            UNROLL for (int q = 0; q < 4; q++) {
                int8x16_t w[QUAD * 4];
                UNROLL for (int r = 0; r < QUAD; r++) unpack_quarter(type, blocks.at[r], q, w + 4 * r);
                UNROLL for (int half = 0; half < 2; half++) {
                    const int at = half == 0 ? first_of_quarter(type, q) : second_of_quarter(type, q);
                    UNROLL for (int i = 0; i < 2; i++) {
                        uint8_t *step = to + (size_t)((2 * at + i) / steps) * sub_bytes + (size_t)(i % steps) * STEP_BYTES;
                        store_steps(step, side, w + 2 * half + i, 4, 1);
                    }
                }
            }
            factors256 factors;
            factors_of_block256(type, &blocks, &factors);
            UNROLL for (int j = 0; j < count; j++) {
                store_parts(to + (size_t)j * sub_bytes + (size_t)steps * STEP_BYTES, side,
                            vreinterpretq_u32_s32(factors.scale[j]));
            }
            uint8_t *tail = to + (size_t)count * sub_bytes;
            if (has_min(type)) {
                UNROLL for (int j = 0; j < count; j++) {
                    vst1_u8(tail + side * count * 8 + j * 8, vreinterpret_u8_s16(factors.min[j]));
                }
                tail += count * 16;
                vst1q_u8(tail + 32 + side * 16, vreinterpretq_u8_f32(factors.dmin));
            }
            vst1q_u8(tail + side * 16, vreinterpretq_u8_f32(factors.d));
        }
    }
}

/// What a tile kernel works on.
typedef struct {
    const uint8_t *panel;
    const char *record[TILE_TOKENS];
    float *sums;                ///< [token][2][QUAD]
    int64_t first_block, blocks;
    bool begins;                ///< sums start from zero
    size_t d_at, sum_at;        ///< sections of a record
} tile_args;

/// Two vectors of the sums of one quad, between one token each and PARTS (dot_i8mm.h); its own inverse.
INLINE void reshape(uint32x4_t *first, uint32x4_t *second) {
    const uint64x2_t a = vreinterpretq_u64_u32(*first), b = vreinterpretq_u64_u32(*second);
    *first = vreinterpretq_u32_u64(vzip1q_u64(a, b));
    *second = vreinterpretq_u32_u64(vzip2q_u64(a, b));
}

INLINE void reshape_floats(float32x4_t sums[][2], int tokens) {
    UNROLL for (int t = 0; PARTS == 2 && t < tokens; t += 2) {
        UNROLL for (int side = 0; side < 2; side++) {
            uint32x4_t a = vreinterpretq_u32_f32(sums[t][side]), b = vreinterpretq_u32_f32(sums[t + 1][side]);
            reshape(&a, &b);
            sums[t][side] = vreinterpretq_f32_u32(a);
            sums[t + 1][side] = vreinterpretq_f32_u32(b);
        }
    }
}

INLINE void reshape_ints(int32x4_t sums[][2], int tokens) {
    UNROLL for (int t = 0; PARTS == 2 && t < tokens; t += 2) {
        UNROLL for (int side = 0; side < 2; side++) {
            uint32x4_t a = vreinterpretq_u32_s32(sums[t][side]), b = vreinterpretq_u32_s32(sums[t + 1][side]);
            reshape(&a, &b);
            sums[t][side] = vreinterpretq_s32_u32(a);
            sums[t + 1][side] = vreinterpretq_s32_u32(b);
        }
    }
}

/// A float of the records of tokens t ..< t + PARTS, arranged as their sums. at: of the float within a record.
INLINE float32x4_t token_floats(const tile_args *args, int t, size_t at) {
#if PARTS == 1
    return vld1q_dup_f32((const float *)(const void *)(args->record[t] + at));
#else
    return vcombine_f32(vld1_dup_f32((const float *)(const void *)(args->record[t] + at)),
                        vld1_dup_f32((const float *)(const void *)(args->record[t + 1] + at)));
#endif
}

/// Blocks of 32.
INLINE void tile32(int32_t type, const tile_args *args, int tokens) {
    float32x4_t acc[TILE_TOKENS][2];
    UNROLL for (int t = 0; t < tokens; t++) {
        UNROLL for (int side = 0; side < 2; side++) {
            acc[t][side] = args->begins ? vdupq_n_f32(0) : vld1q_f32(args->sums + (2 * t + side) * QUAD);
        }
    }
    reshape_floats(acc, tokens);
    const uint8_t *panel = args->panel;
    for (int64_t b = args->first_block; b < args->first_block + args->blocks; b++, panel += unpacked_bytes(type)) {
        int32x4_t total[TILE_TOKENS][2];
        tile_dot(total, panel, args->record, 32 * (size_t)b, 2, tokens, is_full(type));
        const uint8_t *scales = panel + 2 * STEP_BYTES;
        UNROLL for (int t = 0; t < tokens; t += PARTS) {
            const float32x4_t d_x = token_floats(args, t, args->d_at + 4 * (size_t)b);
            UNROLL for (int i = 0; i < 2 * PARTS; i++) {
                const int side = i % 2, part = i / 2;
                const float32x4_t d = vmulq_f32(vreinterpretq_f32_u32(load_part(scales, side, part)), d_x);
                acc[t + part][side] = vfmaq_f32(acc[t + part][side], vcvtq_f32_s32(total[t + part][side]), d);
            }
        }
        if (!has_min(type)) continue;
        UNROLL for (int t = 0; t < tokens; t += PARTS) {
            const float32x4_t s = token_floats(args, t, args->sum_at + 4 * (size_t)b);
            UNROLL for (int i = 0; i < 2 * PARTS; i++) {
                const int side = i % 2, part = i / 2;
                const float32x4_t m = vreinterpretq_f32_u32(load_part(scales + SCALE_BYTES, side, part));
                acc[t + part][side] = vfmaq_f32(acc[t + part][side], m, s);
            }
        }
    }
    reshape_floats(acc, tokens);
    UNROLL for (int t = 0; t < tokens; t++) {
        UNROLL for (int side = 0; side < 2; side++) vst1q_f32(args->sums + (2 * t + side) * QUAD, acc[t][side]);
    }
}

/// Blocks of 256.
INLINE void tile256(int32_t type, const tile_args *pointer, int tokens) {
    const tile_args copy = *pointer, *args = &copy;  // which stores of sums cannot change
    const bool min = has_min(type);
    const int size = sub_block(type), steps = size / 16, count = 256 / size;
    const uint8_t *panel = args->panel;
    for (int64_t b = args->first_block; b < args->first_block + args->blocks; b++) {
        int32x4_t total[TILE_TOKENS][2];
        UNROLL for (int t = 0; t < tokens; t++) total[t][0] = total[t][1] = vdupq_n_s32(0);
        for (int j = 0; j < count; j++) {
            int32x4_t sum[TILE_TOKENS][2];
            tile_dot(sum, panel, args->record, 256 * (size_t)b + (size_t)(j * size), steps, tokens, is_full(type));
            panel += steps * STEP_BYTES;
            UNROLL for (int t = 0; t < tokens; t++) {
                UNROLL for (int side = 0; side < 2; side++) {
                    const int32x4_t scale = vreinterpretq_s32_u32(load_part(panel, side, t % PARTS));
                    total[t][side] = vmlaq_s32(total[t][side], sum[t][side], scale);
                }
            }
            panel += SCALE_BYTES;
        }
        reshape_ints(total, tokens);
        const bool begins = args->begins && b == args->first_block;
        const uint8_t *tail = panel + (min ? count * 16 : 0);
        UNROLL for (int side = 0; side < 2; side++) {
            int16x4_t mins[16];
            UNROLL for (int j = 0; min && j < count; j++) {
                mins[j] = vreinterpret_s16_u8(vld1_u8(panel + side * count * 8 + j * 8));
            }
            const float32x4_t d = vreinterpretq_f32_u8(vld1q_u8(tail + side * 16));
            const float32x4_t dmin = min ? vreinterpretq_f32_u8(vld1q_u8(tail + 32 + side * 16)) : vdupq_n_f32(0);
            UNROLL for (int t = 0; t < tokens; t++) {
                const char *record = args->record[t];
                int32x4_t minimums = vdupq_n_s32(0);
                if (min) {
                    const int16_t *sums = (const int16_t *)(const void *)(record + args->sum_at);
                    minimums = minimum_sum(type, mins, sums + b * count);
                }
                const float d_x = ((const float *)(const void *)(record + args->d_at))[b];
                float *to = args->sums + (2 * t + side) * QUAD;
                const float32x4_t acc = begins ? vdupq_n_f32(0) : vld1q_f32(to);
                vst1q_f32(to, finish256(min, total[t][side], minimums, d, dmin, d_x, acc));
            }
        }
        panel = tail + (min ? 64 : 32);
    }
}

typedef void tile_function(const tile_args *args, int tokens);

/// A tile kernel of its own for every number of tokens; with PARTS == 2 an odd one is filled up.
#if !LEAP_SPECIALISED
#define TILE_FUNCTION(name, kind, type)                                                 \
    static void name(const tile_args *args, int tokens) { tile##kind(type, args, (tokens + PARTS - 1) / PARTS * PARTS); }
#else
#define TILE_CASE(n, kind, type) \
    case n: if (n <= TILE_TOKENS) tile##kind(type, args, (n + PARTS - 1) / PARTS * PARTS); break;
#define TILE_FUNCTION(name, kind, type)                                                 \
    static __attribute__((noinline)) void name(const tile_args *args, int tokens) {     \
        switch (tokens) {                                                               \
            TILE_CASE(1, kind, type)                                                    \
            TILE_CASE(2, kind, type)                                                    \
            TILE_CASE(3, kind, type)                                                    \
            TILE_CASE(4, kind, type)                                                    \
        }                                                                               \
    }
#endif

// Unpacked, many types are alike: one function for each form, by a type that has it.
TILE_FUNCTION(tile_plain32, 32, LEAP_Q4_0)
TILE_FUNCTION(tile_full32, 32, LEAP_Q8_0)
TILE_FUNCTION(tile_min32, 32, LEAP_Q5_1)
TILE_FUNCTION(tile_plain16s, 256, LEAP_Q6_K)
TILE_FUNCTION(tile_min16s, 256, LEAP_Q2_K)
TILE_FUNCTION(tile_plain32s, 256, LEAP_TQ2_0)
TILE_FUNCTION(tile_min32s, 256, LEAP_Q5_K)
TILE_FUNCTION(tile_full32s, 256, LEAP_IQ4_XS)

/// Weights of whole bytes have neither minimums nor sub-blocks of 16.
#define FORM_EXISTS(NAME, name, id, bytes, format, scale_at, min_at, sub, bias, codes) \
    _Static_assert((codes) < 256 || ((min_at) < 0 && (sub) == 32), "a tile function for " #NAME);
LEAP_TYPES_256(FORM_EXISTS)

INLINE tile_function *tile_for(int32_t type) {
    const bool small = sub_block(type) == 16;
    if (is_block32(type)) return has_min(type) ? tile_min32 : is_full(type) ? tile_full32 : tile_plain32;
    if (has_min(type)) return small ? tile_min16s : tile_min32s;
    if (is_full(type)) return tile_full32s;
    return small ? tile_plain16s : tile_plain32s;
}

/// The sections of a record that tiles of a type read.
INLINE void place_sections(int32_t type, int64_t cols, tile_args *args) {
    args->d_at = leap_act_d_at(cols);
    if (is_block32(type)) {
        args->sum_at = leap_act32_s_at(cols);
    } else {
        args->sum_at = sub_block(type) == 16 ? leap_act256_sum16_at(cols) : leap_act256_sum32_at(cols);
    }
}

/// Rows row ..< end, UNIT_ROWS at most, with all tokens.
INLINE void tiles(int32_t type, const leap_matmul_job *job, int64_t row, int64_t end, void *scratch, unpack_function *unpack) {
    const int64_t cols = job->w.cols, block = is_block32(type) ? 32 : 256, stored = leap_type_block_elements(type);
    const size_t record_bytes = is_block32(type) ? leap_act32_bytes(cols) : leap_act256_bytes(cols);
    const size_t panel_bytes = (size_t)(CHUNK_COLS / block) * unpacked_bytes(type);
    const int panels = (int)((end - row + 2 * QUAD - 1) / (2 * QUAD));
    quad rows[UNIT_PANELS][2];
    for (int i = 0; i < 2 * panels; i++) rows[i / 2][i % 2] = quad_at(job, row + QUAD * i);
    float *sums = scratch;  // [panel][token][2][QUAD]
    uint8_t *unpacked = (uint8_t *)(sums + UNIT_PANELS * SUMS_TOKENS * 2 * QUAD);
    tile_function *tile = tile_for(type);
    tile_args args = {0};
    place_sections(type, cols, &args);
    for (int64_t begin = 0; begin < job->tokens; begin += TOKENS_MAX) {
        const int64_t count = job->tokens - begin < TOKENS_MAX ? job->tokens - begin : TOKENS_MAX;
        for (int64_t col = 0; col < cols; col += CHUNK_COLS) {
            const int64_t width = cols - col < CHUNK_COLS ? cols - col : CHUNK_COLS;
            const bool last = col + width == cols;
            // Meanwhile fetch the next chunk of these rows, or the first one of the rows that come next.
            const ptrdiff_t offset = (ptrdiff_t)((size_t)(col / stored) * block_bytes(type));
            const ptrdiff_t ahead = last ? (ptrdiff_t)(UNIT_ROWS * job->w.row_bytes) - offset
                                         : (ptrdiff_t)((size_t)(width / stored) * block_bytes(type));
            for (int i = 0; i < panels; i++) unpack(rows[i], col, width, ahead, unpacked + (size_t)i * panel_bytes);
            args.first_block = col / block;
            args.blocks = width / block;
            args.begins = col == 0;
            for (int64_t t = 0; t < count; t += TILE_TOKENS) {
                const int tokens = count - t < TILE_TOKENS ? (int)(count - t) : TILE_TOKENS;
                for (int i = 0; i < TILE_TOKENS; i++) {
                    args.record[i] = leap_job_record(job, record_bytes, begin + t + (i < tokens ? i : tokens - 1));
                }
                for (int i = 0; i < panels; i++) {
                    args.panel = unpacked + (size_t)i * panel_bytes;
                    args.sums = sums + (i * SUMS_TOKENS + t) * 2 * QUAD;
                    tile(&args, tokens);
                    for (int k = 0; last && k < 2 * tokens; k++) {
                        const quad *to = &rows[i][k % 2];
                        store_from(job->out + (begin + t + k / 2) * job->out_stride + to->row,
                                   vld1q_f32(args.sums + k * QUAD), to->skip);
                    }
                }
            }
        }
    }
}
