import { CONCLUSIONS, type SelfCheckClause } from '#contracts/http/self-check/checks.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import { readClauses } from '../../self-check/self-check-rows.ts'
import { SELF_CHECK_WORDS } from '../../self-check/self-check-words.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

/** Every clause with its answer, what the newest privacy detection says, and what follows of both. */
export async function selfCheckTable(
  { app }: Extract<ExportedList, { of: 'self_check' }>,
  source: ListSource,
): Promise<ExportTable> {
  const { words, language } = source
  const { clauses, basis } = await readClauses(source, app)
  const word = (key: keyof typeof SELF_CHECK_WORDS) => SELF_CHECK_WORDS[key][language]
  return listTable<SelfCheckClause>(
    [
      ['来源', 'Source', (one) => one.source],
      ['条款', 'Clause', (one) => one.clause],
      ['检查项', 'Check', (one) => one.name[language]],
      ['问题', 'Question', (one) => one.question[language]],
      ['回答', 'Answer', ({ answer }) => (answer ? word(answer.value) : '')],
      ['说明', 'Note', ({ answer }) => answer?.note ?? ''],
      ['回答人', 'Answered by', ({ answer }) => answer?.by ?? ''],
      ['回答时间', 'Answered at', ({ answer }) => words.time(answer?.at ?? null)],
      ['静态检测', 'Package', ({ machine }) => (machine ? word(machine.verdict) : '')],
      ['静态依据', 'Reason', ({ machine }) => machine?.reason[language] ?? ''],
      ['检测的包', 'Package detected', ({ machine }) => (machine && basis ? `${basis.name} ${basis.version}` : '')],
      ['检测时间', 'Detected at', ({ machine }) => words.time((machine && basis?.at) ?? null)],
      ['结论', 'Conclusion', (one) => CONCLUSIONS[one.conclusion][language]],
    ],
    source,
    clauses.length,
    [clauses],
  )
}
