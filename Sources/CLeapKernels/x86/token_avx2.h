// A panel of rows times a few tokens on plain AVX2, for blocks of 256 with codes of four to six bits. Part of
// quantized.h.
//
// Where rows lie in lanes (direct.h), weights are transposed, every four inputs are broadcast, and what a quarter is
// unpacked to does not fit 16 registers: with one token instructions limit that, not memory. Here rows follow each
// other within a block. 32 inputs lie in a register as they do in memory, sums of sub-blocks are scaled as they are
// widened, and the sums of a block's eight rows are transposed, once. They are the same integers, and floats are
// computed as in direct256.

/// Tokens up to which rows follow each other: more are worth the transposition.
#define ROW_TOKENS 4
/// Whether so many tokens are multiplied row by row.
OPERATION bool has_token_rows(int32_t type, int tokens) {
    return tokens <= ROW_TOKENS && (type == LEAP_Q4_K || type == LEAP_Q5_K || type == LEAP_Q6_K);
}

/// Masks of shuffles that put a number of each half of a register everywhere in that half, in 16 bits: byte i, or the
/// 16 bits at 2 i.
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

/// What `mask` takes of the scales.
///
/// As instructions, like the products: compilers make two shuffles of one, and keep inputs for the next row in memory.
INLINE vi token_scale(vi scales, const uint8_t *mask) {
    vi x;
    __asm__ volatile("vpshufb %[mask], %[scales], %[x]" : [x] "=x"(x) : [scales] "x"(scales), [mask] "m"(*(const vi *)mask));
    return x;
}

/// sum + the products of 32 codes with the inputs at q, times `scale`.
INLINE vi token_products(vi sum, vi codes, const int8_t *q, vi scale) {
    vi x;
    __asm__ volatile("vpmaddubsw %[q], %[codes], %[x]\n\tvpmaddwd %[scale], %[x], %[x]\n\tvpaddd %[x], %[sum], %[sum]"
                     : [sum] "+x"(sum), [x] "=&x"(x)
                     : [codes] "x"(codes), [scale] "x"(scale), [q] "m"(*(const vi *)q));
    return sum;
}

/// Codes of four bits in the low and high halves of bytes: elements 32 apart.
INLINE void token_nibbles(const uint8_t *p, vi w[2]) {
    const vi c = v_load_now(p), nibble = v_set8(15);
    w[0] = v_and(c, nibble);
    w[1] = v_and(v_shr32(c, 4), nibble);
}

/// sum[token] = a block of row `r` of a panel times the inputs at q[token], as eight sums. scales: of Q4_K and Q5_K the
/// bytes of rows r and r + 1 in turn, of Q6_K 16 bits, in one half for even and in the other for odd 16 elements.
INLINE void token_row(int32_t type, int r, const uint8_t *block, const int8_t *const q[], vi scales, vi sum[], int tokens) {
    UNROLL for (int t = 0; t < tokens; t++) sum[t] = v_zero();
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
            const vi scale = token_scale(scales, type == LEAP_Q6_K ? word_everywhere[place] : byte_everywhere[r % 2 * 8 + place]);
            UNROLL for (int t = 0; t < tokens; t++) sum[t] = token_products(sum[t], w[i], q[t] + 32 * place, scale);
        }
    }
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

/// What the rows of a block share.
typedef struct {
    vf d, dmin;
    vi scales[2];  ///< of Q4_K and Q5_K, in bytes: of rows 0, 1 and 4, 5; of rows 2, 3 and 6, 7
    vi inputs[ROW_TOKENS];    ///< of Q6_K: token_sums16
    vi minimums[ROW_TOKENS];  ///< with rows in lanes
} token_block;

/// Block b of `rows`, which are there already.
INLINE void begin_token_block(int32_t type, const row_set *rows, const leap_act256 act[], int64_t b, int tokens, token_block *out) {
    UNROLL for (int t = 0; t < tokens; t++) out->minimums[t] = v_zero();
    if (type == LEAP_Q6_K) {
        out->d = vf_halves(rows, 208);
        out->dmin = vf_zero();
        UNROLL for (int t = 0; t < tokens; t++) out->inputs[t] = token_sums16(act[t].sum16 + b * 16);
        return;
    }
    vi c[4], scale[2], min[2], pairs[4];
    block256 factors;
    v_columns(rows, 0, c);
    factor_and_minimum(c[0], &factors);
    six_bits(c, scale, min);
    out->d = factors.d;
    out->dmin = factors.dmin;
    out->scales[0] = _mm256_unpacklo_epi32(scale[0], scale[1]);
    out->scales[1] = _mm256_unpackhi_epi32(scale[0], scale[1]);
    UNROLL for (int i = 0; i < 2; i++) byte_pairs(min[i], pairs + 2 * i);
    UNROLL for (int k = 0; k < 4; k++) {
        UNROLL for (int t = 0; t < tokens; t++) {
            out->minimums[t] = v_dot16(out->minimums[t], pairs[k], v_broadcast32(act[t].sum32 + b * 8 + 2 * k));
        }
    }
}

