// A panel of rows times a few tokens, blocks unpacked into registers as they stream by. Part of quantized.h.

/// Where a type's offsets lie in a record of Q8_32.
INLINE size_t offset32_at(int32_t type, int64_t cols) {
    return is_full(type) ? leap_act32_offset128_at(cols) : leap_act32_offset8_at(cols);
}

/// other: the requests of the `other` kernels (reading.h): fewer places and each line once.
INLINE void direct32(int32_t type, const leap_matmul_job *job, panel p, int64_t first, int tokens, bool other) {
    const int64_t cols = job->w.cols;
    const int parts = parts32(type);
    const int64_t blocks = cols / (32 * parts);
    const size_t bytes = block_bytes(type), record_bytes = leap_act32_bytes(cols);
    const ptrdiff_t d_at = (ptrdiff_t)leap_act_d_at(cols), s_at = (ptrdiff_t)leap_act32_s_at(cols);
    const ptrdiff_t offset_at = (ptrdiff_t)offset32_at(type, cols);
    const char *record[DIRECT_TOKENS];
    vf acc[DIRECT_TOKENS];
    for (int t = 0; t < tokens; t++) {
        record[t] = leap_job_record(job, record_bytes, first + t);
        acc[t] = vf_zero();
    }
    row_set rows = rows_at(p.data, p.row_bytes);
    // The next panel: a block asks for as much of it, a part of every stream.
    const uint8_t *ahead = p.data + LANES * p.row_bytes;
    const int streams = other ? AHEAD_STREAMS_OTHER : AHEAD_STREAMS_32;
    const size_t step = LANES * bytes / (size_t)streams, stream = LANES * p.row_bytes / (size_t)streams;
    const bool again = asks_again(type) && !other;
    for (int64_t b = 0; b < blocks; b++, rows_advance(&rows, bytes), ahead += step) {
        UNROLL for (int s = 0; s < streams; s++) prefetch_lines(ahead + (size_t)s * stream, step);
        if (again && b % 2 == 0) prefetch_again(&rows, (size_t)b * bytes, 0);
        UNROLL for (int part = 0; part < parts; part++) {
            const int64_t i = b * parts + part;
            block32 w;
            unpack32(type, &rows, part, &w);
            for (int t = 0; t < tokens; t++) {
                const char *at = record[t] + i * 4;  // of sections with four bytes for 32 elements
                const vi total = block_dot(start_sum(type, at + offset_at), w.w, (const int8_t *)record[t] + i * 32, 8,
                                           group_span(type), is_full(type));
#if defined(LANE_RUNS)
                sum_run(&acc[t], &total, &w.d, (const float *)(at + d_at));
#else
                const vf d = vf_mul(w.d, vf_broadcast((const float *)(at + d_at)));
                acc[t] = vf_fma(vf_from_int(total), d, acc[t]);
#endif
                if (has_min(type)) acc[t] = vf_fma(w.m, vf_broadcast((const float *)(at + s_at)), acc[t]);
            }
        }
    }
    for (int t = 0; t < tokens; t++) vf_store_from(job->out + (first + t) * job->out_stride + p.row, acc[t], p.skip);
}

/// The sum of 16 products. q: of the token. Records hold no offsets of so few elements: the bias is multiplied with the
/// inputs here.
INLINE vi dot16(int32_t type, const vi w[4], const int8_t *q) {
    vi biases[4];
    UNROLL for (int g = 0; g < 4; g++) biases[g] = v_set8(code_bias(type));
    const vi bias = block_dot(v_zero(), biases, q, 4, group_span(type), false);
    return v_sub32(block_dot(v_zero(), w, q, 4, group_span(type), false), bias);
}

/// other: as for direct32.
INLINE void direct64(int32_t type, const leap_matmul_job *job, panel p, int64_t first, int tokens, bool other) {
    const int64_t cols = job->w.cols, blocks = cols / 64;
    const size_t bytes = block_bytes(type), record_bytes = leap_act32_bytes(cols);
    const ptrdiff_t d_at = (ptrdiff_t)leap_act_d_at(cols);
    const char *record[DIRECT_TOKENS];
    vf acc[DIRECT_TOKENS];
    for (int t = 0; t < tokens; t++) {
        record[t] = leap_job_record(job, record_bytes, first + t);
        acc[t] = vf_zero();
    }
    row_set rows = rows_at(p.data, p.row_bytes);
    const uint8_t *ahead = p.data + LANES * p.row_bytes;  // the next panel, as in direct32
    const int streams = other ? AHEAD_STREAMS_OTHER : AHEAD_STREAMS_32;
    const size_t step = LANES * bytes / (size_t)streams, stream = LANES * p.row_bytes / (size_t)streams;
    for (int64_t b = 0; b < blocks; b++, rows_advance(&rows, bytes), ahead += step) {
        UNROLL for (int s = 0; s < streams; s++) prefetch_lines(ahead + (size_t)s * stream, step);
        vi c[8];
        columns64(type, &rows, c);
        UNROLL for (int part = 0; part < 4; part++) {
            block16 w;
            unpack64(type, &rows, c, part, &w);
            for (int t = 0; t < tokens; t++) {
                const vi total = dot16(type, w.w, (const int8_t *)record[t] + b * 64 + part * 16);
                const vf d_x = vf_broadcast((const float *)(record[t] + d_at) + 2 * b + part / 2);
                acc[t] = vf_fma(vf_from_int(total), vf_mul(w.d, d_x), acc[t]);
            }
        }
    }
    for (int t = 0; t < tokens; t++) vf_store_from(job->out + (first + t) * job->out_stride + p.row, acc[t], p.skip);
}

