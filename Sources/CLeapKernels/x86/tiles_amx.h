// Two panels of rows times many tokens in tile registers (AMX), for types with blocks of 256. Include it after
// panels.h.
//
// The sums of sub-blocks are scaled by integers, so scales can be multiplied into the weights before instead: their
// product needs two digits, weight * scale = 128 high + low, each a signed byte. A whole block is then two chains of
// tile products without anything in between, and 128 * sum(high) + sum(low) is the very integer that the other kernels
// come to: results are the same bits. Blocks of 32 have float scales; for them tiles gain nothing over VNNI.

#include "amx.h"
#include "quantized_kernels.h"

/// Sums: registers 0, 1 (high digits) and 2, 3 (low) | tokens: 4, 5 | weights: 6 (high), 7 (low).

/// Tokens of a tile register. Two of them share the weights of a product.
#define AMX_TOKENS 16
/// Elements that one tile product sums.
#define AMX_DEPTH 64
/// Columns of an unpacked pair of panels: with the inputs of two tiles they stay in the first-level cache.
#define AMX_CHUNK_COLS 256
/// Pairs of panels that one part of the inputs is multiplied with before the next part is read.
#define AMX_PAIRS 4
/// Tokens that share one unpacking of a panel.
#define TOKENS_MAX 512
/// Tokens from which on unpacking panels into digits pays.
#define AMX_TOKENS_MIN 64

/// Bytes of a tile register of weights: 16 groups of four elements for 16 rows.
#define AMX_TILE_BYTES 1024
/// Unpacked weights of a block for one panel: for each 64 elements a tile of high digits and one of low digits.
#define AMX_BLOCK_BYTES (256 / AMX_DEPTH * 2 * AMX_TILE_BYTES)

/// Keeps the work on one token together: left alone, the compiler does every token's first half before any second half,
/// and spills what is in between.
#define AMX_FENCE(x) __asm__ volatile("" : "+v"(x) : : "memory")

// MARK: Unpacking

/// weight * scale in two digits for a group of four elements of 16 rows. scale: in both halves of every lane.
INLINE void split_digits(vi w, int bias, vi scale, uint8_t *high, uint8_t *low) {
    const vi byte = _mm512_set1_epi16(0xff), seven = _mm512_set1_epi16(0x7f), offset = _mm512_set1_epi16((short)bias);
    const vi even = _mm512_mullo_epi16(_mm512_sub_epi16(v_and(w, byte), offset), scale);
    const vi odd = _mm512_mullo_epi16(_mm512_sub_epi16(_mm512_srli_epi16(w, 8), offset), scale);
    v_store(low, v_or(v_and(even, seven), _mm512_slli_epi16(v_and(odd, seven), 8)));
    v_store(high, v_or(v_and(_mm512_srai_epi16(even, 7), byte), _mm512_slli_epi16(_mm512_srai_epi16(odd, 7), 8)));
}

/// Digits of panels that unpack_panels256 has unpacked. digits: [block][side][AMX_BLOCK_BYTES].
INLINE void store_digits(int32_t type, const uint8_t *unpacked, int64_t cols, uint8_t *digits) {
    const int groups = 2 * sub_block(type) / 4, pairs = 128 / sub_block(type), bias = is_biased(type) ? code_bias(type) : 0;
    const size_t step = (size_t)(groups + 1) * PAIR;
    for (int64_t b = 0; b < cols / 256; b++, unpacked += unpacked_bytes(type)) {
        for (int side = 0; side < 2; side++, digits += AMX_BLOCK_BYTES) {
            const uint8_t *panel = unpacked + (size_t)side * sizeof(vi);
            for (int j = 0; j < pairs; j++) {
                const vi both = v_load(panel + (size_t)j * step + (size_t)groups * PAIR);
                const vi scale[2] = {v_pair16(both, both), v_pair16(v_shr32(both, 16), v_shr32(both, 16))};
                for (int g = 0; g < groups; g++) {
                    const int group = j * groups + g;
                    uint8_t *to = digits + (size_t)(group / 16) * 2 * AMX_TILE_BYTES + (size_t)(group % 16) * 64;
                    const vi w = v_load(panel + (size_t)j * step + (size_t)g * PAIR);
                    split_digits(w, bias, scale[g * 2 / groups], to, to + AMX_TILE_BYTES);
                }
            }
        }
    }
}

