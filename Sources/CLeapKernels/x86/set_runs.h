// One number in every lane, in builds without optimisation, in assembly (internal/inline.h): the intrinsics write each
// lane to memory there, and then read the vector. For AVX2. Part of lanes256.h and prepare_avx2.c.

OPERATION vi v_set8(int x) {
    vi all;
    __asm__("vmovd %1, %x0\n\tvpbroadcastb %x0, %0" : "=x"(all) : "r"(x));
    return all;
}
OPERATION vi v_set16(int x) {
    vi all;
    __asm__("vmovd %1, %x0\n\tvpbroadcastw %x0, %0" : "=x"(all) : "r"(x));
    return all;
}
OPERATION vi v_set32(int x) {
    vi all;
    __asm__("vmovd %1, %x0\n\tvpbroadcastd %x0, %0" : "=x"(all) : "r"(x));
    return all;
}
/// The 32 bits at p in every lane.
OPERATION vi v_broadcast32(const void *p) {
    vi all;
    __asm__("vpbroadcastd %1, %0" : "=x"(all) : "m"(*(const char(*)[4])p));
    return all;
}
OPERATION vf vf_broadcast(const float *p) {
    vf all;
    __asm__("vbroadcastss %1, %0" : "=x"(all) : "m"(*p));
    return all;
}
OPERATION vf vf_set(float x) { return vf_broadcast(&x); }
/// Adds to 16-bit numbers.
OPERATION vi v_add16(vi x, int n) { return _mm256_add_epi16(x, v_set16(n)); }
OPERATION vf vf_negate(vf a) { return _mm256_xor_ps(a, vf_set(-0.0f)); }
