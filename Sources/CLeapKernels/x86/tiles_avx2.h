// Tiles for AVX2 alone, where a product of bytes is a sum of two in 16 bits. Part of tiles.h.
//
// Multiplications limit these tiles: there are two ports for VPMADDUBSW and VPMADDWD together. So sums stay in 16 bits
// for as long as they fit, and VPMADDWD, which widens them, multiplies them by the scale of their sub-block in the same
// step. There are three ways:
// - codes:   weights as unsigned codes. The sum of a span of groups fits 16 bits whatever the codes are.
// - started: codes with a bias, where the sum of a whole sub-block fits 16 bits once the bias times the inputs is taken
//            away, which sums start from. What lies in between may wrap around.
// - words:   weights that use the whole byte, and inputs, as 16 bits. Products of bytes would take more: signs moved
//            from one factor to the other, and a VPMADDWD for every VPMADDUBSW.
//
// An unpacked panel pair, by block (every vector stands twice, for the first and the second panel):
//   blocks of 32:  8 groups of four elements | scale | minimum, where the type has one
//   blocks of 256: for each sub-block its groups | its scale, twice in 16 bits
//                  | pairs for corrections, where the type has any | d | dmin, where the type has minimums
//   A group of words is two vectors, of two elements each. Scales of sub-blocks are multiplied into words.

/// Bytes of scratch for a tile's inputs as words: two for each of a chunk's elements, and a line.
#define TILE_INPUT_BYTES ((size_t)TILE_TOKENS * (2 * 128 * LANES + 64))

OPERATION bool has_starts(int32_t type) {
    return !is_block32(type) && code_bias(type) != 0 && sub_block(type) / 2 * largest_weight(type) * 127 <= INT16_MAX;
}

/// Codes whose bias is left in the sums, to be taken away from them in 32 bits.
OPERATION bool keeps_bias(int32_t type) { return code_bias(type) != 0 && !has_starts(type) && !has_words(type); }

/// Groups whose sums fit 16 bits, of a sub-block.
INLINE int tile_span(int32_t type) {
    const int groups = sub_block(type) / 4, fitting = has_starts(type) ? groups : group_span(type);
    return fitting < groups ? fitting : groups;
}

/// Pairs of 16 bits that a block's sums of inputs are multiplied with: minimums, or scales for the bias.
INLINE int correction_pairs(int32_t type) {
    return !is_block32(type) && (has_min(type) || keeps_bias(type)) ? 128 / sub_block(type) : 0;
}

/// Vectors of a group for one panel.
OPERATION int group_vectors(int32_t type) { return has_words(type) ? 2 : 1; }

/// Bytes of a sub-block with its scale.
INLINE size_t sub_block_bytes(int32_t type) {
    const int vectors = sub_block(type) / 4 * group_vectors(type);
    return (size_t)(vectors + (is_block32(type) || has_words(type) ? 0 : 1)) * PAIR;
}

/// Bytes of an unpacked pair of blocks.
INLINE size_t tile_block_bytes(int32_t type) {
    const int sub_blocks = is_block32(type) ? 1 : 256 / sub_block(type);
    return (size_t)sub_blocks * sub_block_bytes(type) + (size_t)(correction_pairs(type) + (has_min(type) ? 2 : 1)) * PAIR;
}

// MARK: Unpacking

/// One scale of a pair, twice in 16 bits.
OPERATION vi both_halves(vi pair, int which) {
    const vi x = which ? v_shr32(pair, 16) : pair;
    return v_pair16(x, x);
}

/// Stores group g of a sub-block for one panel. scale: of the sub-block, twice in 16 bits; for words.
INLINE void store_group(int32_t type, vi w, vi scale, uint8_t *sub_block, int g) {
    uint8_t *to = sub_block + (size_t)(g * group_vectors(type)) * PAIR;
    if (!has_words(type)) {
        v_store(to, w);
        return;
    }
    vi words[2];
    signed_byte_pairs(w, words);
    UNROLL for (int i = 0; i < 2; i++) {
        v_store(to + (size_t)i * PAIR, is_block32(type) ? words[i] : _mm256_mullo_epi16(words[i], scale));
    }
}