// MARK: Products

/// AMX_TOKENS tokens.
typedef struct {
    const int8_t *q;      ///< their elements from the chunk's first on, q_stride bytes apart
    size_t q_stride;
    const char *record[AMX_TOKENS];  ///< their records, for scales and sums
    size_t stride;        ///< distance of the records where they follow one another, else 0
    float *sums;          ///< [AMX_TOKENS][2][LANES]
} amx_tokens;

/// Sums of one digit for 16 tokens and 16 rows.
typedef int32_t amx_sums[AMX_TOKENS][LANES];

/// sums[half][digit] = the products of a block of 256. digits: of its panel. at: its first element in the chunk.
INLINE void amx_block(const amx_tokens halves[2], const uint8_t *digits, int64_t at, amx_sums sums[2][2]) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    UNROLL for (int k = 0; k < 256 / AMX_DEPTH; k++, digits += 2 * AMX_TILE_BYTES) {
        _tile_loadd(6, digits, 64);
        _tile_loadd(4, halves[0].q + at + k * AMX_DEPTH, halves[0].q_stride);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(5, halves[1].q + at + k * AMX_DEPTH, halves[1].q_stride);
        _tile_dpbssd(1, 5, 6);
        _tile_loadd(7, digits + AMX_TILE_BYTES, 64);
        _tile_dpbssd(2, 4, 7);
        _tile_dpbssd(3, 5, 7);
    }
    _tile_stored(0, sums[0][0], 64);
    _tile_stored(1, sums[1][0], 64);
    _tile_stored(2, sums[0][1], 64);
    _tile_stored(3, sums[1][1], 64);
}

/// Which part of the chunk is worked on, and where its sections lie.
typedef struct {
    int64_t first_block, blocks;
    bool begins;          ///< sums start from zero
    ptrdiff_t d_at, sum_at;
} amx_chunk;

/// One place in the record of every token: few registers where records follow one another.
typedef struct {
    row_set rows;
    ptrdiff_t at;
} amx_place;

INLINE amx_place amx_place_at(bool strided, const amx_tokens *tokens, ptrdiff_t at) {
    amx_place place = {.at = at};
    if (strided) place.rows = rows_at((const uint8_t *)tokens->record[0] + at, tokens->stride);
    return place;
}

/// `offset` bytes behind the place in the record of token t.
INLINE const void *amx_at(bool strided, const amx_tokens *tokens, const amx_place *place, int t, size_t offset) {
    return strided ? (const void *)row_byte(&place->rows, t, offset) : tokens->record[t] + place->at + offset;
}

/// The float step of block b for 16 tokens and one panel. tail: the unpacked panel's minimums and scales.
INLINE void amx_finish(int32_t type, bool strided, const amx_chunk *chunk, const amx_tokens *tokens, int64_t b, int side,
                       const uint8_t *tail, amx_sums sums[2]) {
    const bool min = has_min(type), begins = chunk->begins && b == 0;
    const int pairs = 128 / sub_block(type);
    const int64_t block = chunk->first_block + b;
    const amx_place d_x = amx_place_at(strided, tokens, chunk->d_at + block * 4);
    const amx_place x_sums = amx_place_at(strided, tokens, chunk->sum_at + block * pairs * 4);
    vi minimum[8];
    UNROLL for (int k = 0; k < (min ? pairs : 0); k++) minimum[k] = v_load(tail + (size_t)k * PAIR);
    if (min) tail += (size_t)pairs * PAIR;
    const vf d = vf_load(tail), dmin = min ? vf_load(tail + PAIR) : vf_zero();
    float *out = tokens->sums + side * LANES;
    UNROLL for (int t = 0; t < AMX_TOKENS; t++, out += 2 * LANES) {
        const vi total = v_add32(v_shl32(v_load(sums[0][t]), 7), v_load(sums[1][t]));
        vi minimums = v_zero();
        UNROLL for (int k = 0; k < (min ? pairs : 0); k++) {
            minimums = v_dot16(minimums, minimum[k],
                               v_broadcast32(amx_at(strided, tokens, &x_sums, t, (size_t)k * 4)));
        }
        const vf acc = begins ? vf_zero() : vf_load(out);
        vf value = finish_block256(min, total, minimums, d, dmin, vf_broadcast(amx_at(strided, tokens, &d_x, t, 0)), acc);
        AMX_FENCE(value);
        vf_store(out, value);
    }
}

