//go:build !purego

#include "textflag.h"

// Sixteen lanes, all set, sixteen clear and sixteen set. From lane 15−i on they are set up to lane i, and from lane
// 32−i on from lane i on.
DATA ·window+0(SB)/8, $-1
DATA ·window+8(SB)/8, $-1
DATA ·window+16(SB)/8, $-1
DATA ·window+24(SB)/8, $-1
DATA ·window+32(SB)/8, $-1
DATA ·window+40(SB)/8, $-1
DATA ·window+48(SB)/8, $-1
DATA ·window+56(SB)/8, $-1
DATA ·window+128(SB)/8, $-1
DATA ·window+136(SB)/8, $-1
DATA ·window+144(SB)/8, $-1
DATA ·window+152(SB)/8, $-1
DATA ·window+160(SB)/8, $-1
DATA ·window+168(SB)/8, $-1
DATA ·window+176(SB)/8, $-1
DATA ·window+184(SB)/8, $-1
GLOBL ·window(SB), RODATA|NOPTR, $192

// Fields of a step.
#define USERS 0(BX)
#define USERCOUNT 8(BX)
#define ENTRIES 24(BX)
#define BINS 48(BX)
#define VALUES 72(BX)
#define FIRST 96(BX)
#define RESTS 120(BX)
#define PROFILES 144(BX)
#define TOTALS 168
#define BELOW 296
#define BEYOND 424
#define BARRED 552
#define PARTS 616
#define FLOOR 680(BX)

#define UNREACHABLE $-536870912

// What both functions keep: BX is the step, R8 the user, R9 how many are left, R10 the entry, R11 its bins, R12 its
// rest, R13 the profile, SI the values, R14 lane 32 of the window.
#define LOAD \
	MOVQ k+0(FP), BX \
	MOVQ USERS, R8 \
	MOVQ USERCOUNT, R9 \
	MOVQ ENTRIES, R10 \
	MOVQ BINS, R11 \
	MOVQ RESTS, R12 \
	MOVQ PROFILES, R13 \
	MOVQ VALUES, SI \
	LEAQ ·window+128(SB), R14

// END sets DX to where the entries of the user end.
#define END \
	MOVLQSX 4(R8), DX \
	SHLQ    $4, DX \
	ADDQ    ENTRIES, DX

// MEET sets Y3 and Y4 to the lanes of a and b in the bins of the entry, and to zero elsewhere.
#define MEET(a, b) \
	MOVBLZX (R11), AX \
	NEGQ    AX \
	MOVBLZX 1(R11), CX \
	NEGQ    CX \
	VPAND   (R14)(AX*4), a, Y3 \
	VPAND   32(R14)(AX*4), b, Y4 \
	VPAND   -68(R14)(CX*4), Y3, Y3 \
	VPAND   -36(R14)(CX*4), Y4, Y4

// LARGEST sets all lanes of x to the largest of y, which is the same register; x3 is lost.
#define LARGEST(x, y, x3) \
	VEXTRACTI128 $1, y, x3 \
	VPMAXSD      x3, x, x \
	VPSHUFD      $0x4E, x, x3 \
	VPMAXSD      x3, x, x \
	VPSHUFD      $0xB1, x, x3 \
	VPMAXSD      x3, x, x

// NEXT goes to the next entry.
#define NEXT \
	ADDQ $16, R10 \
	ADDQ $2, R11 \
	ADDQ $4, R12

// ADD adds eight lanes, none of them negative, to sums of the step.
#define ADD(x, y, sums) \
	VPMOVZXDQ    x, Y4 \
	VPADDQ       sums(BX), Y4, Y4 \
	VMOVDQU      Y4, sums(BX) \
	VEXTRACTI128 $1, y, X5 \
	VPMOVZXDQ    X5, Y5 \
	VPADDQ       (sums+32)(BX), Y5, Y5 \
	VMOVDQU      Y5, (sums+32)(BX)

// SCAN sets y to the running largest of each half of its lanes: shift is VPSLLDQ for those before a lane, and
// VPSRLDQ for those behind.
#define SCAN(shift, y) \
	shift   $4, y, Y4 \
	VPMAXSD Y4, y, y \
	shift   $8, y, Y4 \
	VPMAXSD Y4, y, y

// CARRY raises the lanes of to by lane pick of the halves of from, which half says where to put.
#define CARRY(from, to, pick, half) \
	VPSHUFD    pick, from, Y4 \
	VPERM2I128 half, Y4, Y4, Y4 \
	VPMAXSD    Y4, to, to

// func gatherAVX2(k *step)
TEXT ·gatherAVX2(SB), NOSPLIT, $0-8
	LOAD
	MOVQ         FIRST, DI
	MOVL         UNREACHABLE, AX
	VMOVD        AX, X15
	VPBROADCASTD X15, Y15
	VPXOR        Y14, Y14, Y14
	VPXOR        Y13, Y13, Y13
	VPXOR        Y12, Y12, Y12

user:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	END

