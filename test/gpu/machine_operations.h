/* The instructions that compute registers from registers, one line each:

     OPERATION(code, mnemonic, operands, form, value)
     SAME(code, mnemonic, operands)     another spelling

   `operands` has a letter for each, the result first: r 32-bit integer, f
   32-bit float, b any 32 bits; R, F, B the same with 64; h 16 bits. Sources may
   be constants. `form` is the result and the sources as n (32 bits) and w (64);
   `value` is written in x, y and z. The includer defines both macros. */

#define FLOAT2(code, name, value) \
  OPERATION(code, name ".f32", "fff", N_NN, bits_of_float(value)) \
  SAME(code, name ".rn.f32", "fff")
#define LOGIC(code, name, value) \
  OPERATION(code##_32, name ".b32", "bbb", N_NN, value) \
  OPERATION(code##_64, name ".b64", "BBB", W_WW, value) \
  SAME(code##_32, name ".b16", "hhh")
#define ARITHMETIC(code, name, value) \
  OPERATION(code##_32, name ".u32", "rrr", N_NN, value) \
  SAME(code##_32, name ".s32", "rrr") \
  OPERATION(code##_64, name ".u64", "RRR", W_WW, value) \
  SAME(code##_64, name ".s64", "RRR")
#define SIGNED(code, name, narrow, wide, narrow_signed, wide_signed) \
  OPERATION(code##_U32, name ".u32", "rrr", N_NN, narrow) \
  OPERATION(code##_S32, name ".s32", "rrr", N_NN, narrow_signed) \
  OPERATION(code##_U64, name ".u64", "RRR", W_WW, wide) \
  OPERATION(code##_S64, name ".s64", "RRR", W_WW, wide_signed)

/* ---- moves ---- */
OPERATION(MOV_32, "mov.b32", "bb", N_N, x)
SAME(MOV_32, "mov.u32", "rr")
SAME(MOV_32, "mov.s32", "rr")
SAME(MOV_32, "mov.f32", "ff")
SAME(MOV_32, "mov.b16", "hh")
SAME(MOV_32, "mov.u16", "hh")
OPERATION(MOV_64, "mov.b64", "BB", W_W, x)
SAME(MOV_64, "mov.u64", "RR")
SAME(MOV_64, "mov.s64", "RR")

/* ---- integers ---- */
ARITHMETIC(ADD, "add", x + y)
ARITHMETIC(SUB, "sub", x - y)
ARITHMETIC(MUL_LO, "mul.lo", x *y)
OPERATION(ADD_16, "add.u16", "hhh", N_NN, (x + y) & 0xffff)
SAME(ADD_16, "add.s16", "hhh")
OPERATION(SUB_16, "sub.u16", "hhh", N_NN, (x - y) & 0xffff)
SAME(SUB_16, "sub.s16", "hhh")
SIGNED(MUL_HI, "mul.hi", ((uint64_t)x * y) >> 32, high_unsigned(x, y),
       (uint64_t)((int64_t)(int32_t)x *(int32_t)y) >> 32, high_signed(x, y))
SIGNED(MIN, "min", x < y ? x : y, x < y ? x : y,
       (int32_t)x < (int32_t)y ? x : y, (int64_t)x < (int64_t)y ? x : y)
SIGNED(MAX, "max", x > y ? x : y, x > y ? x : y,
       (int32_t)x > (int32_t)y ? x : y, (int64_t)x > (int64_t)y ? x : y)
OPERATION(MUL_WIDE_U32, "mul.wide.u32", "Rrr", W_NN, (uint64_t)x *y)
OPERATION(MUL_WIDE_S32, "mul.wide.s32", "Rrr", W_NN,
          (uint64_t)((int64_t)(int32_t)x *(int32_t)y))
OPERATION(MAD_LO_32, "mad.lo.u32", "rrrr", N_NNN, x *y + z)
SAME(MAD_LO_32, "mad.lo.s32", "rrrr")
OPERATION(MAD_LO_64, "mad.lo.u64", "RRRR", W_WWW, x *y + z)
SAME(MAD_LO_64, "mad.lo.s64", "RRRR")
OPERATION(MAD_HI_U32, "mad.hi.u32", "rrrr", N_NNN,
          (((uint64_t)x * y) >> 32) + z)
OPERATION(MAD_WIDE_U32, "mad.wide.u32", "RrrR", W_NNW, (uint64_t)x *y + z)
OPERATION(MAD_WIDE_S32, "mad.wide.s32", "RrrR", W_NNW,
          (uint64_t)((int64_t)(int32_t)x *(int32_t)y) + z)
OPERATION(DIV_U32, "div.u32", "rrr", N_NN, y ? x / y : UINT32_MAX)
OPERATION(REM_U32, "rem.u32", "rrr", N_NN, y ? x % y : x)
OPERATION(NEG_S32, "neg.s32", "rr", N_N, 0u - x)
OPERATION(NEG_S64, "neg.s64", "RR", W_W, UINT64_C(0) - x)
OPERATION(ABS_S32, "abs.s32", "rr", N_N, (int32_t)x < 0 ? 0u - x : x)

/* ---- bits ---- */
LOGIC(AND, "and", x &y)
LOGIC(OR, "or", x | y)
LOGIC(XOR, "xor", x ^ y)
OPERATION(NOT_32, "not.b32", "bb", N_N, ~x)
OPERATION(NOT_64, "not.b64", "BB", W_W, ~x)
OPERATION(NOT_16, "not.b16", "hh", N_N, ~x & 0xffff)
OPERATION(SHL_32, "shl.b32", "bbr", N_NN, y > 31 ? 0 : x << y)
OPERATION(SHR_U32, "shr.u32", "rrr", N_NN, y > 31 ? 0 : x >> y)
SAME(SHR_U32, "shr.b32", "bbr")
OPERATION(SHR_S32, "shr.s32", "rrr", N_NN, (int32_t)x >> (y > 31 ? 31 : y))
OPERATION(SHL_64, "shl.b64", "BBr", W_WN, y > 63 ? 0 : x << y)
OPERATION(SHR_U64, "shr.u64", "RRr", W_WN, y > 63 ? 0 : x >> y)
SAME(SHR_U64, "shr.b64", "BBr")
OPERATION(SHR_S64, "shr.s64", "RRr", W_WN, (int64_t)x >> (y > 63 ? 63 : y))
OPERATION(SHL_16, "shl.b16", "hhr", N_NN, y > 15 ? 0 : (x << y) & 0xffff)
OPERATION(SHR_U16, "shr.u16", "hhr", N_NN, y > 15 ? 0 : x >> y)
SAME(SHR_U16, "shr.b16", "hhr")
OPERATION(SHF_L_WRAP, "shf.l.wrap.b32", "bbbr", N_NNN,
          (uint32_t)((((uint64_t)y << 32 | x) << (z & 31)) >> 32))
OPERATION(SHF_R_WRAP, "shf.r.wrap.b32", "bbbr", N_NNN,
          (uint32_t)(((uint64_t)y << 32 | x) >> (z & 31)))
OPERATION(SHF_L_CLAMP, "shf.l.clamp.b32", "bbbr", N_NNN,
          (uint32_t)((((uint64_t)y << 32 | x) << (z > 32 ? 32 : z)) >> 32))
OPERATION(SHF_R_CLAMP, "shf.r.clamp.b32", "bbbr", N_NNN,
          (uint32_t)(((uint64_t)y << 32 | x) >> (z > 32 ? 32 : z)))
OPERATION(PRMT, "prmt.b32", "bbbr", N_NNN, permute(x, y, z))
OPERATION(BFE_U32, "bfe.u32", "rrrr", N_NNN, extract_unsigned(x, y, z))
OPERATION(BFE_S32, "bfe.s32", "rrrr", N_NNN, extract_signed(x, y, z))
OPERATION(POPC_32, "popc.b32", "rb", N_N, __builtin_popcount(x))
OPERATION(POPC_64, "popc.b64", "rB", N_W, __builtin_popcountll(x))
OPERATION(CLZ_32, "clz.b32", "rb", N_N, x ? __builtin_clz(x) : 32)
OPERATION(CLZ_64, "clz.b64", "rB", N_W, x ? __builtin_clzll(x) : 64)
OPERATION(BREV_32, "brev.b32", "bb", N_N, reversed(x))
OPERATION(BREV_64, "brev.b64", "BB", W_W,
          (uint64_t)reversed((uint32_t)x) << 32 | reversed((uint32_t)(x >> 32)))
OPERATION(BFIND_U32, "bfind.u32", "rr", N_N,
          x ? 31 - (uint32_t)__builtin_clz(x) : UINT32_MAX)
OPERATION(BFIND_S32, "bfind.s32", "rr", N_N, find_signed(x))
OPERATION(BFIND_U64, "bfind.u64", "rR", N_W,
          x ? 63 - (uint32_t)__builtin_clzll(x) : UINT32_MAX)
OPERATION(BFIND_SHIFT_U32, "bfind.shiftamt.u32", "rr", N_N,
          x ? (uint32_t)__builtin_clz(x) : UINT32_MAX)
OPERATION(FNS, "fns.b32", "brrr", N_NNN, find_set(x, y, z))

/* ---- floats ---- */
FLOAT2(ADD_F32, "add", float_of_bits(x) + float_of_bits(y))
FLOAT2(SUB_F32, "sub", float_of_bits(x) - float_of_bits(y))
FLOAT2(MUL_F32, "mul", float_of_bits(x) * float_of_bits(y))
OPERATION(DIV_F32, "div.rn.f32", "fff", N_NN,
          bits_of_float(float_of_bits(x) / float_of_bits(y)))
SAME(DIV_F32, "div.approx.f32", "fff")
SAME(DIV_F32, "div.full.f32", "fff")
OPERATION(FMA_F32, "fma.rn.f32", "ffff", N_NNN,
          bits_of_float(fmaf(float_of_bits(x), float_of_bits(y),
                             float_of_bits(z))))
OPERATION(MIN_F32, "min.f32", "fff", N_NN,
          bits_of_float(least(float_of_bits(x), float_of_bits(y))))
OPERATION(MAX_F32, "max.f32", "fff", N_NN,
          bits_of_float(greatest(float_of_bits(x), float_of_bits(y))))
OPERATION(NEG_F32, "neg.f32", "ff", N_N, x ^ 0x80000000u)
OPERATION(ABS_F32, "abs.f32", "ff", N_N, x & 0x7fffffffu)
OPERATION(LG2, "lg2.approx.f32", "ff", N_N,
          bits_of_float(log2f(float_of_bits(x))))
OPERATION(EX2, "ex2.approx.f32", "ff", N_N,
          bits_of_float(exp2f(float_of_bits(x))))
OPERATION(RCP, "rcp.approx.f32", "ff", N_N, bits_of_float(1 / float_of_bits(x)))
SAME(RCP, "rcp.rn.f32", "ff")
OPERATION(SQRT, "sqrt.rn.f32", "ff", N_N,
          bits_of_float(sqrtf(float_of_bits(x))))
SAME(SQRT, "sqrt.approx.f32", "ff")

/* ---- conversions ---- */
OPERATION(CVT_U64_U32, "cvt.u64.u32", "Rr", W_N, x)
SAME(CVT_U64_U32, "cvt.s64.u32", "Rr")
SAME(CVT_U64_U32, "cvt.u64.u16", "Rh")
OPERATION(CVT_S64_S32, "cvt.s64.s32", "Rr", W_N, (uint64_t)(int64_t)(int32_t)x)
SAME(CVT_S64_S32, "cvt.u64.s32", "Rr")
OPERATION(CVT_U32_U64, "cvt.u32.u64", "rR", N_W, x)
SAME(CVT_U32_U64, "cvt.s32.s64", "rR")
SAME(CVT_U32_U64, "cvt.u32.s64", "rR")
SAME(CVT_U32_U64, "cvt.s32.u64", "rR")
SAME(MOV_32, "cvt.u32.u16", "rh")
SAME(MOV_32, "cvt.s32.u16", "rh")
OPERATION(CVT_S32_S16, "cvt.s32.s16", "rh", N_N, (uint32_t)(int16_t)x)
OPERATION(CVT_U16_U32, "cvt.u16.u32", "hr", N_N, x & 0xffff)
OPERATION(CVT_U16_U64, "cvt.u16.u64", "hR", N_W, x & 0xffff)
OPERATION(CVT_U32_U8, "cvt.u32.u8", "rr", N_N, x & 0xff)
OPERATION(CVT_F32_U32, "cvt.rn.f32.u32", "fr", N_N, bits_of_float((float)x))
SAME(CVT_F32_U32, "cvt.rn.f32.u16", "fh")
OPERATION(CVT_F32_S32, "cvt.rn.f32.s32", "fr", N_N,
          bits_of_float((float)(int32_t)x))
OPERATION(CVT_F32_U64, "cvt.rn.f32.u64", "fR", N_W, bits_of_float((float)x))
OPERATION(CVT_RZ_F32_U32, "cvt.rz.f32.u32", "fr", N_N,
          bits_of_float(toward_zero(x)))
OPERATION(CVT_RZI_U32, "cvt.rzi.u32.f32", "rf", N_N,
          to_unsigned(truncf(float_of_bits(x))))
OPERATION(CVT_RNI_U32, "cvt.rni.u32.f32", "rf", N_N,
          to_unsigned(rintf(float_of_bits(x))))
OPERATION(CVT_RMI_U32, "cvt.rmi.u32.f32", "rf", N_N,
          to_unsigned(floorf(float_of_bits(x))))
OPERATION(CVT_RPI_U32, "cvt.rpi.u32.f32", "rf", N_N,
          to_unsigned(ceilf(float_of_bits(x))))
OPERATION(CVT_RZI_S32, "cvt.rzi.s32.f32", "rf", N_N,
          to_signed(truncf(float_of_bits(x))))
OPERATION(CVT_RNI_S32, "cvt.rni.s32.f32", "rf", N_N,
          to_signed(rintf(float_of_bits(x))))
OPERATION(CVT_RMI_S32, "cvt.rmi.s32.f32", "rf", N_N,
          to_signed(floorf(float_of_bits(x))))
OPERATION(CVT_RPI_S32, "cvt.rpi.s32.f32", "rf", N_N,
          to_signed(ceilf(float_of_bits(x))))
OPERATION(CVT_RZI_U16, "cvt.rzi.u16.f32", "hf", N_N,
          to_short(truncf(float_of_bits(x))))
OPERATION(CVT_RZI_U64, "cvt.rzi.u64.f32", "Rf", W_N,
          to_unsigned_wide(truncf(float_of_bits(x))))
OPERATION(CVT_RNI_U64, "cvt.rni.u64.f32", "Rf", W_N,
          to_unsigned_wide(rintf(float_of_bits(x))))
OPERATION(CVT_RNI_F32, "cvt.rni.f32.f32", "ff", N_N,
          bits_of_float(rintf(float_of_bits(x))))
OPERATION(CVT_RMI_F32, "cvt.rmi.f32.f32", "ff", N_N,
          bits_of_float(floorf(float_of_bits(x))))
OPERATION(CVT_RZI_F32, "cvt.rzi.f32.f32", "ff", N_N,
          bits_of_float(truncf(float_of_bits(x))))

/* ---- generic addresses, which have the space in their upper half ---- */
OPERATION(CVTA_GLOBAL, "cvta.global.u64", "RR", W_W, x)
SAME(CVTA_GLOBAL, "cvta.to.global.u64", "RR")
SAME(CVTA_GLOBAL, "cvta.const.u64", "RR")
SAME(CVTA_GLOBAL, "cvta.to.const.u64", "RR")
OPERATION(CVTA_SHARED, "cvta.shared.u64", "RR", W_W, x + SHARED_WINDOW)
OPERATION(CVTA_TO_SHARED, "cvta.to.shared.u64", "RR", W_W, x - SHARED_WINDOW)
OPERATION(CVTA_LOCAL, "cvta.local.u64", "RR", W_W, x + LOCAL_WINDOW)
OPERATION(CVTA_TO_LOCAL, "cvta.to.local.u64", "RR", W_W, x - LOCAL_WINDOW)

#undef FLOAT2
#undef LOGIC
#undef ARITHMETIC
#undef SIGNED
#undef OPERATION
#undef SAME
