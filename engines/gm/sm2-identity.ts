import { concat } from './bytes.ts'
import type { GmPrimitives } from './primitives.ts'
import { Sm2Point } from './sm2-curve.ts'

const { Fp } = Sm2Point
const CURVE = Sm2Point.CURVE()

/** Z of GB/T 32918.2, 5.5: SM3 over the id (at most 8,191 bytes), the curve, its generator and the public key (65 bytes, uncompressed). */
export function sm2Identity(sm3: GmPrimitives['sm3'], id: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const bits = id.length * 8
  const { a, b, Gx, Gy } = CURVE
  const curve = [a, b, Gx, Gy].map((value) => Fp.toBytes(value))
  return sm3(concat(Uint8Array.of(bits >> 8, bits & 255), id, ...curve, publicKey.subarray(1)))
}
