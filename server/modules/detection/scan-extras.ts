import { createHash } from 'node:crypto'
import type { DetectionKind } from '#contracts/detection/kinds.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { textReader } from '../../platform/pictures/text-reader.ts'
import { activeWords } from '../sensitive-words/word-groups.ts'
import { askedOwnRules } from './own-rules.ts'
import type { ScanExtras } from './scan-messages.ts'

type Asked = { kinds: readonly DetectionKind[]; items: readonly string[] | null; application: number | null }

/** What decides a scan besides package and strategy, as it is now: own rules, sensitive words, the application's privacy policy. */
export async function scanExtras(meta: MetaStore, { kinds, items, application }: Asked): Promise<ScanExtras> {
  const policy =
    kinds.includes('privacy') && application !== null
      ? await meta.db
          .selectFrom('privacy_policies')
          .select('content')
          .where('application_id', '=', application)
          .executeTakeFirst()
      : undefined
  return {
    words: kinds.includes('content') ? await activeWords(meta) : [],
    ownRules: await askedOwnRules(meta, items),
    policyText: policy?.content ?? null,
  }
}

/** The part of a task's identity that depends on these extras; '' without any. */
export function extrasDigest({ ownRules, words, policyText }: ScanExtras, kinds: readonly DetectionKind[]): string {
  const parts = [
    ownRules.length > 0 && `own ${digest(ownRules)}`,
    // Pictures are read only where the packages for it are installed.
    kinds.includes('content') && `words ${digest([words, textReader() !== null])}`,
    policyText !== null && `policy ${digest(policyText)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}