INLINE void unpack_panels32(int32_t type, const panel *p, int64_t col, int64_t cols, uint8_t *out) {
    const size_t bytes = block_bytes(type);
    const int parts = parts32(type);
    for (int side = 0; side < 2; side++) {
        row_set rows = rows_at(p[side].data + (size_t)(col / (32 * parts)) * bytes, p->row_bytes);
        uint8_t *to = out + (size_t)side * sizeof(vi);
        for (int64_t b = 0; b < cols / (32 * parts); b++, rows_advance(&rows, bytes)) {
            UNROLL for (int part = 0; part < parts; part++, to += tile_block_bytes(type)) {
                block32 w;
                unpack32(type, &rows, part, &w);
                UNROLL for (int g = 0; g < 8; g++) store_group(type, w.w[g], v_zero(), to, g);
                vf_store(to + sub_block_bytes(type), w.d);
                if (has_min(type)) vf_store(to + sub_block_bytes(type) + PAIR, w.m);
            }
        }
    }
}

INLINE void unpack_panels256(int32_t type, const panel *p, int64_t col, int64_t cols, uint8_t *out) {
    const size_t bytes = block_bytes(type), step = sub_block_bytes(type);
    const int groups = sub_block(type) / 4, sub_blocks = 256 / sub_block(type);
    for (int side = 0; side < 2; side++) {
        row_set rows = rows_at(p[side].data + (size_t)(col / 256) * bytes, p->row_bytes);
        uint8_t *to = out + (size_t)side * sizeof(vi);
        for (int64_t b = 0; b < cols / 256; b++, rows_advance(&rows, bytes), to += tile_block_bytes(type)) {
            block256 state;
            begin256(type, &rows, &state);
            UNROLL for (int q = 0; q < 4; q++) {
                vi w[16];
                unpack_quarter(type, &rows, q, &state, w);
                UNROLL for (int i = 0; i < 16; i += groups) {
                    const int first = i < 8 ? first_of_quarter(type, q) : second_of_quarter(type, q);
                    const int j = (8 * first + i % 8) / groups;
                    const vi scale = both_halves(state.scale[j / 2], j % 2);
                    UNROLL for (int g = 0; g < groups; g++) store_group(type, w[i + g], scale, to + (size_t)j * step, g);
                }
            }
            // Some types know their scales only now.
            UNROLL for (int j = 0; j < (has_words(type) ? 0 : sub_blocks); j++) {
                v_store(to + (size_t)(j + 1) * step - PAIR, both_halves(state.scale[j / 2], j % 2));
            }
            uint8_t *tail = to + (size_t)sub_blocks * step;
            UNROLL for (int i = 0; i < correction_pairs(type); i++, tail += PAIR) {
                v_store(tail, has_min(type) ? state.min[i] : state.scale[i]);
            }
            vf_store(tail, state.d);
            if (has_min(type)) vf_store(tail + PAIR, state.dmin);
        }
    }
}

// MARK: Inputs

/// The tile's tokens from the chunk's first element on: where they lie, and where products read them.
typedef struct {
    const int8_t *stored[TILE_TOKENS], *read[TILE_TOKENS];
    int16_t *words[TILE_TOKENS];
} tile_inputs;

INLINE tile_inputs tile_inputs_at(int32_t type, const tile_args *args, int tokens) {
    const int64_t block = is_block32(type) ? 32 : 256;
    tile_inputs inputs;
    UNROLL for (int t = 0; t < tokens; t++) {
        inputs.stored[t] = (const int8_t *)args->record[t] + args->first_block * block;
        // One line more than a power of two, so that tokens lie in different cache sets.
        inputs.words[t] = (int16_t *)(args->inputs + t * (args->blocks * block * 2 + 64));
        inputs.read[t] = has_words(type) ? (const int8_t *)inputs.words[t] : inputs.stored[t];
    }
    return inputs;
}

