// What an instruction set provides for attention; attention_tiles.c does the rest.
#ifndef LEAP_ATTENTION_H
#define LEAP_ATTENTION_H

#include "kernels.h"

/// Lanes in which softmax weights are summed.
#define LEAP_SOFTMAX_LANES 16

/// Softmax of one row over the tiles seen so far: weights are e^(s - largest).
typedef struct {
    float largest;
    float sum[LEAP_SOFTMAX_LANES];
} leap_softmax_state;

/// The same, closed: what two segments are merged from.
typedef struct {
    float largest;
    float total;
} leap_softmax_part;

/// Tile kernels. A tile is LEAP_KV_PAGE positions of one key/value head; a row is one query head of one token.
typedef struct {
    /// Rows that `scores` and `accumulate` take at most.
    int rows_max;

    /// s[r][p] = sum over i of q[r][i] k[i][p], in the order of i with fused multiply-adds.
    ///
    /// q: rows q_stride apart; k: [dim][LEAP_KV_PAGE] of kv_type; s: [rows][LEAP_KV_PAGE]. next: what to prefetch, same
    /// shape as k.
    ///
    /// With scales (q8_0, kv_page.h), k holds codes, or codes as floats: every LEAP_KV_BLOCK of i are summed on their
    /// own, and the sum times the scale is added.
    void (*scores)(int rows, const float *q, int64_t q_stride, const void *k, int kv_type, const uint16_t *scales, int dim,
                   float *s, const char *next);

    /// Turns one row of scores into weights, in place; positions outside from ..< to get 0.
    ///
    /// The scores are capped first if softcap is not 0. *shrink: what sums over earlier tiles must be multiplied with.
    void (*weigh)(float *s, int from, int to, float softcap, leap_softmax_state *state, float *shrink);

    /// o[r] = shrink[r] o[r] + sum over from <= p < to of s[r][p] v[p], in the order of p with fused multiply-adds.
    ///
    /// v: rows v_stride elements apart, of kv_type; dim: a multiple of 16; o: rows o_stride apart.
    ///
    /// With scales, v holds codes, or codes as floats, and s[r][p] times the scale takes the place of s[r][p].
    void (*accumulate)(int rows, const float *s, int from, int to, const void *v, int kv_type, int64_t v_stride,
                       const uint16_t *scales, int dim, const float *shrink, float *o, int64_t o_stride, const char *next);

    /// Adds a segment (part, o) to those before it (into, sum), and nothing if it is empty. dim: a multiple of 16.
    void (*merge)(leap_softmax_part *into, float *sum, const leap_softmax_part *part, const float *o, int dim);

    /// A state with its lanes added, in the fixed tree.
    leap_softmax_part (*total)(const leap_softmax_state *state);

    /// rows x columns elements of kv_type to floats (codes without their scales), target rows `target_stride` apart:
    /// columns rounded up to 16, with zeros there.
    void (*widen)(const void *source, int kv_type, int rows, int columns, float *target, int64_t target_stride);
} leap_attention_kernels;

/// leap_attention with the tile kernels of an instruction set.
///
/// Arithmetic of a row: tiles from the first position it sees, in order; segments of LEAP_SEGMENT_TILES tiles (counted
/// from position 0) are summed on their own and then merged in order. Neither depends on what else is computed.
void leap_attention_tiled(const leap_attention_kernels *kernels, leap_pool *pool, const leap_attention_shape *shape,
                          const leap_attention_query *queries, int64_t count);

#endif
