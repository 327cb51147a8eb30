import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Source maps of an archive as an archive of their own: they are kept apart from what is shipped. */
export function mapArchive(maps: ReadonlyMap<string, string>, at: number): Readable {
  const zip = new ZipFile()
  const names = new Set<string>()
  for (const [name, text] of maps) {
    // The writer refuses names that lead out of a folder; those were refused when the archive was opened.
    const path = `${name.replaceAll('\\', '/')}.map`
    if (names.has(path)) continue
    names.add(path)
    zip.addBuffer(Buffer.from(text), path, { mtime: new Date(at), mode: 0o100644 })
  }
  zip.end()
  return zip.outputStream as Readable
}

/** `app.js` becomes `app.protected.js`: the name of a result never hides which of the two a file is. */
export function resultName(name: string, part: 'code' | 'map' | 'source', kind: 'js' | 'zip'): string {
  if (part === 'source') return name
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
  if (part === 'code') return `${stem}.protected${extension}`
  return kind === 'js' ? `${stem}.protected${extension}.map` : `${stem}.maps${extension}`
}
