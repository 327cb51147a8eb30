/** The same numbers, and room for `length` of them. */
export function growTypedArray<T extends Uint32Array | Float64Array>(values: T, length: number): T {
  const wider = new (values.constructor as new (length: number) => T)(length)
  wider.set(values)
  return wider
}
