// One number in every lane, in builds without optimisation, in assembly (internal/inline.h): the intrinsics write each
// lane to memory there, and then read the vector. Part of lanes256.h, lanes512.h and prepare_avx2.c.
#if !LEAP_SPECIALISED

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
#endif
