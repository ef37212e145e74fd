// Four rows times one token with SDOT, for dot_dotprod.h and dot_i8mm.h: with one token a matrix product is no better.

/// Four rows times steps x 16 activations. w: of row r at w[r * stride].
INLINE int32x4_t quad_dot(const int8x16_t *w, int stride, const int8x16_t *x, int steps, bool full) {
    (void)full;
    int32x4_t sum[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) {
        sum[r] = vdupq_n_s32(0);
        UNROLL for (int i = 0; i < steps; i++) sum[r] = vdotq_s32(sum[r], w[r * stride + i], x[i]);
    }
    return fold(sum);
}
