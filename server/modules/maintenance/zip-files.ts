import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/**
 * A ZIP archive of files, read as it is sent: constant memory. Of each file the first `bytes` are taken, since a log grows meanwhile.
 * A file that cannot be read ends the stream with its error.
 */
export function zipFiles(files: readonly { path: string; name: string; bytes: number; at: number }[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | undefined
  zip.on('error', (error) => output.destroy(error))
  for (const { path, name, bytes, at } of files)
    zip.addReadStreamLazy(name, { mtime: new Date(at), mode: 0o100600 }, (done) => {
      source = bytes === 0 ? Readable.from([]) : createReadStream(path, { start: 0, end: bytes - 1 })
      source.on('error', (error) => output.destroy(error))
      done(null, source)
    })
  zip.end()
  // A browser that goes away ends the file that is being read.
  output.on('close', () => source?.destroy())
  return output
}
