import { signApk } from '#engines/signing/sign-apk.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { ZipWriter } from '#engines/zip/zip-writer.ts'
import { type BankVersionName, bankDex } from './bank-build.ts'
import { bankManifest } from './bank-manifest.ts'
import { bankResources } from './bank-resources.ts'
import { bankKey } from './bank-signer.ts'

/** The one with planted weaknesses; the other one mends them. */
const WEAK: BankVersionName = '9.3.1'

/** The signed package (v1, v2, v3) of a version of the fictional bank: the same bytes each time. */
export function bankPackage(version: BankVersionName): Uint8Array {
  const weak = version === WEAK
  const parts: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => void parts.push(bytes))
  writer.add('AndroidManifest.xml', bankManifest({ name: version, code: Number(version.replaceAll('.', '')), weak }))
  writer.add('classes.dex', bankDex(version))
  // Android maps the table as it lies in the archive.
  for (const [name, content] of bankResources(!weak)) writer.add(name, content, { deflate: name.endsWith('.xml') })
  writer.finish()
  const request = {
    key: bankKey,
    alias: 'release',
    schemes: new Set(['v1', 'v2', 'v3'] as const),
    minSdk: 26,
    createdBy: 'Pocket Bank',
  }
  return Buffer.concat(signApk(readZip(Buffer.concat(parts)), request).pieces.map((piece) => Buffer.from(piece)))
}