/// All blocks of a chunk for two halves of tokens and both panels.
INLINE void amx_multiply(int32_t type, bool strided, const amx_chunk *chunk, const amx_tokens halves[2],
                         const uint8_t *unpacked, const uint8_t *digits) {
    _Alignas(64) amx_sums sums[2][2][2];
    const size_t tail_at = unpacked_bytes(type) - (has_min(type) ? (size_t)(128 / sub_block(type) + 2) : 1) * PAIR;
    const int64_t count = chunk->blocks * 2;
    amx_block(halves, digits, 0, sums[0]);
    for (int64_t i = 0; i < count; i++) {
        // The next block is multiplied while this one is scaled.
        if (i + 1 < count) {
            amx_block(halves, digits + (size_t)(i + 1) * AMX_BLOCK_BYTES, (i + 1) / 2 * 256, sums[(i + 1) % 2]);
        }
        const int64_t b = i / 2;
        const int side = (int)(i % 2);
        const uint8_t *tail = unpacked + (size_t)b * unpacked_bytes(type) + tail_at + (size_t)side * sizeof(vi);
        for (int half = 0; half < 2; half++) {
            amx_finish(type, strided, chunk, &halves[half], b, side, tail, sums[i % 2][half]);
        }
    }
}

/// The kernels of a type: digits of unpacked panels, and the products of all blocks of a chunk.
typedef struct {
    void (*store_digits)(const uint8_t *unpacked, int64_t cols, uint8_t *digits);
    void (*multiply)(const amx_chunk *chunk, const amx_tokens halves[2], const uint8_t *unpacked, const uint8_t *digits);
} amx_kernels;

