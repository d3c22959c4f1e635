//go:build !purego

#include "textflag.h"

// Thirty-two lanes, all set, as many clear and as many set. From lane 31−i on they are set up to lane i, and from lane
// 64−i on from lane i on.
DATA ·window+0(SB)/8, $-1
DATA ·window+8(SB)/8, $-1
DATA ·window+16(SB)/8, $-1
DATA ·window+24(SB)/8, $-1
DATA ·window+32(SB)/8, $-1
DATA ·window+40(SB)/8, $-1
DATA ·window+48(SB)/8, $-1
DATA ·window+56(SB)/8, $-1
DATA ·window+64(SB)/8, $-1
DATA ·window+72(SB)/8, $-1
DATA ·window+80(SB)/8, $-1
DATA ·window+88(SB)/8, $-1
DATA ·window+96(SB)/8, $-1
DATA ·window+104(SB)/8, $-1
DATA ·window+112(SB)/8, $-1
DATA ·window+120(SB)/8, $-1
DATA ·window+256(SB)/8, $-1
DATA ·window+264(SB)/8, $-1
DATA ·window+272(SB)/8, $-1
DATA ·window+280(SB)/8, $-1
DATA ·window+288(SB)/8, $-1
DATA ·window+296(SB)/8, $-1
DATA ·window+304(SB)/8, $-1
DATA ·window+312(SB)/8, $-1
DATA ·window+320(SB)/8, $-1
DATA ·window+328(SB)/8, $-1
DATA ·window+336(SB)/8, $-1
DATA ·window+344(SB)/8, $-1
DATA ·window+352(SB)/8, $-1
DATA ·window+360(SB)/8, $-1
DATA ·window+368(SB)/8, $-1
DATA ·window+376(SB)/8, $-1
GLOBL ·window(SB), RODATA|NOPTR, $384

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
#define BELOW 424
#define BEYOND 680
#define BARRED 936
#define PARTS 1064
#define FLOOR 1192(BX)
#define WIDTH 1196(BX)

#define UNREACHABLE $-536870912

// What both functions keep: BX is the step, R8 the user, R9 how many are left, R10 the entry, R11 its bins, R12 its
// rest, R13 the profile, SI the values, R14 lane 64 of the window. R15 is how many lanes of the upper half are in use.
#define LOAD \
	MOVQ k+0(FP), BX \
	MOVQ USERS, R8 \
	MOVQ USERCOUNT, R9 \
	MOVQ ENTRIES, R10 \
	MOVQ BINS, R11 \
	MOVQ RESTS, R12 \
	MOVQ PROFILES, R13 \
	MOVQ VALUES, SI \
	LEAQ ·window+256(SB), R14 \
	MOVLQSX WIDTH, R15 \
	SUBQ $16, R15

// END sets DX to where the entries of the user end.
#define END \
	MOVLQSX 4(R8), DX \
	SHLQ    $4, DX \
	ADDQ    ENTRIES, DX

// MEET sets Y4 and Y5 to the lanes of a and b in the bins of the entry, and to zero elsewhere; MEETUPPER does so with
// those of the upper half, after MEET.
#define MEET(a, b) \
	MOVBLZX (R11), AX \
	NEGQ    AX \
	MOVBLZX 1(R11), CX \
	NEGQ    CX \
	VPAND   (R14)(AX*4), a, Y4 \
	VPAND   32(R14)(AX*4), b, Y5 \
	VPAND   -132(R14)(CX*4), Y4, Y4 \
	VPAND   -100(R14)(CX*4), Y5, Y5
#define MEETUPPER(a, b) \
	VPAND 64(R14)(AX*4), a, Y4 \
	VPAND 96(R14)(AX*4), b, Y5 \
	VPAND -68(R14)(CX*4), Y4, Y4 \
	VPAND -36(R14)(CX*4), Y5, Y5

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