/// Makes words of the 32 inputs at `element`, for types that read them.
///
/// It is done between the products of the elements before: by itself it would wait for the second-level cache.
INLINE void widen_inputs(int32_t type, const tile_inputs *inputs, int64_t element, int tokens) {
    if (!has_words(type)) return;
    UNROLL for (int t = 0; t < tokens; t++) {
        UNROLL for (int i = 0; i < 32; i += 16) {
            const __m128i x = _mm_loadu_si128((const __m128i *)(inputs->stored[t] + element + i));
            v_store(inputs->words[t] + element + i, _mm256_cvtepi8_epi16(x));
        }
    }
}

// MARK: Products

// The instructions stand in their order: compilers load many groups ahead, and then keep sums in memory.

#define FOUR_BYTES(a) "m"(*(const int8_t(*)[4])(a))

// Two panels' vectors w times the four bytes at a, which are broadcast. multiply: the instruction. add: what sums are
// added with.

/// sum[i] = products of w[i].
#define FIRST_PRODUCTS(multiply)                                                                                     \
    __asm__ volatile("vpbroadcastd %4, %1\n\t" multiply " %1, %2, %0\n\t" multiply " %1, %3, %1"                     \
                     : "=&x"(sum[0]), "=&x"(sum[1]) : "x"(w[0]), "x"(w[1]), FOUR_BYTES(a))
/// sum[i] += products of w[i].
#define MORE_PRODUCTS(multiply, add)                                                                                 \
    __asm__ volatile("vpbroadcastd %6, %2\n\t" multiply " %2, %4, %3\n\t" add " %3, %0, %0\n\t" multiply             \
                     " %2, %5, %2\n\t" add " %2, %1, %1"                                                             \
                     : "+x"(sum[0]), "+x"(sum[1]), "=&x"(x), "=&x"(y) : "x"(w[0]), "x"(w[1]), FOUR_BYTES(a))

INLINE void first_codes(vi sum[2], const vi w[2], const int8_t *a) { FIRST_PRODUCTS("vpmaddubsw"); }
INLINE void first_words(vi sum[2], const vi w[2], const int8_t *a) { FIRST_PRODUCTS("vpmaddwd"); }
INLINE void more_codes(vi sum[2], const vi w[2], const int8_t *a) {
    vi x, y;
    MORE_PRODUCTS("vpmaddubsw", "vpaddw");
}
INLINE void more_words(vi sum[2], const vi w[2], const int8_t *a) {
    vi x, y;
    MORE_PRODUCTS("vpmaddwd", "vpaddd");
}

/// sum[i] = start + products of the codes w[i].
INLINE void started_codes(vi sum[2], const vi w[2], const int8_t *a, vi start) {
    vi x;
    // The start's register becomes a sum.
    __asm__ volatile("vpbroadcastd %5, %2\n\tvpmaddubsw %2, %3, %0\n\tvpaddw %1, %0, %0\n\t"
                     "vpmaddubsw %2, %4, %2\n\tvpaddw %2, %1, %1"
                     : "=&x"(sum[0]), "+x"(start), "=&x"(x) : "x"(w[0]), "x"(w[1]), FOUR_BYTES(a));
    sum[1] = start;
}

/// What the sums of a sub-block start from. stored: for the 16 elements of its beginning, and the ones behind
/// (activation.h).
INLINE vi start_of(int32_t type, const int8_t *stored) {
    const int shift = 5 - __builtin_ctz((unsigned)code_bias(type));
    const vi first = v_sar16(v_broadcast32(stored), shift);
    return sub_block(type) == 16 ? first : _mm256_add_epi16(first, v_sar16(v_broadcast32(stored + 4), shift));
}

/// sum[token][panel] = the products of `groups` groups: of codes in 16 bits, of words in 32. at: of the first input
/// that is read. start: the place of what sums start from, relative to the inputs.
INLINE void tile_sum(int32_t type, vi sum[][2], const uint8_t *panels, const tile_inputs *inputs, int64_t at, int64_t start,
                     int groups, int tokens) {
    UNROLL for (int g = 0; g < groups * group_vectors(type); g++) {
        const uint8_t *group = panels + (size_t)g * PAIR;
        const vi w[2] = {v_load_now(group), v_load_now(group + sizeof(vi))};
        UNROLL for (int t = 0; t < tokens; t++) {
            const int8_t *a = inputs->read[t] + at + 4 * g;
            if (has_words(type)) {
                g == 0 ? first_words(sum[t], w, a) : more_words(sum[t], w, a);
            } else if (g > 0) {
                more_codes(sum[t], w, a);
            } else if (has_starts(type)) {
                started_codes(sum[t], w, a, start_of(type, inputs->read[t] + start));
            } else {
                first_codes(sum[t], w, a);
            }
        }
    }
}

