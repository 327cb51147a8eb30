/**
 * A baseline says what a released version is; a return of that version that says otherwise contradicts it (decision 26). What either
 * side leaves open is no contradiction. A version without baseline is 'no baseline': of its returns only those that name the certificate of a
 * known pirated copy are abnormal.
 */
export type BaselineFacts = {
  /** applications.id */
  app: number
  version: string
  /** '' leaves it open. */
  packageName: string
  /** SHA-256 of the certificates that may sign it, lower-case hex; empty leaves it open. */
  signers: string[]
  /** SHA-256 by the name of a part (`classes.dex`), lower-case hex. */
  hashes: Record<string, string>
  channels: string[]
}

/** SHA-256 of certificates that pirated copies of an application are signed with, lower-case hex, as monitoring knows them now. */
export type PiratedCertificates = { app: number; certificates: string[] }
/** What returns are compared with. */
export type KnownBuilds = { baselines: readonly BaselineFacts[]; pirated: readonly PiratedCertificates[] }

/** What an app reports about its build: in the stored event package_name, signer, the channel, and detail.hashes. */
type ReportedBuild = { packageName: string; signer: string; channel: string; hashes: Record<string, string> }

export const CONTRADICTIONS = {
  package: { zh: '包名', en: 'Package name' },
  signer: { zh: '签名', en: 'Signer' },
  hash: { zh: '文件摘要', en: 'File hash' },
  channel: { zh: '渠道', en: 'Channel' },
  pirated: { zh: '已知盗版证书', en: 'Known pirated certificate' },
} as const
export type Contradiction = keyof typeof CONTRADICTIONS
export const CONTRADICTION_KINDS = Object.keys(CONTRADICTIONS) as Contradiction[]

/** Parts of a build whose hash may be reported: at most this many, by such names. */
export const MAX_HASHES = 32
const PART_NAME = /^[\w.\-/]{1,64}$/
const SHA256 = /^[0-9a-f]{64}$/

/** The well-formed entries of a hash table, sorted by name: what is compared and stored. */
export function cleanHashes(raw: unknown): Record<string, string> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {}
  const entries = Object.entries(raw).flatMap(([name, value]): [string, string][] => {
    const hash = typeof value === 'string' ? value.toLowerCase() : ''
    return PART_NAME.test(name) && SHA256.test(hash) ? [[name, hash]] : []
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_HASHES))
}

/** The build that an event reports in its `extra`; the channel is a field of the event. */
export function reportedBuild(extra: Readonly<Record<string, unknown>>, channel: string): ReportedBuild {
  const text = (name: string) => (typeof extra[name] === 'string' ? (extra[name] as string) : '')
  const detail = extra['detail']
  const hashes =
    typeof detail === 'object' && detail !== null ? (detail as Record<string, unknown>)['hashes'] : undefined
  return {
    packageName: text('package_name'),
    signer: text('signer').toLowerCase(),
    channel,
    hashes: cleanHashes(hashes),
  }
}

const OPEN: Omit<BaselineFacts, 'app' | 'version'> = { packageName: '', signers: [], hashes: {}, channels: [] }

/**
 * In what a build contradicts the baseline of its version (null: it has none), and whether it is signed as a known pirated copy, in the order
 * of CONTRADICTION_KINDS.
 * @param pirated certificates of pirated copies of the application, SHA-256 in lower-case hex
 */
export function contradictionsOf(
  build: ReportedBuild,
  known: Omit<BaselineFacts, 'app' | 'version'> | null,
  pirated: readonly string[] = [],
): Contradiction[] {
  const baseline = known ?? OPEN
  const outside = (value: string, allowed: readonly string[]) =>
    value !== '' && allowed.length > 0 && !allowed.includes(value)
  const differs: Record<Contradiction, boolean> = {
    package: outside(build.packageName, baseline.packageName === '' ? [] : [baseline.packageName]),
    signer: outside(build.signer, baseline.signers),
    hash: Object.entries(build.hashes).some(([name, hash]) => outside(hash, [baseline.hashes[name] ?? hash])),
    channel: outside(build.channel, baseline.channels),
    pirated: build.signer !== '' && pirated.includes(build.signer),
  }
  return CONTRADICTION_KINDS.filter((kind) => differs[kind])
}

/** Whether a file says enough to be compared with, and is what its signer made: the returns of any other would all contradict it. */
export function mayBeBaseline(file: {
  kind: string
  appid: string | null
  version: string
  package_name: string
  signature: string
}): boolean {
  const isLibrary = file.kind === 'aar' || file.kind === 'jar' || file.kind === 'so'
  return (
    !isLibrary &&
    file.appid !== null &&
    file.version !== '' &&
    file.package_name !== '' &&
    file.signature === 'verified'
  )
}