/// The scales of row r, for token_row.
INLINE vi token_scales(int32_t type, int r, const uint8_t *block, const token_block *shared) {
    if (type == LEAP_Q6_K) return token_scales16(block);
    const vi rows = shared->scales[r % 4 / 2];
    return r < 4 ? _mm256_permute4x64_epi64(rows, 0x44) : _mm256_permute4x64_epi64(rows, 0xee);
}

/// `tokens` is a constant where this is used.
INLINE void token_rows(int32_t type, const leap_matmul_job *job, panel p, int64_t first, int tokens, bool other) {
    const int64_t cols = job->w.cols, blocks = cols / 256;
    const size_t bytes = block_bytes(type);
    leap_act256 act[ROW_TOKENS];
    vf acc[ROW_TOKENS];
    UNROLL for (int t = 0; t < tokens; t++) {
        act[t] = leap_act256_view(leap_job_record(job, leap_act256_bytes(cols), first + t), cols);
        acc[t] = vf_zero();
    }
    row_set rows = rows_at(p.data, p.row_bytes);
    // The next panel: two rows of a block ask for as much of it, a part of every stream.
    const uint8_t *ahead = p.data + LANES * p.row_bytes;
    const size_t step = LANES * bytes / 4 / AHEAD_STREAMS_256, stream = LANES * p.row_bytes / AHEAD_STREAMS_256;
    const bool again = asks_again(type) != other && tokens <= 2;
    for (int64_t b = 0; b < blocks; b++, rows_advance(&rows, bytes)) {
        const int8_t *q[ROW_TOKENS];
        token_block shared;
        UNROLL for (int t = 0; t < tokens; t++) q[t] = act[t].q + b * 256;
        begin_token_block(type, &rows, act, b, tokens, &shared);
        vi sum[2][ROW_TOKENS], half[2][ROW_TOKENS], quarter[2][ROW_TOKENS];
        UNROLL for (int r = 0; r < LANES; r++) {
            prefetch_lines(ahead + (size_t)(r % 2 * 2) * stream, step);
            prefetch_lines(ahead + (size_t)(r % 2 * 2 + 1) * stream, step);
            if (again && r % 2 == 0 && (size_t)r / 2 * 64 < bytes) prefetch_again(&rows, (size_t)b * bytes, (size_t)r / 2 * 64);
            if (r % 2 == 1) ahead += step;
            const uint8_t *block = row_byte(&rows, r, 0);
            const vi scales = token_scales(type, r, block, &shared);
            token_row(type, r, block, q, scales, sum[r % 2], tokens);
            UNROLL for (int t = 0; t < tokens; t++) {
                if (type == LEAP_Q6_K) {
                    sum[r % 2][t] = v_sub32(sum[r % 2][t], v_shl32(_mm256_madd_epi16(scales, shared.inputs[t]), 5));
                }
                if (r % 2 == 1) quarter[r % 4 / 2][t] = _mm256_hadd_epi32(sum[0][t], sum[1][t]);
                if (r % 4 == 3) half[r / 4][t] = _mm256_hadd_epi32(quarter[0][t], quarter[1][t]);
            }
        }
        UNROLL for (int t = 0; t < tokens; t++) {
            acc[t] = finish_block256(has_min(type), token_sums(half[0][t], half[1][t]), shared.minimums[t], shared.d, shared.dmin,
                                     vf_broadcast(act[t].d + b), acc[t]);
        }
    }
    UNROLL for (int t = 0; t < tokens; t++) vf_store_from(job->out + (first + t) * job->out_stride + p.row, acc[t], p.skip);
}

/// As direct256, for at most ROW_TOKENS tokens, which are more than none.
INLINE void token256(int32_t type, const leap_matmul_job *job, panel p, int64_t first, int tokens, bool other) {
    switch (tokens) {
    case 1: token_rows(type, job, p, first, 1, other); return;
    case 2: token_rows(type, job, p, first, 2, other); return;
    case 3: token_rows(type, job, p, first, 3, other); return;
    default: token_rows(type, job, p, first, ROW_TOKENS, other);
    }
}
