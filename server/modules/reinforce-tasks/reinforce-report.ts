import { sql } from 'kysely'
import type { Language } from '#contracts/errors.ts'
import type { ReinforceReport, ReinforceRescan } from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { hardenText, isHardenText } from '#engines/harden/harden-texts.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { TaskRow } from './reinforce-rows.ts'

/** Sums of one report: an option has a few, each for a thing that was done or a reason. */
const MOST_SUMS = 2000

/** What was done to the package, in the words of the language; null before a task has succeeded. */
export async function readReinforceReport(
  { db }: MetaStore,
  row: TaskRow,
  language: Language,
): Promise<ReinforceReport | null> {
  if (!row.report) return null
  const { unread_rules, dropped, options, rescan, ...rest } = row.report
  const sums = await db
    .selectFrom('reinforce_lines')
    .select(['option', 'outcome', 'text', 'detail'])
    .select([sql<number>`sum(count)::float8`.as('count'), sql<number>`count(*)::int`.as('places')])
    .where('task_id', '=', row.id)
    .groupBy(['option', 'outcome', 'text', 'detail'])
    .orderBy('count', 'desc')
    .limit(MOST_SUMS)
    .execute()
  return {
    ...rest,
    unused_signature: isLibraryKind(row.kind) ? row.signature_name : '',
    rescan: rescan && withHidden(rescan),
    options: options.map((one) => ({
      ...one,
      sums: sums
        .filter(({ option }) => option === one.option)
        .map(({ outcome, text, detail, count, places }) => ({
          ...{ outcome, text: lineText(text, detail, language), count, places },
        })),
    })),
    notes: [
      ...unread_rules.map((line) =>
        language === 'zh'
          ? `保留规则第 ${line} 行无法识别，未生效`
          : `Line ${line} of the keep rules is not understood and has no effect`,
      ),
      ...(dropped?.length ? [droppedNote(dropped.join(', '), language)] : []),
    ],
  }
}

const droppedNote = (files: string, language: Language): string =>
  language === 'zh' ? `原包的签名已移除：${files}` : `The signature of the original is removed: ${files}`

/** Reports of earlier versions do not have it: they hid nothing. */
const withHidden = (rescan: ReinforceRescan): ReinforceRescan => ({
  ...{ ...rescan, hidden: rescan.hidden ?? 0 },
  items: rescan.items.map((item) => ({ ...item, hidden: item.hidden ?? 0 })),
})

/** What a stored line says; its key is the English text. */
export const lineText = (text: string, detail: string, language: Language): string =>
  isHardenText(text) ? hardenText({ text, detail }, language) : text
