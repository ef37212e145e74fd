// Four rows times one or two tokens, blocks unpacked into registers as they stream by. Part of quantized_neon.h.

INLINE void direct32(int32_t type, const leap_matmul_job *job, quad rows, int tokens) {
    const int64_t cols = job->w.cols;
    const size_t bytes = block_bytes(type);
    const int parts = parts32(type);
    leap_act32 act[DIRECT_TOKENS];
    float32x4_t acc[DIRECT_TOKENS];
    UNROLL for (int t = 0; t < tokens; t++) {
        act[t] = leap_act32_view(leap_job_record(job, leap_act32_bytes(cols), t), cols);
        acc[t] = vdupq_n_f32(0);
    }
    quad_blocks blocks = blocks_at(&rows, 0);
    const uint8_t *ahead = rows.data + QUAD * rows.row_bytes;  // the rows that come next
    _Pragma("clang loop unroll_count(2)")  // half as many steps of pointers
    for (int64_t b = 0; b < cols / (32 * parts); b++, advance(&blocks, bytes), ahead += QUAD * bytes) {
        prefetch(ahead, QUAD * bytes);
        float32x4_t d, m = vdupq_n_f32(0);
        factors32(type, &blocks, &d, &m);
        UNROLL for (int part = 0; part < parts; part++) {
            const int64_t i = b * parts + part;
            int8x16_t w[QUAD * 2];
            UNROLL for (int r = 0; r < QUAD; r++) unpack32(type, blocks.at[r], part, w + 2 * r);
            UNROLL for (int t = 0; t < tokens; t++) {
                const int8x16_t x[2] = {vld1q_s8(act[t].q + 32 * i), vld1q_s8(act[t].q + 32 * i + 16)};
                int32x4_t total = quad_dot(w, 2, x, 2, is_full(type));
                if (unpacked_bias(type) == 8) total = vaddq_s32(total, vld1q_dup_s32(act[t].offset8 + i));
                acc[t] = vfmaq_f32(acc[t], vcvtq_f32_s32(total), vmulq_n_f32(d, act[t].d[i]));
                if (has_min(type)) acc[t] = vfmaq_n_f32(acc[t], m, act[t].s[i]);
            }
        }
    }
    UNROLL for (int t = 0; t < tokens; t++) store_from(job->out + t * job->out_stride + rows.row, acc[t], rows.skip);
}

/// total + the products of a quarter of a block with the 64 activations x.
INLINE int32x4_t add_quarter(int32_t type, int q, const int8x16_t *w, const int8x16_t x[4], const int32x4_t *scale,
                             int32x4_t total) {
    const int halves_of[2] = {first_of_quarter(type, q), second_of_quarter(type, q)};
    UNROLL for (int half = 0; half < 2; half++) {
        if (sub_block(type) == 32) {
            const int32x4_t sum = quad_dot(w + 2 * half, 4, x + 2 * half, 2, is_full(type));
            total = vmlaq_s32(total, sum, scale[halves_of[half]]);
            continue;
        }
        UNROLL for (int i = 0; i < 2; i++) {
            const int32x4_t sum = quad_dot(w + 2 * half + i, 4, x + 2 * half + i, 1, is_full(type));
            total = vmlaq_s32(total, sum, scale[2 * halves_of[half] + i]);
        }
    }
    return total;
}

/// The minimums times the sums of the activations. sums: of the block's sub-blocks.
INLINE int32x4_t minimum_sum(int32_t type, const int16x4_t *min, const int16_t *sums) {
    int32x4_t total = vdupq_n_s32(0);
    UNROLL for (int i = 0; i < 256 / sub_block(type); i += 4) {
        const int16x4_t four = vld1_s16(sums + i);
        total = vmlal_lane_s16(total, min[i], four, 0);
        total = vmlal_lane_s16(total, min[i + 1], four, 1);
        total = vmlal_lane_s16(total, min[i + 2], four, 2);
        total = vmlal_lane_s16(total, min[i + 3], four, 3);
    }
    return total;
}

/// The float step of a block of 256: acc + d_x (total * d + minimums * dmin).
INLINE float32x4_t finish256(bool min, int32x4_t total, int32x4_t minimums, float32x4_t d, float32x4_t dmin, float d_x,
                             float32x4_t acc) {
    const float32x4_t sum = vcvtq_f32_s32(total);
    const float32x4_t value = min ? vfmaq_f32(vmulq_f32(vcvtq_f32_s32(minimums), dmin), sum, d) : vmulq_f32(sum, d);
    return vfmaq_n_f32(acc, value, d_x);
}

INLINE void direct256(int32_t type, const leap_matmul_job *job, quad rows, int tokens) {
    const int64_t cols = job->w.cols;
    const size_t bytes = block_bytes(type);
    leap_act256 act[DIRECT_TOKENS];
    float32x4_t acc[DIRECT_TOKENS];
    UNROLL for (int t = 0; t < tokens; t++) {
        act[t] = leap_act256_view(leap_job_record(job, leap_act256_bytes(cols), t), cols);
        acc[t] = vdupq_n_f32(0);
    }
    quad_blocks blocks = blocks_at(&rows, 0);
    const uint8_t *ahead = rows.data + QUAD * rows.row_bytes;  // the rows that come next
    for (int64_t b = 0; b < cols / 256; b++, advance(&blocks, bytes)) {
        factors256 factors;
        factors_of_block256(type, &blocks, &factors);
        int32x4_t total[DIRECT_TOKENS];
        UNROLL for (int t = 0; t < tokens; t++) total[t] = vdupq_n_s32(0);
        UNROLL for (int q = 0; q < 4; q++, ahead += bytes) {
            prefetch(ahead, bytes);
            int8x16_t w[QUAD * 4];
            UNROLL for (int r = 0; r < QUAD; r++) unpack_quarter(type, blocks.at[r], q, w + 4 * r);
            UNROLL for (int t = 0; t < tokens; t++) {
                int8x16_t x[4];
                UNROLL for (int i = 0; i < 4; i++) {
                    const int half = i < 2 ? first_of_quarter(type, q) : second_of_quarter(type, q);
                    x[i] = vld1q_s8(act[t].q + 256 * b + 32 * half + 16 * (i % 2));
                }
                total[t] = add_quarter(type, q, w, x, factors.scale, total[t]);
            }
        }
        UNROLL for (int t = 0; t < tokens; t++) {
            int32x4_t minimums = vdupq_n_s32(0);
            if (has_min(type)) {
                const int16_t *sums = sub_block(type) == 16 ? act[t].sum16 + 16 * b : act[t].sum32 + 8 * b;
                minimums = minimum_sum(type, factors.min, sums);
            }
            const float32x4_t dmin = has_min(type) ? factors.dmin : vdupq_n_f32(0);
            acc[t] = finish256(has_min(type), total[t], minimums, factors.d, dmin, act[t].d[b], acc[t]);
        }
    }
    UNROLL for (int t = 0; t < tokens; t++) store_from(job->out + t * job->out_stride + rows.row, acc[t], rows.skip);
}