entry:
	CMPQ         R10, DX
	JGE          free
	MOVLQSX      (R10), AX
	MOVL         (SI)(AX*4), CX
	SUBL         12(R10), CX
	MOVL         CX, (R12)
	MOVL         UNREACHABLE, (SI)(AX*4)
	SUBL         UNREACHABLE, CX
	VMOVD        CX, X2
	VPBROADCASTD X2, Y2
	MEET(Y2, Y2)
	VPMAXSD      Y3, Y0, Y0
	VPMAXSD      Y4, Y1, Y1
	NEXT
	JMP          entry

free: // the largest value of the leaves of the tree, eight at a time, lies in all bins
	MOVLQSX (R8), AX
	MOVLQSX (DI)(AX*4), CX
	MOVLQSX 4(DI)(AX*4), DX
	LEAQ    (SI)(CX*4), AX
	SUBQ    CX, DX
	VPXOR   Y2, Y2, Y2

eight:
	CMPQ    DX, $8
	JLT     tail
	VMOVDQU (AX), Y3
	VPSUBD  Y15, Y3, Y3
	VPMAXSD Y3, Y2, Y2
	ADDQ    $32, AX
	SUBQ    $8, DX
	JMP     eight

tail:
	NEGQ         DX
	VMOVDQU      -64(R14)(DX*4), Y4
	VPMASKMOVD   (AX), Y4, Y3
	VPSUBD       Y15, Y3, Y3
	VPAND        Y4, Y3, Y3
	VPMAXSD      Y3, Y2, Y2
	LARGEST(X2, Y2, X3)
	VPBROADCASTD X2, Y2
	VPMAXSD      Y2, Y0, Y0
	VPMAXSD      Y2, Y1, Y1

	VMOVDQU  Y0, (R13)
	VMOVDQU  Y1, 32(R13)
	VPCMPEQD Y14, Y0, Y3
	VPOR     Y3, Y13, Y13
	VPCMPEQD Y14, Y1, Y3
	VPOR     Y3, Y12, Y12
	ADD(X0, Y0, TOTALS)
	ADD(X1, Y1, TOTALS+64)

	// Below: what is largest up to each lane, and how far that is from the largest of all.
	VMOVDQA    Y0, Y2
	VMOVDQA    Y1, Y3
	SCAN(VPSLLDQ, Y2)
	SCAN(VPSLLDQ, Y3)
	CARRY(Y2, Y2, $0xFF, $0x08)
	CARRY(Y3, Y3, $0xFF, $0x08)
	CARRY(Y2, Y3, $0xFF, $0x11)
	VPSHUFD    $0xFF, Y3, Y4
	VPERM2I128 $0x11, Y4, Y4, Y6
	VPSUBD     Y2, Y6, Y2
	VPSUBD     Y3, Y6, Y3
	ADD(X2, Y2, BELOW)
	ADD(X3, Y3, BELOW+64)

	// Beyond: what is largest from each lane on.
	SCAN(VPSRLDQ, Y0)
	SCAN(VPSRLDQ, Y1)
	CARRY(Y0, Y0, $0x00, $0x81)
	CARRY(Y1, Y1, $0x00, $0x81)
	CARRY(Y1, Y0, $0x00, $0x00)
	VPSUBD Y0, Y6, Y0
	VPSUBD Y1, Y6, Y1
	ADD(X0, Y0, BEYOND)
	ADD(X1, Y1, BEYOND+64)

	ADDQ $64, R13
	ADDQ $8, R8
	DECQ R9
	JNZ  user

	VMOVDQU Y13, BARRED(BX)
	VMOVDQU Y12, (BARRED+32)(BX)
	VZEROUPPER
	RET

// func levelAVX2(k *step) (constant int64)
//
// R9 is where the users end, DI what the largest potentials come to.
TEXT ·levelAVX2(SB), NOSPLIT, $0-16
	LOAD
	LEAQ    (R8)(R9*8), R9
	XORQ    DI, DI
	VMOVDQU PARTS(BX), Y10
	VMOVDQU (PARTS+32)(BX), Y11
	VMOVDQU BARRED(BX), Y12
	VMOVDQU (BARRED+32)(BX), Y13

tree:
	VPSUBD  (R13), Y10, Y0
	VPSUBD  32(R13), Y11, Y1
	VPANDN  Y0, Y12, Y0
	VPANDN  Y1, Y13, Y1
	VPMAXSD Y1, Y0, Y2
	LARGEST(X2, Y2, X3)
	VMOVD   X2, AX
	ADDQ    AX, DI
	END

side:
	CMPQ    R10, DX
	JGE     done
	MEET(Y0, Y1)
	VPMAXSD Y4, Y3, Y3
	LARGEST(X3, Y3, X4)
	VPSUBD  X2, X3, X3
	VMOVD   X3, AX
	MOVL    FLOOR, CX
	CMPL    AX, CX
	CMOVLLT CX, AX
	MOVL    AX, 12(R10)
	ADDL    (R12), AX
	MOVLQSX (R10), CX
	MOVL    AX, (SI)(CX*4)
	NEXT
	JMP     side

done:
	ADDQ $64, R13
	ADDQ $8, R8
	CMPQ R8, R9
	JLT  tree

	MOVQ DI, constant+8(FP)
	VZEROUPPER
	RET