// PUT writes eight lanes of the profile, adds them, and bars where they are zero.
#define PUT(x, y, bars, at) \
	VMOVDQU  y, at(R13) \
	VPXOR    Y4, Y4, Y4 \
	VPCMPEQD Y4, y, Y4 \
	VPOR     Y4, bars, bars \
	ADD(x, y, TOTALS+2*at)

// func gatherAVX2(k *step)
//
// Y0 to Y3 are the profile, Y10 to Y13 where it is barred, Y14 the largest of all lanes.
TEXT ·gatherAVX2(SB), NOSPLIT, $0-8
	LOAD
	MOVQ         FIRST, DI
	MOVL         UNREACHABLE, AX
	VMOVD        AX, X15
	VPBROADCASTD X15, Y15
	VPXOR        Y13, Y13, Y13
	VPXOR        Y12, Y12, Y12
	VPXOR        Y11, Y11, Y11
	VPXOR        Y10, Y10, Y10

user:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
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
	VMOVD        CX, X6
	VPBROADCASTD X6, Y6
	MEET(Y6, Y6)
	VPMAXSD      Y4, Y0, Y0
	VPMAXSD      Y5, Y1, Y1
	TESTQ        R15, R15
	JZ           met
	MEETUPPER(Y6, Y6)
	VPMAXSD      Y4, Y2, Y2
	VPMAXSD      Y5, Y3, Y3

met:
	NEXT
	JMP entry

free: // the largest value of the leaves of the tree, eight at a time, lies in all bins
	MOVLQSX (R8), AX
	MOVLQSX (DI)(AX*4), CX
	MOVLQSX 4(DI)(AX*4), DX
	LEAQ    (SI)(CX*4), AX
	SUBQ    CX, DX
	VPXOR   Y6, Y6, Y6

eight:
	CMPQ    DX, $8
	JLT     tail
	VMOVDQU (AX), Y4
	VPSUBD  Y15, Y4, Y4
	VPMAXSD Y4, Y6, Y6
	ADDQ    $32, AX
	SUBQ    $8, DX
	JMP     eight

tail:
	NEGQ         DX
	VMOVDQU      -128(R14)(DX*4), Y5
	VPMASKMOVD   (AX), Y5, Y4
	VPSUBD       Y15, Y4, Y4
	VPAND        Y5, Y4, Y4
	VPMAXSD      Y4, Y6, Y6
	LARGEST(X6, Y6, X4)
	VPBROADCASTD X6, Y6
	VPMAXSD      Y6, Y0, Y0
	VPMAXSD      Y6, Y1, Y1
	PUT(X0, Y0, Y10, 0)
	PUT(X1, Y1, Y11, 32)

	// Below: what is largest up to each lane, and how far that is from the largest of all.
	VMOVDQA    Y0, Y7
	VMOVDQA    Y1, Y8
	SCAN(VPSLLDQ, Y7)
	SCAN(VPSLLDQ, Y8)
	CARRY(Y7, Y7, $0xFF, $0x08)
	CARRY(Y8, Y8, $0xFF, $0x08)
	CARRY(Y7, Y8, $0xFF, $0x11)
	VPSHUFD    $0xFF, Y8, Y4
	VPERM2I128 $0x11, Y4, Y4, Y14
	TESTQ      R15, R15
	JZ         below
	VPMAXSD    Y6, Y2, Y2
	VPMAXSD    Y6, Y3, Y3
	PUT(X2, Y2, Y12, 64)
	PUT(X3, Y3, Y13, 96)
	VMOVDQA    Y2, Y6
	VMOVDQA    Y3, Y9
	SCAN(VPSLLDQ, Y6)
	SCAN(VPSLLDQ, Y9)
	CARRY(Y6, Y6, $0xFF, $0x08)
	CARRY(Y9, Y9, $0xFF, $0x08)
	VPMAXSD    Y14, Y6, Y6
	CARRY(Y6, Y9, $0xFF, $0x11)
	VPSHUFD    $0xFF, Y9, Y4
	VPERM2I128 $0x11, Y4, Y4, Y14
	VPSUBD     Y6, Y14, Y6
	VPSUBD     Y9, Y14, Y9
	ADD(X6, Y6, BELOW+128)
	ADD(X9, Y9, BELOW+192)

	// Beyond: what is largest from each lane on.
	SCAN(VPSRLDQ, Y2)
	SCAN(VPSRLDQ, Y3)
	CARRY(Y2, Y2, $0x00, $0x81)
	CARRY(Y3, Y3, $0x00, $0x81)
	CARRY(Y3, Y2, $0x00, $0x00)
	CARRY(Y2, Y1, $0x00, $0x00)
	VPSUBD     Y2, Y14, Y6
	VPSUBD     Y3, Y14, Y9
	ADD(X6, Y6, BEYOND+128)
	ADD(X9, Y9, BEYOND+192)

