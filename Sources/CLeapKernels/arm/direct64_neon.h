// Four rows of blocks of 64 times a few tokens, 16 elements at a time unpacked into registers. Part of
// quantized_neon.h.

/// Tokens that share the unpacking of a block.
#define DIRECT64_TOKENS 4

/// Elements 16 part ... 16 part + 15 of a block, as signed bytes.
INLINE int8x16_t unpack_nvfp4(const uint8_t *block, int part) {
    const uint8x8_t both = vld1_u8(block + 4 + 8 * part);
    return vqtbl1q_s8(vld1q_s8(leap_e2m1_values), vcombine_u8(vand_u8(both, vdup_n_u8(15)), vshr_n_u8(both, 4)));
}

/// Their scales in a quad's blocks.
INLINE float32x4_t factors_nvfp4(const quad_blocks *blocks, int part) {
    float d[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) d[r] = leap_e4m3_half_values[blocks->at[r][part]];
    return vld1q_f32(d);
}

INLINE int8x16_t unpack64(int32_t type, const uint8_t *block, int part) {
    switch (type) {
#define UNPACK(NAME, name, ...) \
    case LEAP_##NAME: return unpack_##name(block, part);
        LEAP_TYPES_64(UNPACK)
#undef UNPACK
    }
    return vdupq_n_s8(0);
}

INLINE float32x4_t factors64(int32_t type, const quad_blocks *blocks, int part) {
    switch (type) {
#define FACTORS(NAME, name, ...) \
    case LEAP_##NAME: return factors_##name(blocks, part);
        LEAP_TYPES_64(FACTORS)
#undef FACTORS
    }
    return vdupq_n_f32(0);
}

INLINE void direct64(int32_t type, const leap_matmul_job *job, quad rows, int64_t first, int tokens) {
    const int64_t cols = job->w.cols;
    const size_t bytes = block_bytes(type);
    leap_act32 act[DIRECT64_TOKENS];
    float32x4_t acc[DIRECT64_TOKENS];
    for (int t = 0; t < tokens; t++) {
        act[t] = leap_act32_view(leap_job_record(job, leap_act32_bytes(cols), first + t), cols);
        acc[t] = vdupq_n_f32(0);
    }
    quad_blocks blocks = blocks_at(&rows, 0);
    const uint8_t *ahead = rows.data + QUAD * rows.row_bytes;  // the rows that come next
    for (int64_t b = 0; b < cols / 64; b++, advance(&blocks, bytes), ahead += QUAD * bytes) {
        prefetch(ahead, QUAD * bytes);
        UNROLL for (int part = 0; part < 4; part++) {
            int8x16_t w[QUAD];
            UNROLL for (int r = 0; r < QUAD; r++) w[r] = unpack64(type, blocks.at[r], part);
            const float32x4_t d = factors64(type, &blocks, part);
            for (int t = 0; t < tokens; t++) {
                const int8x16_t x = vld1q_s8(act[t].q + 64 * b + 16 * part);
                const int32x4_t total = quad_dot(w, 1, &x, 1, false);
                acc[t] = vfmaq_f32(acc[t], vcvtq_f32_s32(total), vmulq_n_f32(d, act[t].d[2 * b + part / 2]));
            }
        }
    }
    for (int t = 0; t < tokens; t++) store_from(job->out + (first + t) * job->out_stride + rows.row, acc[t], rows.skip);
}

typedef void direct64_function(const leap_matmul_job *job, quad rows, int64_t first, int tokens);

/// Matrices narrower than a quad go to the scalar kernel, whose results are the same.
INLINE void run_rows64(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch, direct64_function *few) {
    if (job->w.rows < QUAD) {
        leap_scalar_matmul_rows(job, begin, end, scratch);
        return;
    }
    for (int64_t row = begin; row < end; row += QUAD) {
        for (int64_t first = 0; first < job->tokens; first += DIRECT64_TOKENS) {
            const int64_t left = job->tokens - first;
            few(job, quad_at(job, row), first, left < DIRECT64_TOKENS ? (int)left : DIRECT64_TOKENS);
        }
    }
}
