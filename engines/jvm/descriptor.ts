/** A method takes no more (JVMS 4.3.3). */
const MOST = 255

/** Types of the parameters of a method descriptor, in order; what cannot be one ends the list. */
export function parameterTypes(descriptor: string): string[] {
  const types: string[] = []
  const end = descriptor.indexOf(')')
  for (let at = 1; at < end && types.length < MOST; ) {
    let to = at
    while (descriptor[to] === '[') to++
    to = descriptor[to] === 'L' ? descriptor.indexOf(';', to) + 1 : to + 1
    if (to <= at || to > end) break
    types.push(descriptor.slice(at, to))
    at = to
  }
  return types
}

export const returnType = (descriptor: string): string => descriptor.slice(descriptor.indexOf(')') + 1)
