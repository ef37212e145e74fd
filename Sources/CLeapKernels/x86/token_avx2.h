// A panel of rows times one token on plain AVX2, for blocks of 256 with codes of four to six bits. Part of quantized.h.
//
// Where rows lie in lanes (direct.h), weights are transposed, every four inputs are broadcast, and what a quarter is unpacked to does not fit 16
// registers: with one token instructions limit that, not memory. Here rows follow each other within a block. 32 inputs lie in a register as they do in
// memory, sums of sub-blocks are scaled as they are widened, and the sums of a block's eight rows are transposed, once. They are the same
// integers, and floats are computed as in direct256.

/// Types whose single tokens are multiplied row by row.
OPERATION bool has_token_rows(int32_t type) { return type == LEAP_Q4_K || type == LEAP_Q5_K || type == LEAP_Q6_K; }

/// Masks of shuffles that put a number of each half of a register everywhere in that half, in 16 bits: byte i, or the 16 bits at 2 i.
#define EVERYWHERE8(a, b) a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b
#define EVERYWHERE(a, b) {EVERYWHERE8(a, b), EVERYWHERE8(a, b)}
static const uint8_t byte_everywhere[16][32] = {
    EVERYWHERE(0, 128),  EVERYWHERE(1, 128),  EVERYWHERE(2, 128),  EVERYWHERE(3, 128), EVERYWHERE(4, 128),  EVERYWHERE(5, 128),
    EVERYWHERE(6, 128),  EVERYWHERE(7, 128),  EVERYWHERE(8, 128),  EVERYWHERE(9, 128), EVERYWHERE(10, 128), EVERYWHERE(11, 128),
    EVERYWHERE(12, 128), EVERYWHERE(13, 128), EVERYWHERE(14, 128), EVERYWHERE(15, 128)};
static const uint8_t word_everywhere[8][32] = {EVERYWHERE(0, 1), EVERYWHERE(2, 3),   EVERYWHERE(4, 5),   EVERYWHERE(6, 7),
                                               EVERYWHERE(8, 9), EVERYWHERE(10, 11), EVERYWHERE(12, 13), EVERYWHERE(14, 15)};
#undef EVERYWHERE
#undef EVERYWHERE8
/// The bytes, or the 16 bits, at even places, then those at odd ones.
static const uint8_t even_bytes_first[16] = {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
static const uint8_t even_words_first[16] = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};

/// sum + the products of 32 codes with the inputs at q, times the scales that `mask` takes.
///
/// In their order: compilers keep inputs for the next row, in memory, and make two shuffles of one.
INLINE vi token_products(vi sum, vi codes, const int8_t *q, vi scales, const uint8_t *mask) {
    vi x, y;
    __asm__ volatile("vpmaddubsw %[q], %[codes], %[x]\n\tvpshufb %[mask], %[scales], %[y]\n\tvpmaddwd %[y], %[x], %[x]\n\t"
                     "vpaddd %[x], %[sum], %[sum]"
                     : [sum] "+x"(sum), [x] "=&x"(x), [y] "=&x"(y)
                     : [codes] "x"(codes), [scales] "x"(scales), [q] "m"(*(const vi *)q), [mask] "m"(*(const vi *)mask));
    return sum;
}

/// Codes of four bits in the low and high halves of bytes: elements 32 apart.
INLINE void token_nibbles(const uint8_t *p, vi w[2]) {
    const vi c = v_load_now(p), nibble = v_set8(15);
    w[0] = v_and(c, nibble);
    w[1] = v_and(v_shr32(c, 4), nibble);
}

/// A block of row `r` of a panel times the inputs at q, as eight sums. scales: of Q4_K and Q5_K the bytes of rows r and r + 1 in turn, of Q6_K
/// 16 bits, in one half for even and in the other for odd 16 elements.
INLINE vi token_row(int32_t type, int r, const uint8_t *block, const int8_t *q, vi scales) {
    vi sum = v_zero();
    const vi high = type == LEAP_Q5_K ? v_load_now(block + 16) : v_zero();
    UNROLL for (int part = 0; part < 4; part++) {
        vi w[2];
        if (type == LEAP_Q6_K) {
            token_nibbles(block + part / 2 * 64 + part % 2 * 32, w);
            const vi bits = v_load(block + 128 + part / 2 * 32);
            UNROLL for (int i = 0; i < 2; i++) w[i] = v_or(w[i], move_bits(bits, part % 2 * 2 + i * 4, 4, 48));
        } else {
            token_nibbles(block + (type == LEAP_Q5_K ? 48 : 16) + part * 32, w);
            UNROLL for (int i = 0; type == LEAP_Q5_K && i < 2; i++) w[i] = v_or(w[i], move_bits(high, 2 * part + i, 4, 16));
        }
        UNROLL for (int i = 0; i < 2; i++) {
            const int place = i == 0 ? first_of_quarter(type, part) : second_of_quarter(type, part);
            const uint8_t *mask = type == LEAP_Q6_K ? word_everywhere[place] : byte_everywhere[r % 2 * 8 + place];
            sum = token_products(sum, w[i], q + 32 * place, scales, mask);
        }
    }
    return sum;
}

