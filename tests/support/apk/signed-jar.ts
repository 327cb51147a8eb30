import type { Files } from './signed-apk.ts'
import { signatureBlock, type TestSigner } from './signer.ts'

/** What the JARs of tests hold: code, a service, and a name that no line of a manifest holds. */
export const JAR_FILES: Files = {
  'base/manifest/AndroidManifest.xml': Buffer.from('manifest'),
  'a/Main.class': Buffer.from('code '.repeat(500)),
  [`a/${'long-name-'.repeat(12)}.txt`]: Buffer.from('text'),
  'META-INF/services/a.Service': Buffer.from('a.Main'),
}

/** Signs what the signature file says, whatever that is. */
export function signJarAs(
  content: Files,
  manifest: string,
  signatureFile: string,
  signer: TestSigner,
  name = 'CERT',
): Files {
  const file = Buffer.from(signatureFile)
  return {
    ...content,
    'META-INF/MANIFEST.MF': Buffer.from(manifest),
    [`META-INF/${name}.SF`]: file,
    [`META-INF/${name}.RSA`]: signatureBlock(signer, file),
  }
}

/** Signed by a second one too, over the same manifest. */
export function alsoBy(signer: TestSigner, signed: Files, only?: string): Files {
  const file = text(signed['META-INF/CERT.SF'])
  const [head, ...sections] = file.split(/\r\n\r\n/)
  const chosen = sections.filter((section) => !only || section.startsWith(`Name: ${only}`))
  const other = [head, ...chosen].join('\r\n\r\n').trimEnd()
  return signJarAs(signed, text(signed['META-INF/MANIFEST.MF']), `${other}\r\n\r\n`, signer, 'OTHER')
}

const text = (content: Uint8Array | undefined): string => Buffer.from(content ?? []).toString()
