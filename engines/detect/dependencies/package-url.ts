/** A package URL (ECMA-427) of a Maven artifact, or of type `generic` where no package manager is known. */
export function packageUrl(group: string, name: string, version: string): string {
  const at = version && `@${encode(version)}`
  return group ? `pkg:maven/${encode(group)}/${encode(name)}${at}` : `pkg:generic/${encode(name.toLowerCase())}${at}`
}

/** Everything but unreserved characters and the colon is percent-encoded (section 5.4). */
function encode(part: string): string {
  return encodeURIComponent(part)
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':')
}