/// Sums of four rows with those of the four before them: lane r has the sum of row r.
INLINE vi token_sums(vi first, vi second) {
    return v_add32(_mm256_permute2x128_si256(first, second, 0x20), _mm256_permute2x128_si256(first, second, 0x31));
}

/// The scales of a block of Q6_K: in the halves of the register those of the even and odd 16 elements.
INLINE vi token_scales16(const uint8_t *block) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(block + 192));
    return _mm256_cvtepi8_epi16(_mm_shuffle_epi8(bytes, _mm_loadu_si128((const __m128i *)even_bytes_first)));
}

/// The sums of 16 inputs of a block, in the order of token_scales16.
INLINE vi token_sums16(const int16_t *sums) {
    return _mm256_permute4x64_epi64(v_shuffle8(v_load(sums), v_repeat16(even_words_first)), 0xd8);
}

/// As direct256, for one token.
INLINE void token256(int32_t type, const leap_matmul_job *job, panel p, int64_t t, bool other) {
    const int64_t cols = job->w.cols, blocks = cols / 256;
    const size_t bytes = block_bytes(type);
    const leap_act256 act = leap_act256_view(leap_job_record(job, leap_act256_bytes(cols), t), cols);
    row_set rows = rows_at(p.data, p.row_bytes);
    // The next panel: two rows of a block ask for as much of it, a part of every stream.
    const uint8_t *ahead = p.data + LANES * p.row_bytes;
    const size_t step = LANES * bytes / 4 / AHEAD_STREAMS_256, stream = LANES * p.row_bytes / AHEAD_STREAMS_256;
    const bool again = asks_again(type) != other;
    vf acc = vf_zero();
    for (int64_t b = 0; b < blocks; b++, rows_advance(&rows, bytes)) {
        const int8_t *q = act.q + b * 256;
        block256 state = {.dmin = vf_zero()};
        vi scales[2], inputs = v_zero(), minimums = v_zero();
        if (type == LEAP_Q6_K) {
            state.d = vf_halves(&rows, 208);
            inputs = token_sums16(act.sum16 + b * 16);
        } else {
            vi c[4], scale[2], min[2];
            v_columns(&rows, 0, c);
            factor_and_minimum(c[0], &state);
            six_bits(c, scale, min);
            // Rows 0, 1 and 4, 5; rows 2, 3 and 6, 7.
            scales[0] = _mm256_unpacklo_epi32(scale[0], scale[1]);
            scales[1] = _mm256_unpackhi_epi32(scale[0], scale[1]);
            UNROLL for (int k = 0; k < 4; k++) {
                if (k % 2 == 0) byte_pairs(min[k / 2], state.min + k);
                minimums = v_dot16(minimums, state.min[k], v_broadcast32(act.sum32 + b * 8 + 2 * k));
            }
        }
        vi sum[2], half[2], quarter[2];
        UNROLL for (int r = 0; r < LANES; r++) {
            prefetch_lines(ahead + (size_t)(r % 2 * 2) * stream, step);
            prefetch_lines(ahead + (size_t)(r % 2 * 2 + 1) * stream, step);
            if (again && r % 2 == 0 && (size_t)r / 2 * 64 < bytes) prefetch_again(&rows, (size_t)b * bytes, (size_t)r / 2 * 64);
            if (r % 2 == 1) ahead += step;
            const uint8_t *block = row_byte(&rows, r, 0);
            if (type == LEAP_Q6_K) {
                const vi scale = token_scales16(block);
                sum[r % 2] = token_row(type, r, block, q, scale);
                sum[r % 2] = v_sub32(sum[r % 2], v_shl32(_mm256_madd_epi16(scale, inputs), 5));
            } else {
                const vi pair = scales[r % 4 / 2];
                sum[r % 2] = token_row(type, r, block, q, r < 4 ? _mm256_permute4x64_epi64(pair, 0x44) : _mm256_permute4x64_epi64(pair, 0xee));
            }
            if (r % 2 == 1) quarter[r % 4 / 2] = _mm256_hadd_epi32(sum[0], sum[1]);
            if (r % 4 == 3) half[r / 4] = _mm256_hadd_epi32(quarter[0], quarter[1]);
        }
        acc = finish_block256(has_min(type), token_sums(half[0], half[1]), minimums, state.d, state.dmin, vf_broadcast(act.d + b), acc);
    }
    vf_store_from(job->out + t * job->out_stride + p.row, acc, p.skip);
}