INLINE void begin_sums(const tile_args *args, int tokens) {
    if (!args->begins) return;
    UNROLL for (int i = 0; i < 2 * tokens; i++) vf_store(args->sums + i * LANES, vf_zero());
}

/// total = the products of a block of 32.
INLINE void tile_dot32(int32_t type, vi total[][2], const uint8_t *panels, const tile_inputs *inputs, int64_t element, int tokens) {
    if (has_words(type)) {
        tile_sum(type, total, panels, inputs, 2 * element, 0, 8, tokens);
        return;
    }
    const vi ones = v_set32(0x00010001);
    const int span = tile_span(type);
    UNROLL for (int g = 0; g < 8; g += span) {
        vi sum[TILE_TOKENS][2];
        tile_sum(type, sum, panels + (size_t)g * PAIR, inputs, element + 4 * g, 0, span, tokens);
        UNROLL for (int t = 0; t < tokens; t++) {
            UNROLL for (int side = 0; side < 2; side++) {
                const vi part = _mm256_madd_epi16(sum[t][side], ones);
                total[t][side] = g == 0 ? part : v_add32(total[t][side], part);
            }
        }
    }
}

/// Blocks of 32.
INLINE void tile32(int32_t type, const tile_args *args, int tokens) {
    const tile_inputs inputs = tile_inputs_at(type, args, tokens);
    const uint8_t *panels = args->panels;
    // All that a block needs in registers: compilers read arguments again after a sum was stored.
    float *const sums = args->sums;
    const int64_t blocks = args->blocks;
    const ptrdiff_t d_at = args->d_at, sum_at = args->sum_at - d_at, offset_at = args->offset_at - d_at;
    const char *sections[TILE_TOKENS];  // with four bytes for 32 elements
    UNROLL for (int t = 0; t < tokens; t++) sections[t] = args->record[t] + args->first_block * 4 + d_at;
    begin_sums(args, tokens);
    widen_inputs(type, &inputs, 0, tokens);
    for (int64_t b = 0; b < blocks; b++, panels += tile_block_bytes(type)) {
        vi total[TILE_TOKENS][2];
        if (b + 1 < blocks) widen_inputs(type, &inputs, (b + 1) * 32, tokens);
        tile_dot32(type, total, panels, &inputs, b * 32, tokens);
        const uint8_t *tail = panels + sub_block_bytes(type);
        UNROLL for (int t = 0; t < tokens; t++) {
            const char *at = sections[t] + b * 4;
            const vi offset = keeps_bias(type) ? start_sum(type, at + offset_at) : v_zero();
            const vf d_x = vf_broadcast((const float *)at);
            const vf s = has_min(type) ? vf_broadcast((const float *)(at + sum_at)) : vf_zero();
            UNROLL for (int side = 0; side < 2; side++) {
                const uint8_t *scale = tail + (size_t)side * sizeof(vi);
                float *sum = sums + (2 * t + side) * LANES;
                const vi dot = keeps_bias(type) ? v_add32(total[t][side], offset) : total[t][side];
                vf acc = vf_fma(vf_from_int(dot), vf_mul(vf_load(scale), d_x), vf_load(sum));
                if (has_min(type)) acc = vf_fma(vf_load(scale + PAIR), s, acc);
                vf_store(sum, acc);
            }
        }
    }
}

