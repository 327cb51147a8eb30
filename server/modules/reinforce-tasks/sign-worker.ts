import { FormatError } from '#engines/bytes/format-error.ts'
import { openKeyStore } from '#engines/keystore/open-key-store.ts'
import { judgeJar } from '#engines/signing/judge-jar.ts'
import { judgeSigned } from '#engines/signing/judge-signed.ts'
import { manifestVersions } from '#engines/signing/manifest-versions.ts'
import { openSigningKey } from '#engines/signing/open-signing-key.ts'
import { signApkOnThreads } from '#engines/signing/sign-apk.ts'
import { signJar } from '#engines/signing/sign-jar.ts'
import { ownCertificate } from '#engines/signing/signing-key.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { SealedKey } from '../reinforce-signatures/key-messages.ts'
import type { SignMessage, SignOrder } from './harden-messages.ts'
import { sayPackage } from './say-package.ts'

/** Signs one package, verifies what it wrote, and ends. Key and passwords are in its memory alone; it says the package, never the key. */
const argument = process.argv[2] ?? ''
const say = (message: SignMessage) => sayAnything(message)

if (argument !== '--probe') await run(JSON.parse(argument) as SignOrder)

async function run(order: SignOrder): Promise<void> {
  const key = JSON.parse(readInput(order.keyBytes).toString('utf8')) as SealedKey
  const bytes = readInput(order.size)
  try {
    await sign(key, bytes, order)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    say({ refused: { key: `${error.format} ${error.key}`.slice(0, 60), detail: error.message.slice(0, 2000) } })
  }
}

async function sign(
  sealed: SealedKey,
  bytes: Uint8Array,
  { kind, schemes: asked, createdBy }: SignOrder,
): Promise<void> {
  const { alias, store_password: store, key_password: own } = sealed
  const entry = openKeyStore(Buffer.from(sealed.file, 'base64'), {
    passwords: { store, ...(own !== '' && { key: own }) },
    ...(alias && { alias }),
  })
  const key = openSigningKey(entry)
  const zip = readZip(bytes)
  const certificate = ownCertificate(key)
  const { alias: name } = entry
  const isBundle = kind === 'aab'
  const schemes = new Set(isBundle ? (['v1'] as const) : asked)
  const minSdk = isBundle ? 1 : (manifestVersions(zip)?.minSdk ?? 1)
  const { pieces } = isBundle
    ? signJar(zip, { key, alias: name, createdBy })
    : await signApkOnThreads(zip, { key, alias: name, schemes, minSdk, createdBy })
  // Our verifier has the last word: what it does not take is not kept.
  const written = new Uint8Array(Buffer.concat(pieces))
  const [issue] = isBundle ? judgeJar(written, key) : judgeSigned(written, { schemes, minSdk, certificate })
  if (issue) throw new FormatError('signing', 'judged', -1, `${issue.key}: ${issue.message}`)
  say({
    signed: {
      schemes: [...schemes].sort(),
      subject: certificate.subject.slice(0, 2000),
      sha256: certificate.fingerprints.sha256,
    },
  })
  sayPackage(pieces)
}