/// total + the scaled sums of two neighbouring sub-blocks. fit: both sums fit 16 bits.
INLINE vi add_pair(bool fit, vi first, vi second, vi scales, vi total) {
    if (fit) return v_dot16(total, v_pair16(first, second), scales);
    total = v_add32(total, v_mul32(first, first_scale(scales)));
    return v_add32(total, v_mul32(second, second_scale(scales)));
}

/// The sum of one sub-block of a token. element: its first element within the record.
INLINE vi sub_block_dot(int32_t type, const vi *w, const leap_act256 *act, int64_t element) {
    const int size = sub_block(type);
    const int32_t *offset = size == 16 ? act->offset16 + element / 16 : act->offset32 + element / 32;
    return block_dot(start_sum(type, offset), w, act->q + element, size / 4, group_span(type), is_full(type));
}

/// total + the products of a quarter of a block. element: the block's first element within the record.
/// ahead: `step` bytes to ask for meanwhile, or none.
INLINE vi add_quarter(int32_t type, bool fit, const vi w[16], const vi *scale, int q, const leap_act256 *act,
                      int64_t element, const uint8_t *ahead, size_t step, vi total) {
    const int e0 = first_of_quarter(type, q), e1 = second_of_quarter(type, q);
    const int64_t at0 = element + 32 * e0, at1 = element + 32 * e1;
    if (sub_block(type) == 32) {  // the quarter's halves are neighbours
        const vi first = sub_block_dot(type, w, act, at0);
        prefetch_lines(ahead, step);
        return add_pair(fit, first, sub_block_dot(type, w + 8, act, at1), scale[q], total);
    }
    total = add_pair(fit, sub_block_dot(type, w, act, at0), sub_block_dot(type, w + 4, act, at0 + 16), scale[e0], total);
    prefetch_lines(ahead, step);
    return add_pair(fit, sub_block_dot(type, w + 8, act, at1), sub_block_dot(type, w + 12, act, at1 + 16), scale[e1],
                    total);
}

/// other: the requests of the `other` kernels (reading.h): each line once where the first ask twice, and twice where
/// they do not.
INLINE void direct256(int32_t type, const leap_matmul_job *job, panel p, int64_t first, int tokens, bool other) {
#if defined(TILES_OF_AVX2)
    if (has_token_rows(type, tokens)) {
        token256(type, job, p, first, tokens, other);
        return;
    }
#endif
    const int64_t cols = job->w.cols, blocks = cols / 256;
    const size_t bytes = block_bytes(type);
    const size_t record_bytes = leap_act256_bytes(cols);
    const int min_pairs = sub_block(type) == 16 ? 8 : 4;
    leap_act256 act[DIRECT_TOKENS];
    for (int t = 0; t < tokens; t++) act[t] = leap_act256_view(leap_job_record(job, record_bytes, first + t), cols);
    vf acc[DIRECT_TOKENS];
    for (int t = 0; t < tokens; t++) acc[t] = vf_zero();
    row_set rows = rows_at(p.data, p.row_bytes);
    // The next panel: a quarter of a block asks for as much of it, a part of every stream.
    const uint8_t *ahead = p.data + LANES * p.row_bytes;
    const size_t step = LANES * bytes / 4 / AHEAD_STREAMS_256, stream = LANES * p.row_bytes / AHEAD_STREAMS_256;
    // More tokens compute longer than memory takes.
    const bool again = asks_again(type) != other && tokens <= 2 && !has_grid(type);
    for (int64_t b = 0; b < blocks; b++, rows_advance(&rows, bytes)) {
        block256 state;
        begin256(type, &rows, &state);
        vi total[DIRECT_TOKENS];
        bool fit[DIRECT_TOKENS];
        for (int t = 0; t < tokens; t++) {
            const int16_t *most = sub_block(type) == 16 ? act[t].most16 : act[t].most32;
            // A single token waits for memory, not for multiplications.
            fit[t] = tokens > 1 && has_packed_sums(type) && sums_fit_16(type, most[b]);
            total[t] = v_zero();
        }
        UNROLL for (int q = 0; q < 4; q++) {
            prefetch_lines(ahead, step);
            if (again && (size_t)q * 64 < bytes) prefetch_again(&rows, (size_t)b * bytes, (size_t)q * 64);
            vi w[16];
            unpack_quarter(type, &rows, q, &state, w);
            prefetch_lines(ahead + stream, step);
            for (int t = 0; t < tokens; t++) {
                total[t] = add_quarter(type, fit[t], w, state.scale, q, &act[t], b * 256, ahead + 2 * stream,
                                       t == 0 ? step : 0, total[t]);
            }
            prefetch_lines(ahead + 3 * stream, step);
            ahead += step;
        }
        for (int t = 0; t < tokens; t++) {
            vi minimums = v_zero();
            if (has_min(type)) {
                const int16_t *sums = min_pairs == 8 ? act[t].sum16 + b * 16 : act[t].sum32 + b * 8;
                UNROLL for (int k = 0; k < min_pairs; k++) {
                    minimums = v_dot16(minimums, state.min[k], v_broadcast32(sums + 2 * k));
                }
            }
            acc[t] = finish_block256(has_min(type), total[t], minimums, state.d, has_min(type) ? state.dmin : vf_zero(),
                                     vf_broadcast(act[t].d + b), acc[t]);
        }
    }
    for (int t = 0; t < tokens; t++) vf_store_from(job->out + (first + t) * job->out_stride + p.row, acc[t], p.skip);
}
