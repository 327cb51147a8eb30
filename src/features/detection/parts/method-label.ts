const PRIMITIVES: Readonly<Record<string, string>> = {
  V: 'void',
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
}
const DESCRIPTOR = /^([^(]*)\(([^)]*)\)(.+)$/
const TYPE = /\[*(?:L[^;]+;|[VZBSCIJFD])/g

/** A method as developers write it: `onCreate(Bundle)` of `onCreate(Landroid/os/Bundle;)V`. What is no descriptor stays as it is. */
export function methodLabel(method: string): string {
  const parts = DESCRIPTOR.exec(method)
  if (!parts) return method
  const [, name, parameters = ''] = parts
  const types = parameters.match(TYPE) ?? []
  if (types.join('') !== parameters) return method
  return `${name}(${types.map(typeLabel).join(', ')})`
}

function typeLabel(type: string): string {
  const name = type.replace(/^\[+/, '')
  const simple = PRIMITIVES[name] ?? name.slice(1, -1).split('/').at(-1) ?? name
  return `${simple}${'[]'.repeat(type.length - name.length)}`
}