below:
	VPSUBD Y7, Y14, Y7
	VPSUBD Y8, Y14, Y8
	ADD(X7, Y7, BELOW)
	ADD(X8, Y8, BELOW+64)
	SCAN(VPSRLDQ, Y0)
	SCAN(VPSRLDQ, Y1)
	CARRY(Y0, Y0, $0x00, $0x81)
	CARRY(Y1, Y1, $0x00, $0x81)
	CARRY(Y1, Y0, $0x00, $0x00)
	VPSUBD Y0, Y14, Y0
	VPSUBD Y1, Y14, Y1
	ADD(X0, Y0, BEYOND)
	ADD(X1, Y1, BEYOND+64)

	LEAQ 64(R13)(R15*4), R13
	ADDQ $8, R8
	DECQ R9
	JNZ  user

	VMOVDQU Y10, BARRED(BX)
	VMOVDQU Y11, (BARRED+32)(BX)
	VMOVDQU Y12, (BARRED+64)(BX)
	VMOVDQU Y13, (BARRED+96)(BX)
	VZEROUPPER
	RET

// func levelAVX2(k *step) (constant int64)
//
// R9 is where the users end, DI what the largest potentials come to.
TEXT ·levelAVX2(SB), NOSPLIT, $0-16
	LOAD
	LEAQ    (R8)(R9*8), R9
	XORQ    DI, DI
	VMOVDQU PARTS(BX), Y8
	VMOVDQU (PARTS+32)(BX), Y9
	VMOVDQU (PARTS+64)(BX), Y10
	VMOVDQU (PARTS+96)(BX), Y11
	VMOVDQU BARRED(BX), Y12
	VMOVDQU (BARRED+32)(BX), Y13
	VMOVDQU (BARRED+64)(BX), Y14
	VMOVDQU (BARRED+96)(BX), Y15

tree:
	VPSUBD  (R13), Y8, Y0
	VPSUBD  32(R13), Y9, Y1
	VPANDN  Y0, Y12, Y0
	VPANDN  Y1, Y13, Y1
	VPMAXSD Y1, Y0, Y6
	TESTQ   R15, R15
	JZ      largest
	VPSUBD  64(R13), Y10, Y2
	VPSUBD  96(R13), Y11, Y3
	VPANDN  Y2, Y14, Y2
	VPANDN  Y3, Y15, Y3
	VPMAXSD Y2, Y6, Y6
	VPMAXSD Y3, Y6, Y6

largest:
	LARGEST(X6, Y6, X4)
	VMOVD X6, AX
	ADDQ  AX, DI
	END

side:
	CMPQ    R10, DX
	JGE     done
	MEET(Y0, Y1)
	VPMAXSD Y5, Y4, Y7
	TESTQ   R15, R15
	JZ      most
	MEETUPPER(Y2, Y3)
	VPMAXSD Y4, Y7, Y7
	VPMAXSD Y5, Y7, Y7

most:
	LARGEST(X7, Y7, X4)
	VPSUBD  X6, X7, X7
	VMOVD   X7, AX
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
	LEAQ 64(R13)(R15*4), R13
	ADDQ $8, R8
	CMPQ R8, R9
	JLT  tree

	MOVQ DI, constant+8(FP)
	VZEROUPPER
	RET