/// total += the products of a sub-block, scaled. start: as for tile_sum.
INLINE void tile_sub_block(int32_t type, vi total[][2], const uint8_t *panels, const tile_inputs *inputs, int64_t element,
                           int64_t start, int tokens) {
    const int groups = sub_block(type) / 4, span = has_words(type) ? groups : tile_span(type);
    const uint8_t *scale = panels + sub_block_bytes(type) - PAIR;
    UNROLL for (int g = 0; g < groups; g += span) {
        vi sum[TILE_TOKENS][2];
        tile_sum(type, sum, panels + (size_t)g * PAIR, inputs, (has_words(type) ? 2 : 1) * element + 4 * g, start, span, tokens);
        UNROLL for (int t = 0; t < tokens; t++) {
            UNROLL for (int side = 0; side < 2; side++) {
                total[t][side] = has_words(type) ? v_add32(total[t][side], sum[t][side])
                                                 : v_dot16(total[t][side], sum[t][side], v_load(scale + (size_t)side * sizeof(vi)));
            }
        }
    }
}

/// Adds a block's products, scaled, to the tile's sums. tail: what stands behind the block's sub-blocks. d_at, sum_at:
/// the places of the block's factor and of its sums, relative to the inputs.
///
/// Loads limit it, so a panel's factors are in registers for all tokens.
INLINE void finish_tile_block(int32_t type, vi total[][2], const uint8_t *tail, const tile_inputs *inputs, ptrdiff_t d_at,
                              ptrdiff_t sum_at, float *sums, int tokens) {
    const int pairs = correction_pairs(type);
    UNROLL for (int side = 0; side < 2; side++, tail += sizeof(vi)) {
        vi factor[8];
        UNROLL for (int k = 0; k < pairs; k++) factor[k] = v_load(tail + (size_t)k * PAIR);
        const vf d = vf_load(tail + (size_t)pairs * PAIR);
        const vf dmin = has_min(type) ? vf_load(tail + (size_t)(pairs + 1) * PAIR) : vf_zero();
        UNROLL for (int t = 0; t < tokens; t++) {
            vi correction = v_zero(), dot = total[t][side];
            UNROLL for (int k = 0; k < pairs; k++) {
                correction = v_dot16(correction, factor[k], v_broadcast32(inputs->stored[t] + sum_at + 4 * k));
            }
            if (keeps_bias(type)) dot = v_sub32(dot, v_shl32(correction, __builtin_ctz((unsigned)code_bias(type))));
            const vf d_x = vf_broadcast((const float *)(inputs->stored[t] + d_at));
            float *sum = sums + (2 * t + side) * LANES;
            vf_store(sum, finish_block256(has_min(type), dot, correction, d, dmin, d_x, vf_load(sum)));
        }
    }
}

/// Blocks of 256.
INLINE void tile256(int32_t type, const tile_args *args, int tokens) {
    const int size = sub_block(type), pairs = correction_pairs(type);
    const tile_inputs inputs = tile_inputs_at(type, args, tokens);
    // All that a block needs in registers, relative to where inputs begin. Starts: four bytes for 16 elements.
    const ptrdiff_t input_at = args->first_block * 256;
    const ptrdiff_t start_at = args->start_at + args->first_block * (256 / 16 * 4) - input_at;
    ptrdiff_t d_at = args->d_at + args->first_block * 4 - input_at;
    ptrdiff_t sum_at = args->sum_at + args->first_block * pairs * 4 - input_at;
    float *const sums = args->sums;
    const int64_t elements = args->blocks * 256;
    const uint8_t *panels = args->panels;
    begin_sums(args, tokens);
    widen_inputs(type, &inputs, 0, tokens);
    for (int64_t element = 0; element < elements; d_at += 4, sum_at += 4 * pairs) {
        vi total[TILE_TOKENS][2];
        UNROLL for (int t = 0; t < tokens; t++) total[t][0] = total[t][1] = v_zero();
        for (int j = 0; j < 256 / size; j++, element += size, panels += sub_block_bytes(type)) {
            if (element + size < elements) widen_inputs(type, &inputs, element + size, tokens);
            tile_sub_block(type, total, panels, &inputs, element, start_at + element / 16 * 4, tokens);
        }
        finish_tile_block(type, total, panels, &inputs, d_at, sum_at, sums, tokens);
        panels += (size_t)(pairs + (has_min(type) ? 2 : 1)) * PAIR;
    }
}