#define AMX_FUNCTIONS(NAME, name, ...)                                                                              \
    static __attribute__((noinline)) void store_digits_##name(const uint8_t *unpacked, int64_t cols,                \
                                                              uint8_t *digits) {                                    \
        store_digits(LEAP_##NAME, unpacked, cols, digits);                                                          \
    }                                                                                                               \
    static __attribute__((noinline)) void amx_##name(const amx_chunk *chunk, const amx_tokens halves[2],            \
                                                     const uint8_t *unpacked, const uint8_t *digits) {              \
        if (halves[0].stride != 0) {                                                                                \
            amx_multiply(LEAP_##NAME, true, chunk, halves, unpacked, digits);                                       \
        } else {                                                                                                    \
            amx_multiply(LEAP_##NAME, false, chunk, halves, unpacked, digits);                                      \
        }                                                                                                           \
    }
LEAP_TYPES_256(AMX_FUNCTIONS)

#define AMX_KERNELS_OF(NAME, name, ...) [LEAP_##NAME] = {store_digits_##name, amx_##name},
static const amx_kernels amx_kernels_by_type[LEAP_TENSOR_TYPE_LIMIT] = {LEAP_TYPES_256(AMX_KERNELS_OF)};

/// AMX_TOKENS tokens of a job from `first` on: points at them where they follow one another, else copies what tiles
/// read.
static void amx_take(amx_tokens *tokens, const leap_matmul_job *job, size_t record_bytes, int64_t first, int64_t col,
                     int64_t width, int8_t *copies) {
    for (int t = 0; t < AMX_TOKENS; t++) tokens->record[t] = leap_job_record(job, record_bytes, first + t);
    if (!job->gather) {
        tokens->stride = tokens->q_stride = record_bytes;
        tokens->q = (const int8_t *)tokens->record[0] + col;
        return;
    }
    tokens->stride = 0;
    tokens->q_stride = AMX_CHUNK_COLS + LEAP_ALIGNMENT;  // not a power of two: rows would meet in the same cache sets
    tokens->q = copies;
    for (int t = 0; t < AMX_TOKENS; t++) {
        memcpy(copies + (size_t)t * tokens->q_stride, tokens->record[t] + col, (size_t)width);
    }
}

/// The records of a job's tokens, and where their sections lie.
typedef struct {
    size_t record_bytes;
    ptrdiff_t d_at, sum_at;
} amx_layout;

/// One pair of panels and one chunk of columns with tokens begin ..< end. sums: [tokens, rounded up to pairs of
/// tiles][2][LANES].
static void amx_pair(const leap_matmul_job *job, const amx_layout *layout, int64_t row, int64_t col, int64_t begin,
                     int64_t end, float *sums, uint8_t *scratch) {
    const int32_t type = job->w.type;
    const int64_t cols = job->w.cols, width = cols - col < AMX_CHUNK_COLS ? cols - col : AMX_CHUNK_COLS;
    const panel panels[2] = {panel_at(job, row), panel_at(job, row + LANES)};
    uint8_t *digits = scratch, *unpacked = digits + AMX_CHUNK_COLS / 256 * 2 * AMX_BLOCK_BYTES;
    int8_t *copies = (int8_t *)unpacked + AMX_CHUNK_COLS / 256 * unpacked_bytes(type);
    const amx_kernels *kernels = &amx_kernels_by_type[type];
    leap_x86_avx512vnni_quantized[type].unpack_panels(panels, col, width, unpacked);
    kernels->store_digits(unpacked, width, digits);
    const amx_chunk chunk = {col / 256, width / 256, col == 0, layout->d_at, layout->sum_at};
    for (int64_t from = begin; from < end; from += 2 * AMX_TOKENS) {
        amx_tokens halves[2];
        int64_t first[2];
        for (int half = 0; half < 2; half++, sums += AMX_TOKENS * 2 * LANES) {
            // The last tiles begin early, so that they are full; what they share with others comes out the same.
            first[half] = from + half * AMX_TOKENS;
            if (first[half] + AMX_TOKENS > job->tokens) first[half] = job->tokens - AMX_TOKENS;
            int8_t *copy = copies + (size_t)half * AMX_TOKENS * (AMX_CHUNK_COLS + LEAP_ALIGNMENT);
            amx_take(&halves[half], job, layout->record_bytes, first[half], col, width, copy);
            halves[half].sums = sums;
        }
        kernels->multiply(&chunk, halves, unpacked, digits);
        if (col + width < cols) continue;
        for (int half = 0; half < 2; half++) {
            for (int t = 0; t < AMX_TOKENS; t++) {
                float *out = job->out + (first[half] + t) * job->out_stride;
                const float *sum = halves[half].sums + 2 * t * LANES;
                vf_store_from(out + panels[0].row, vf_load(sum), panels[0].skip);
                vf_store_from(out + panels[1].row, vf_load(sum + LANES), panels[1].skip);
            }
        }
    }
}

/// Rows row_begin ..< row_end with all tokens, at least AMX_TOKENS_MIN of them.
static void amx_tiles(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, void *scratch) {
    enum { sums_count = (TOKENS_MAX + 2 * AMX_TOKENS) * 2 * LANES };
    const int64_t cols = job->w.cols;
    const bool small = sub_block(job->w.type) == 16;
    const amx_layout layout = {leap_act256_bytes(cols), (ptrdiff_t)leap_act_d_at(cols),
                               (ptrdiff_t)(small ? leap_act256_sum16_at(cols) : leap_act256_sum32_at(cols))};
    float *sums = scratch;
    uint8_t *rest = (uint8_t *)(sums + AMX_PAIRS * sums_count);
    amx_configure();
    for (int64_t row = row_begin; row < row_end; row += AMX_PAIRS * 2 * LANES) {
        for (int64_t begin = 0; begin < job->tokens; begin += TOKENS_MAX) {
            const int64_t end = job->tokens - begin < TOKENS_MAX ? job->tokens : begin + TOKENS_MAX;
            for (int64_t col = 0; col < cols; col += AMX_CHUNK_COLS) {
                for (int pair = 0; pair < AMX_PAIRS && row + pair * 2 * LANES < row_end; pair++) {
                    amx_pair(job, &layout, row + pair * 2 * LANES, col, begin, end, sums + pair * sums_count, rest);
                }
            }
        }
    }
    amx_release();
}

/// Many tokens in tile registers; few tokens, and matrices narrower than a register, as with AVX-512 VNNI.
static void amx_rows(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {
    if (job->tokens >= AMX_TOKENS_MIN && job->w.rows >= LANES) {
        amx_tiles(job, begin, end, scratch);
    } else {
        leap_x86_avx512vnni_quantized[job->w.type].rows(job, begin, end, scratch);
    }
}
