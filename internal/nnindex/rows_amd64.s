//go:build !purego

#include "textflag.h"

// func squaredRowsAVX(x, rows *float64, dim, n int, out *float64)
//
// SI is x, DI, R10, R11 and R12 are four rows, CX the dimension, DX the rows left, R8
// where the next result goes, R9 the last index at which four columns begin, AX the column.
TEXT ·squaredRowsAVX(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ dim+16(FP), CX
	MOVQ n+24(FP), DX
	MOVQ out+32(FP), R8
	MOVQ CX, R9
	SUBQ $4, R9

four:
	CMPQ   DX, $4
	JLT    one
	LEAQ   (DI)(CX*8), R10
	LEAQ   (R10)(CX*8), R11
	LEAQ   (R11)(CX*8), R12
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	XORQ   AX, AX

columns: // lane l of Y0 to Y3 adds up columns l, l+4, l+8, …
	VMOVUPD (SI)(AX*8), Y4
	VSUBPD  (DI)(AX*8), Y4, Y5
	VSUBPD  (R10)(AX*8), Y4, Y6
	VSUBPD  (R11)(AX*8), Y4, Y7
	VSUBPD  (R12)(AX*8), Y4, Y8
	VMULPD  Y5, Y5, Y5
	VMULPD  Y6, Y6, Y6
	VMULPD  Y7, Y7, Y7
	VMULPD  Y8, Y8, Y8
	VADDPD  Y5, Y0, Y0
	VADDPD  Y6, Y1, Y1
	VADDPD  Y7, Y2, Y2
	VADDPD  Y8, Y3, Y3
	ADDQ    $4, AX
	CMPQ    AX, R9
	JLE     columns

	// Of each row (s0 + s1) + (s2 + s3), two rows a register.
	VHADDPD      Y1, Y0, Y0
	VHADDPD      Y3, Y2, Y2
	VEXTRACTF128 $1, Y0, X1
	VEXTRACTF128 $1, Y2, X3
	VADDPD       X1, X0, X0
	VADDPD       X3, X2, X2
	VXORPD       X8, X8, X8
	VXORPD       X9, X9, X9

rest: // the columns left are added up one after the other
	CMPQ     AX, CX
	JGE      store
	VMOVDDUP (SI)(AX*8), X4
	VMOVSD   (DI)(AX*8), X5
	VMOVHPD  (R10)(AX*8), X5, X5
	VMOVSD   (R11)(AX*8), X6
	VMOVHPD  (R12)(AX*8), X6, X6
	VSUBPD   X5, X4, X5
	VSUBPD   X6, X4, X6
	VMULPD   X5, X5, X5
	VMULPD   X6, X6, X6
	VADDPD   X5, X8, X8
	VADDPD   X6, X9, X9
	INCQ     AX
	JMP      rest

store:
	VADDPD  X8, X0, X0
	VADDPD  X9, X2, X2
	VMOVUPD X0, (R8)
	VMOVUPD X2, 16(R8)
	ADDQ    $32, R8
	LEAQ    (R12)(CX*8), DI
	SUBQ    $4, DX
	JMP     four

one: // a single row
	TESTQ  DX, DX
	JZ     done
	VXORPD Y0, Y0, Y0
	XORQ   AX, AX

columns1:
	VMOVUPD (SI)(AX*8), Y4
	VSUBPD  (DI)(AX*8), Y4, Y5
	VMULPD  Y5, Y5, Y5
	VADDPD  Y5, Y0, Y0
	ADDQ    $4, AX
	CMPQ    AX, R9
	JLE     columns1

	VEXTRACTF128 $1, Y0, X1
	VHADDPD      X0, X0, X0
	VHADDPD      X1, X1, X1
	VADDSD       X1, X0, X0
	VXORPD       X8, X8, X8

rest1:
	CMPQ   AX, CX
	JGE    store1
	VMOVSD (SI)(AX*8), X4
	VSUBSD (DI)(AX*8), X4, X5
	VMULSD X5, X5, X5
	VADDSD X5, X8, X8
	INCQ   AX
	JMP    rest1

store1:
	VADDSD X8, X0, X0
	VMOVSD X0, (R8)
	ADDQ   $8, R8
	LEAQ   (DI)(CX*8), DI
	DECQ   DX
	JMP    one

done:
	VZEROUPPER
	RET

// func toBoxAVX(q, lo, hi *float64, dim int) float64
//
// Lane l of Y0 adds up columns l, l+4, l+8, … as far as there are four of them.
TEXT ·toBoxAVX(SB), NOSPLIT, $0-40
	MOVQ   q+0(FP), SI
	MOVQ   lo+8(FP), DI
	MOVQ   hi+16(FP), R10
	MOVQ   dim+24(FP), CX
	MOVQ   CX, R9
	SUBQ   $4, R9
	VXORPD Y0, Y0, Y0
	VXORPD Y9, Y9, Y9
	XORQ   AX, AX

gaps:
	VMOVUPD (SI)(AX*8), Y1
	VMOVUPD (DI)(AX*8), Y2
	VSUBPD  Y1, Y2, Y2
	VSUBPD  (R10)(AX*8), Y1, Y3
	VMAXPD  Y9, Y2, Y2
	VMAXPD  Y9, Y3, Y3
	VADDPD  Y3, Y2, Y2
	VMULPD  Y2, Y2, Y2
	VADDPD  Y2, Y0, Y0
	ADDQ    $4, AX
	CMPQ    AX, R9
	JLE     gaps

	VEXTRACTF128 $1, Y0, X1
	VHADDPD      X0, X0, X0
	VHADDPD      X1, X1, X1
	VADDSD       X1, X0, X0
	VXORPD       X4, X4, X4

last:
	CMPQ   AX, CX
	JGE    sum
	VMOVSD (SI)(AX*8), X1
	VMOVSD (DI)(AX*8), X2
	VSUBSD X1, X2, X2
	VSUBSD (R10)(AX*8), X1, X3
	VMAXSD X9, X2, X2
	VMAXSD X9, X3, X3
	VADDSD X3, X2, X2
	VMULSD X2, X2, X2
	VADDSD X2, X4, X4
	INCQ   AX
	JMP    last

sum:
	VADDSD X4, X0, X0
	VMOVSD X0, ret+32(FP)
	VZEROUPPER
	RET

// func absoluteRowsAVX(x, rows *float64, dim, n int, out *float64)
//
// Registers as in squaredRowsAVX. X0 to X3 add up the even and the odd columns of a row
// each; n is a multiple of four.
TEXT ·absoluteRowsAVX(SB), NOSPLIT, $0-40
	MOVQ     x+0(FP), SI
	MOVQ     rows+8(FP), DI
	MOVQ     dim+16(FP), CX
	MOVQ     n+24(FP), DX
	MOVQ     out+32(FP), R8
	MOVQ     CX, R9
	SUBQ     $2, R9
	VPCMPEQQ X15, X15, X15
	VPSRLQ   $1, X15, X15 // all bits but the sign

next:
	TESTQ  DX, DX
	JZ     end
	LEAQ   (DI)(CX*8), R10
	LEAQ   (R10)(CX*8), R11
	LEAQ   (R11)(CX*8), R12
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	XORQ   AX, AX

two:
	CMPQ    AX, R9
	JGT     odd
	VMOVUPD (SI)(AX*8), X4
	VSUBPD  (DI)(AX*8), X4, X5
	VSUBPD  (R10)(AX*8), X4, X6
	VSUBPD  (R11)(AX*8), X4, X7
	VSUBPD  (R12)(AX*8), X4, X8
	VANDPD  X15, X5, X5
	VANDPD  X15, X6, X6
	VANDPD  X15, X7, X7
	VANDPD  X15, X8, X8
	VADDPD  X5, X0, X0
	VADDPD  X6, X1, X1
	VADDPD  X7, X2, X2
	VADDPD  X8, X3, X3
	ADDQ    $2, AX
	JMP     two

odd: // a last column is an even one
	CMPQ   AX, CX
	JGE    both
	VMOVSD (SI)(AX*8), X4
	VMOVSD (DI)(AX*8), X5
	VMOVSD (R10)(AX*8), X6
	VMOVSD (R11)(AX*8), X7
	VMOVSD (R12)(AX*8), X8
	VSUBPD X5, X4, X5
	VSUBPD X6, X4, X6
	VSUBPD X7, X4, X7
	VSUBPD X8, X4, X8
	VANDPD X15, X5, X5
	VANDPD X15, X6, X6
	VANDPD X15, X7, X7
	VANDPD X15, X8, X8
	VADDPD X5, X0, X0
	VADDPD X6, X1, X1
	VADDPD X7, X2, X2
	VADDPD X8, X3, X3

both:
	VHADDPD X1, X0, X0
	VHADDPD X3, X2, X2
	VMOVUPD X0, (R8)
	VMOVUPD X2, 16(R8)
	ADDQ    $32, R8
	LEAQ    (R12)(CX*8), DI
	SUBQ    $4, DX
	JMP     next

end:
	VZEROUPPER
	RET

// func widenRowsAVX(lo, hi, rows *float64, dim, n int)
//
// R8 and R9 are the box, DI the rows, CX the dimension, R11 that in bytes, AX the column, SI where
// it is in a row, DX the rows left. Y0 and Y1 widen by every other row, Y2 and Y3 by the others.
TEXT ·widenRowsAVX(SB), NOSPLIT, $0-40
	MOVQ lo+0(FP), R8
	MOVQ hi+8(FP), R9
	MOVQ rows+16(FP), DI
	MOVQ dim+24(FP), CX
	MOVQ CX, R10
	SUBQ $4, R10
	LEAQ (CX*8), R11
	XORQ AX, AX

widenFour:
	VMOVUPD (R8)(AX*8), Y0
	VMOVUPD (R9)(AX*8), Y1
	VMOVAPD Y0, Y2
	VMOVAPD Y1, Y3
	LEAQ    (DI)(AX*8), SI
	MOVQ    n+32(FP), DX

widenTwoRows:
	SUBQ    $2, DX
	JLT     widenLastRow
	VMOVUPD (SI), Y4
	VMOVUPD (SI)(R11*1), Y5
	VMINPD  Y0, Y4, Y0
	VMAXPD  Y1, Y4, Y1
	VMINPD  Y2, Y5, Y2
	VMAXPD  Y3, Y5, Y3
	LEAQ    (SI)(R11*2), SI
	JMP     widenTwoRows

widenLastRow:
	CMPQ    DX, $-1
	JNE     widenStore
	VMOVUPD (SI), Y4
	VMINPD  Y0, Y4, Y0
	VMAXPD  Y1, Y4, Y1

widenStore:
	VMINPD  Y0, Y2, Y0
	VMAXPD  Y1, Y3, Y1
	VMOVUPD Y0, (R8)(AX*8)
	VMOVUPD Y1, (R9)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, R10
	JLE     widenFour

widenColumn: // the columns left, one after the other
	CMPQ   AX, CX
	JGE    widenEnd
	VMOVSD (R8)(AX*8), X0
	VMOVSD (R9)(AX*8), X1
	LEAQ   (DI)(AX*8), SI
	MOVQ   n+32(FP), DX

widenRow:
	VMOVSD (SI), X4
	VMINSD X0, X4, X0
	VMAXSD X1, X4, X1
	ADDQ   R11, SI
	DECQ   DX
	JNZ    widenRow
	VMOVSD X0, (R8)(AX*8)
	VMOVSD X1, (R9)(AX*8)
	INCQ   AX
	JMP    widenColumn

widenEnd:
	VZEROUPPER
	RET
