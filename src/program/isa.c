#include "program/isa.h"

bool isa_available(Isa isa) {
#ifdef __x86_64__
  if (isa == ISA_AVX2) return __builtin_cpu_supports("avx2");
  if (isa == ISA_AVX512) return __builtin_cpu_supports("avx512f");
#endif
  return isa == ISA_PLAIN;
}

const char *isa_name(Isa isa) {
  static const char *const names[] = {"plain", "avx2", "avx512"};
  return names[isa];
}
