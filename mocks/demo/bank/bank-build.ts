import { createHash } from 'node:crypto'
import assembled from './bank-dex.generated.json' with { type: 'json' }

/** Versions of Pocket Bank that are built from sources of this folder. */
export const BANK_VERSIONS = ['9.3.1', '9.4.0'] as const
/** The one that its maker has released: what phones run, packages are compared with and copies are made of. */
export const BANK_RELEASE = '9.4.0' satisfies BankVersionName
export type BankVersionName = (typeof BANK_VERSIONS)[number]

/** The code of a version as `node scripts/build-demo-bank.mjs` assembled it. */
export const bankDex = (version: BankVersionName): Buffer => Buffer.from(assembled[version], 'base64')

const HASHES: ReadonlyMap<string, string> = new Map(
  BANK_VERSIONS.map((version) => [version, createHash('sha256').update(bankDex(version)).digest('hex')]),
)

/** SHA-256 of classes.dex of a version, lower-case hex; undefined of one that is not built here. */
export const bankDexHash = (version: string): string | undefined => HASHES.get(version)
